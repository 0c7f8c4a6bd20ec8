import { hideAll, spellingsOf } from '../../domain/text/hide.ts';

const LONGEST = 500;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
/** Value of a secret's key in the JSON of a record, also where the JSON is cut off. */
const KEYED = /("(?:password|source_credentials|id_card)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gu;
const MASK = '(secret)';

/**
 * Returns a function that makes the service's own words for an error one line, not too long, without any of
 * these secrets.
 */
export function wordScrubber(secrets: readonly string[]): (words: string) => string {
  // The service puts words into few of its answers.
  let spellings: readonly (readonly RegExp[])[] | null = null;
  return (words) => {
    spellings ??= [...new Set(secrets)].map(spellingsOf);
    const clean = hideAll(words, spellings, MASK).replaceAll(KEYED, `$1"${MASK}"`);
    const line = clean.replaceAll(CONTROL, ' ').trim();
    return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  };
}
