import type { PersonChange } from '../../domain/changes.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { foldName } from '../../domain/text/fold.ts';
import { isMadeAnew } from './person-decision.ts';

type Named = Pick<PersonPayload, 'fields'>;

/** Returns whether both have the same name, apart from case and blanks. A name that is not known is never the same. */
export function isSameName(a: Named, b: Named): boolean {
  const [one, other] = [a.fields['name'], b.fields['name']];
  return typeof one === 'string' && typeof other === 'string' && foldName(one) === foldName(other);
}

/** Marks a change of an account that others made for somebody of another name (promise 2). */
export function markOthersAccount(change: PersonChange, row: PersonRow): PersonChange {
  const { employee, entry } = row;
  if (employee === null || change.guard === 'usernameReuse') return change;
  const isOthers =
    entry === null || entry.state === 'removed' || (entry.state !== 'creating' && isMadeAnew(row));
  if (!isOthers || isSameName(change.payload, employee.shown)) return change;
  const name = employee.shown.fields['name'];
  const whose = typeof name === 'string' ? `has the name ${name}` : 'shows no name';
  return { ...change, why: `${change.why}; the account was made by others and ${whose}`, isOthers: true };
}
