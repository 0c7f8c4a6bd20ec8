import type { Reading, Unit } from '../../../domain/records/records.ts';
import { printable } from '../../../domain/text/printable.ts';
import { canonicalDn } from '../terms/dn.ts';
import type { LostUnit } from './groups.ts';

/** Returns what is known of a unit whose group is not found any more: where it was, and that nobody knows who is in it. */
export function lostUnit({ dn, holder }: LostUnit): Reading<Unit> {
  const [name, above] = [printable(dn), printable(holder)];
  const reason =
    `is not known: the group ${above} has the member ${name}, which was a unit in the last complete read and is not found ` +
    'any more; give source.bindDn the right to read it, or, where it was deleted or renamed, take the old name out of the ' +
    `members of ${above}`;
  const refusal = {
    subject: 'unit',
    id: null,
    place: dn,
    field: 'id',
    reason,
    unitRefs: [canonicalDn(dn) ?? dn],
    showsNobody: true,
  } as const;
  return { ok: false, refusal };
}
