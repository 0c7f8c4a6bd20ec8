/** Bytes of the largest picture that is taken. */
export const MOST_BYTES = 5 * 1024 * 1024;

/** File-name endings by how a picture's bytes begin, in hex. SVG is no picture here: it can carry scripts. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/u, 'png'],
  [/^ffd8ff/u, 'jpg'],
  [/^47494638(?:37|39)61/u, 'gif'],
  [/^52494646.{8}57454250/u, 'webp'],
];

/** Returns the ending of a file with this picture; `null`: the bytes begin as no picture does. */
export function endingOf(bytes: Buffer): string | null {
  const beginning = bytes.subarray(0, 12).toString('hex');
  return BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1] ?? null;
}

/** A picture that cannot be used. */
export class PictureProblem extends Error {}

export function tooLarge(): PictureProblem {
  return new PictureProblem(`is larger than ${MOST_BYTES / 1024 / 1024} MB`);
}

/** Returns the ending of the picture's file. Throws a PictureProblem about bytes that are no picture. */
export function requirePicture(bytes: Buffer): string {
  if (bytes.length === 0) throw new PictureProblem('is empty');
  if (bytes.length > MOST_BYTES) throw tooLarge();
  const ending = endingOf(bytes);
  if (ending === null) throw new PictureProblem('is no picture; PNG, JPEG, GIF and WebP are taken');
  return ending;
}
