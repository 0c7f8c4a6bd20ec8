import { foldUsername } from '../text/fold.ts';
import { listSome, printable } from '../text/printable.ts';

/** The account that a person of the source has, or why that is unknown. Both `null`: there is no account. */
interface NamedAccount<A> {
  readonly account: A | null;
  readonly unclear: string | null;
}

/**
 * Returns the account for a username, from those whose usernames are equal without case: the one with exactly
 * this spelling, else the only one. If there are several, none is returned, since each may be another
 * person's. This includes several of one spelling, who may be people of another organization in the same
 * list.
 */
export function accountNamed<A extends { readonly username: string; readonly id: string }>(
  username: string,
  accounts: readonly A[],
): NamedAccount<A> {
  const exact = accounts.filter((account) => account.username === username);
  if (exact.length > 1) return { account: null, unclear: severalOf(username, exact) };
  if (exact[0] !== undefined) return { account: exact[0], unclear: null };
  if (accounts.length < 2) return { account: accounts[0] ?? null, unclear: null };
  const spellings = accounts.map((account) => account.username).toSorted();
  const unclear =
    `the username ${username} may be any of the accounts ${listSome(spellings)}, which differ in case alone: ` +
    'spell it in the source as the right one is spelled';
  return { account: null, unclear };
}

function severalOf(username: string, accounts: readonly { readonly id: string }[]): string {
  const ids = accounts.map(({ id }) => printable(id)).toSorted();
  return (
    `the username ${username} is that of several accounts, with the ids ${listSome(ids)}: ` +
    'remove in the service those that are somebody else’s'
  );
}

/** Returns whether a person is known by this username, in any case: as the account's, or as the one that the source had. */
export function isNameOf(
  {
    username,
    usernameInSource = username,
  }: { readonly username: string; readonly usernameInSource?: string },
  name: string,
): boolean {
  const key = foldUsername(name);
  return key === foldUsername(username) || key === foldUsername(usernameInSource);
}

/** Stands for the source id of a forgotten person who had a username. */
export const FORGOTTEN = '(forgotten)';

/** A person whose username in the source differs from that of the account. */
export interface KeptUsername {
  readonly subject: 'person';
  readonly id: string;
  /** Username of the account. */
  readonly label: string;
  /** Display name, if it is known. */
  readonly name?: string;
  readonly inSource: string;
}
