import type { Person, Reading, Unit } from '../domain/records.ts';
import { showValue } from '../domain/service.ts';
import type { Sample } from '../domain/source.ts';

/** A sample record: where it stands, and what it maps to or why it does not. Secrets are left out. */
export function describeSample({ subject, place, reading }: Sample): readonly string[] {
  const head = `${subject}  ${place}`;
  return [head, ...readingLines(reading).map((line) => `  ${line}`)];
}

function readingLines(reading: Reading<Unit> | Reading<Person>): readonly string[] {
  if (!reading.ok) return [`left as it is: ${reading.refusal.field}: ${reading.refusal.reason}`];
  const { record } = reading;
  const own = 'username' in record ? personLines(record) : unitLines(record);
  const fields = Object.entries(record.fields).map(([name, value]) => `${name}: ${showValue(value)}`);
  return [...own, ...fields];
}

function unitLines({ id, parent, refs }: Unit): readonly string[] {
  return [`id: ${id}`, `parent: ${parent ?? '(top)'}`, `refs: ${refs.join(' | ')}`];
}

function personLines({ id, username, active, positions, secrets }: Person): readonly string[] {
  const units = positions.map(({ unit }) => unit ?? '(root)').join(' | ');
  const hidden = Object.keys(secrets);
  return [
    `id: ${id}`,
    `username: ${username}`,
    `active: ${active === null ? 'could not be evaluated' : String(active)}`,
    `positions: ${units === '' ? '(none)' : units}`,
    ...(hidden.length === 0 ? [] : [`secrets: ${hidden.join(', ')} (not shown)`]),
  ];
}
