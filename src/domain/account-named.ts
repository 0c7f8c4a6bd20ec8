import { listSome } from './printable.ts';

/** The account that somebody of the source has, or why it cannot be told; both `null`: there is none. */
export interface Named<A> {
  readonly account: A | null;
  readonly unclear: string | null;
}

/**
 * Whose account it is, of those whose usernames are equal without case: the one that is spelled like this; else the only
 * one. Of several none is taken, since each may be somebody else's.
 */
export function accountNamed<A extends { readonly username: string }>(
  username: string,
  accounts: readonly A[],
): Named<A> {
  const exact = accounts.find((account) => account.username === username);
  if (exact !== undefined) return { account: exact, unclear: null };
  if (accounts.length < 2) return { account: accounts[0] ?? null, unclear: null };
  const spellings = accounts.map((account) => account.username).toSorted();
  const unclear =
    `the username ${username} may be any of the accounts ${listSome(spellings)}, which differ in case alone: ` +
    'spell it in the source as the right one is spelled';
  return { account: null, unclear };
}
