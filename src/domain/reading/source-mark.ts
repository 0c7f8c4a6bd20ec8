/** What never gets smaller in a source that goes on: a read that finds less of it is of an older state, or cut. */
export interface SourceMark {
  /** Tells it from others of the same source. */
  readonly name: string;
  /** Sorts as a text. */
  readonly value: string;
  /** Beginning of the names of all marks that come together: one of them that is missing is a smaller one. */
  readonly group?: string;
  /** What is wrong when the value is smaller than at the last read: subject and verb. */
  readonly behind: string;
}

/** The ledger's fact on marks: values by name, of the last complete read that had each of them. */
export interface MarksFact {
  /** Identity of the source. */
  readonly identity: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Digits of the largest number of 64 bits. */
const DIGITS = 20;

/** Returns a number without a sign as a text that sorts as the number does. */
export const sortable = (digits: string): string => digits.padStart(DIGITS, '0');

/**
 * Returns when a file was written. A time in the future is of a wrong clock, and counts as the time of the read.
 *
 * @param what the file, as a message begins
 */
export function writtenMark(what: string, writtenAt: Date, readAt: Date): SourceMark {
  const at = Math.min(writtenAt.getTime(), readAt.getTime());
  const behind = `${what} is older than at the last read`;
  return { name: `${what} written`, value: new Date(at).toISOString(), behind };
}
