/** No account has a longer name; one that long could not be asked for within a URL. */
const LONGEST_USERNAME_BYTES = 1000;

/** One question: usernames for a list, or one that cannot stand in a list because it holds the separator. */
export interface UsernameBatch {
  readonly usernames: readonly string[];
  readonly matching: boolean;
}

/**
 * Splits so that the encoded names of a batch, with their commas, have no more bytes than the budget and are not more
 * than `most`. A batch holds at least one name. Empty and impossibly long names are left out: nobody has them.
 */
export function batchUsernames(
  usernames: readonly string[],
  budget: number,
  most: number,
): readonly UsernameBatch[] {
  const askable = [...new Set(usernames)].filter(
    (name) => name !== '' && bytesOf(name) <= LONGEST_USERNAME_BYTES,
  );
  const alone = askable.filter((name) => name.includes(','));
  const listed = askable.filter((name) => !name.includes(','));
  return [
    ...split(listed, budget, most).map((names) => ({ usernames: names, matching: true })),
    ...alone.map((name) => ({ usernames: [name], matching: false })),
  ];
}

function split(names: readonly string[], budget: number, most: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let left = 0;
  for (const name of names) {
    const last = batches.at(-1);
    const bytes = bytesOf(name) + 1;
    const fits = last !== undefined && bytes <= left && last.length < most;
    if (fits) last.push(name);
    else batches.push([name]);
    left = (fits ? left : budget + 1) - bytes;
  }
  return batches;
}

function bytesOf(name: string): number {
  return encodeURIComponent(name.toWellFormed()).length;
}
