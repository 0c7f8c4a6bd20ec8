import type { NewAccounts } from '../../domain/records/new-accounts.ts';

/** A value with its name, and with its elements where its form cannot be read. */
interface Named {
  readonly name: string;
  readonly unread?: readonly string[];
}

/** How many new accounts are looked at in all, to learn what the service fills in. */
const LOOKED_AT = 1_000;
/** How many different values are counted: what the service fills in is the same on most accounts. */
const MOST_VALUES = 50;

const spell = ({ name, unread = [] }: Named): string => JSON.stringify([name, unread]);

/** Adds what one more account showed right after it was made. */
export function withNewAccount(before: NewAccounts | null, values: readonly Named[]): NewAccounts {
  const { of, values: counts } = before ?? { of: 0, values: {} };
  if (of >= LOOKED_AT) return { of, values: counts };
  const now: Record<string, number> = { ...counts };
  for (const value of values.filter(({ unread }) => unread !== undefined)) {
    const name = spell(value);
    if (name in now || Object.keys(now).length < MOST_VALUES) now[name] = (now[name] ?? 0) + 1;
  }
  return { of: of + 1, values: now };
}

/**
 * Returns whether the service fills a value in by itself: more than half of all new accounts, and more than one, have
 * shown it before anybody could type it in.
 */
export function isFilledIn(value: Named, accounts: NewAccounts | null): boolean {
  if (accounts === null || value.unread === undefined) return false;
  const count = accounts.values[spell(value)] ?? 0;
  return count > 1 && count > accounts.of / 2;
}
