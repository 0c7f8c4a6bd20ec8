import type { Person, Reading, Unit } from '../../domain/records.ts';
import { showValue } from '../../domain/service.ts';
import { clean } from './words.ts';

/** A record of the source: what it maps to, or why it does not. Secrets are left out. */
export function describeSample(
  reading: Reading<Unit> | Reading<Person>,
  hasPositions: boolean,
): readonly string[] {
  const subject = reading.ok ? ('username' in reading.record ? 'person' : 'unit') : reading.refusal.subject;
  const head = reading.ok ? subject : `${subject}  ${reading.refusal.place}`;
  return [head, ...readingLines(reading, hasPositions).map((line) => `  ${clean(line)}`)];
}

function readingLines(reading: Reading<Unit> | Reading<Person>, hasPositions: boolean): readonly string[] {
  if (!reading.ok) return [`left as it is: ${reading.refusal.field}: ${reading.refusal.reason}`];
  const { record } = reading;
  const own = 'username' in record ? personLines(record, hasPositions) : unitLines(record);
  const fields = Object.entries(record.fields).map(([name, value]) => `${name}: ${showValue(value)}`);
  return [...own, ...fields];
}

function unitLines({ id, parent, refs }: Unit): readonly string[] {
  return [`id: ${id}`, `parent: ${parent ?? '(top)'}`, `refs: ${refs.join(' | ')}`];
}

function personLines(
  { id, username, active, positions, secrets }: Person,
  hasPositions: boolean,
): readonly string[] {
  const units = positions.map(({ unit }) => unit ?? '(root)').join(' | ');
  const none = hasPositions ? '(see source.positions)' : '(none)';
  const hidden = Object.keys(secrets);
  return [
    `id: ${id}`,
    `username: ${username}`,
    `active: ${active === null ? 'could not be evaluated' : String(active)}`,
    `positions: ${units === '' ? none : units}`,
    ...(hidden.length === 0 ? [] : [`secrets: ${hidden.join(', ')} (not shown)`]),
  ];
}
