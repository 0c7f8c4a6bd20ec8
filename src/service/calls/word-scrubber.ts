import { hideAll, spellingsOf } from '../../domain/text/hide.ts';

const LONGEST = 500;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
/** What a record's JSON has under the name of a secret, also where it is cut off. */
const KEYED = /("(?:password|source_credentials|id_card)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gu;
const MASK = '(secret)';

/** Makes the service's own words for an error one line, not too long, without any of these secrets. */
export function wordScrubber(secrets: readonly string[]): (words: string) => string {
  // The service has words for few of its answers.
  let spellings: readonly (readonly RegExp[])[] | null = null;
  return (words) => {
    spellings ??= [...new Set(secrets)].map(spellingsOf);
    const clean = hideAll(words, spellings, MASK).replaceAll(KEYED, `$1"${MASK}"`);
    const line = clean.replaceAll(CONTROL, ' ').trim();
    return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  };
}
