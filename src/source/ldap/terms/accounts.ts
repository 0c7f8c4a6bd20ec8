import type { ReadValue } from '../../../domain/directories/account-active.ts';
import type { LdapVendor } from '../../../domain/directories/vendors.ts';

/** How `account_active` is told during one read. */
export interface Accounts {
  /** Attributes that it is told from. */
  readonly reads: readonly string[];
  /** Those that every account has: without one it cannot be told. */
  readonly needs: readonly string[];
  /** Tells it of one account; `null`: unknown. */
  isActive(read: ReadValue): boolean | null;
  /** Returns whether time alone will make it another one. */
  expires(read: ReadValue): boolean;
}

/** @param now when the read began; milliseconds since the epoch */
export function accountsOf(vendor: LdapVendor | null, now: number): Accounts | null {
  if (vendor === null) return null;
  const { reads, needs = [], isActive } = vendor.active;
  const at = (moment: number) => (read: ReadValue) => isActive(read, { now: moment });
  const [today, inTheEnd] = [at(now), at(Number.MAX_SAFE_INTEGER)];
  return { reads, needs, isActive: today, expires: (read) => today(read) !== inTheEnd(read) };
}
