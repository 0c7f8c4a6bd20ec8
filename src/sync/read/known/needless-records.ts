import type { People } from '../../../domain/ports/ledger/people.ts';
import type { KeyedReading } from '../../../domain/reading/increment.ts';
import type { Run } from '../../state/world.ts';

/** Returns whether the record, for what the ledger knows, is as good as none. */
export function isNeedless({ ledger }: Run, reading: KeyedReading): boolean {
  return reading.ok ? leftWithPartner(ledger, reading) : isNobodys(ledger.people, reading);
}

/**
 * Returns whether the record matters to nobody: only where the person is ours, who is not; or it lacks its partner, as the
 * records of those do whom we have disabled.
 */
function isNobodys(people: People, { refusal }: Extract<KeyedReading, { readonly ok: false }>): boolean {
  const { ifOurs, lacksPartner, id } = refusal;
  if (ifOurs !== true && lacksPartner !== true) return false;
  const state = id === null ? null : (people.entry(id)?.state ?? null);
  return ifOurs === true ? state === null || state === 'removed' : state === 'disabled';
}

/**
 * Returns whether the record is that of somebody whom we have disabled while another source had a record of them, which is
 * gone: that says no more than before that they are back. They count as missing.
 */
function leftWithPartner(
  { people, seen }: Run['ledger'],
  { record: { id }, lacksPartner }: Extract<KeyedReading, { readonly ok: true }>,
): boolean {
  if (lacksPartner === undefined || people.entry(id)?.state !== 'disabled') return false;
  const { has = {} } = seen.person(id).before ?? {};
  return lacksPartner.some((name) => name in has);
}
