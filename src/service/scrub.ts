const LONGEST = 500;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
/** A shorter secret is too likely to be part of an innocent word. */
const SHORTEST_SECRET = 4;

/** The service's own words for an error: one line, not too long, without any of these secrets. */
export function scrub(words: string, secrets: readonly string[]): string {
  const known = secrets.flatMap((secret) =>
    secret.length < SHORTEST_SECRET ? [] : [secret, encodeURIComponent(secret.toWellFormed())],
  );
  const clean = known.reduce((text, secret) => text.replaceAll(secret, '(secret)'), words);
  const line = clean.replaceAll(CONTROL, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
