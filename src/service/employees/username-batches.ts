import { encodeQueryValue } from '../calls/endpoint.ts';

/**
 * Bytes of the longest username that is asked for: no account has a longer one, and it would not fit into a
 * URL.
 */
const LONGEST_USERNAME_BYTES = 1000;

/** Leaves out usernames that nobody has: empty and impossibly long ones. */
export function askable(usernames: readonly string[]): readonly string[] {
  return [...new Set(usernames)].filter((name) => name !== '' && bytesOf(name) <= LONGEST_USERNAME_BYTES);
}

/** Room in the next question; asked for again before each. */
export interface Room {
  /** Bytes of the encoded names with their commas. */
  readonly bytes: number;
  readonly names: number;
}

/** Yields questions as long as the room allows, in order; each holds at least one name. */
export function* batchUsernames(
  usernames: readonly string[],
  roomNow: () => Room,
): Generator<readonly string[]> {
  for (let from = 0; from < usernames.length;) {
    const to = from + fitting(usernames.slice(from, from + roomNow().names), roomNow().bytes);
    yield usernames.slice(from, to);
    from = to;
  }
}

function fitting(names: readonly string[], bytes: number): number {
  let left = bytes;
  const first = names.findIndex((name) => (left -= bytesOf(name) + 1) < 0);
  return first < 0 ? Math.max(1, names.length) : Math.max(1, first);
}

/** Returns the bytes of the encoded list, with a comma after each name. */
export function bytesOfNames(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + bytesOf(name) + 1, 0);
}

function bytesOf(name: string): number {
  return encodeQueryValue(name.toWellFormed()).length;
}
