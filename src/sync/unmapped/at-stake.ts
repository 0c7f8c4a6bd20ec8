import type { PersonChange } from '../../domain/changes.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { Trial } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Employee, Unread } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { unmappedOf, type Unmapped, type UnmappedKind } from '../../plan/values/unmapped.ts';
import { fateOf, type Fate } from '../../plan/values/unread.ts';
import { lostOf, withValues } from './give-back.ts';

/** What an account showed that nobody has mapped, before an import that may clear it. */
export type AtStake = Pick<Trial, 'shown' | 'unread'>;

export function atStakeOf(values: readonly Unmapped[]): AtStake {
  const shown = values.filter(({ value }) => value !== null).map(({ name, value }) => [name, value]);
  const unread = values.flatMap(({ name, value, unread: elements }) =>
    value === null && elements !== undefined ? [[name, elements] as const] : [],
  );
  return {
    shown: Object.fromEntries(shown) as Fields,
    ...(unread.length === 0 ? {} : { unread: Object.fromEntries(unread) }),
  };
}

export const isNoneAtStake = ({ shown, unread = {} }: AtStake): boolean =>
  Object.keys(shown).length + Object.keys(unread).length === 0;

export function kindsOf(change: PersonChange, { shown, unread = {} }: AtStake): ReadonlySet<UnmappedKind> {
  const values = { ...withValues(shownOf(NOBODY), shown), unread, unwritable: Object.keys(unread) };
  return new Set(unmappedOf(change.payload, values).map(({ kind }) => kind));
}

const NOBODY: Employee = { id: '', username: '', locked: false, fields: {}, positions: [] };

/** Returns what of it the account does not show any more. */
export function lostAtStake(change: PersonChange, { shown, unread }: AtStake, employee: Employee): AtStake {
  return { shown: lostOf(shown, employee), unread: ofFate('lost', change, { unread, employee }) };
}

interface Now {
  readonly unread: Unread | undefined;
  readonly employee: Employee;
}

export function ofFate(fate: Fate, change: PersonChange, { unread = {}, employee }: Now): Unread {
  const now = new Map(
    unmappedOf(change.payload, shownOf(employee)).map(({ name, unread: elements }) => [name, elements]),
  );
  const those = Object.entries(unread).filter(
    ([name, before]) => fateOf(before, now.get(name) ?? []) === fate,
  );
  return Object.fromEntries(those);
}
