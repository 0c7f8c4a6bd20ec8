import type { Person, Reading, Unit } from '../../domain/records/records.ts';
import { showValue } from '../../domain/ports/service.ts';
import { scopeText } from './words.ts';
import { listSome, printable, printableText } from '../../domain/text/printable.ts';

/** Describes a record of the source: what it maps to, or why it does not map. Secrets are left out. */
export function describeSample(
  reading: Reading<Unit> | Reading<Person>,
  hasPositions: boolean,
): readonly string[] {
  const subject = reading.ok ? ('username' in reading.record ? 'person' : 'unit') : reading.refusal.subject;
  const head = reading.ok ? subject : `${subject}  ${printable(reading.refusal.place)}`;
  return [head, ...readingLines(reading, hasPositions).map((line) => `  ${printableText(line)}`)];
}

function readingLines(reading: Reading<Unit> | Reading<Person>, hasPositions: boolean): readonly string[] {
  if (!reading.ok) return [`left as it is: ${reading.refusal.field}: ${reading.refusal.reason}`];
  const { record } = reading;
  if (record.outOfScope !== undefined) return [scopeText(record)];
  const own = 'username' in record ? personLines(record, hasPositions) : unitLines(record);
  const fields = Object.entries(record.fields).map(([name, value]) => `${name}: ${showValue(value)}`);
  return [...own, ...fields];
}

const LISTED = 10;

const listed = (values: readonly string[]): string =>
  listSome(
    values.map((value) => printable(value)),
    { atMost: LISTED, separator: ' | ' },
  );

function unitLines({ id, parent, refs }: Unit): readonly string[] {
  return [`id: ${printable(id)}`, `parent: ${printable(parent ?? '(top)')}`, `refs: ${listed(refs)}`];
}

function personLines(
  { id, username, active, positions, secrets, isProtected }: Person,
  hasPositions: boolean,
): readonly string[] {
  const units = listed(positions.map(({ unit }) => unit ?? '(root)'));
  const none = hasPositions ? '(see source.positions)' : '(none)';
  const hidden = Object.keys(secrets);
  return [
    `id: ${printable(id)}`,
    `username: ${printable(username)}`,
    `active: ${active === null ? 'could not be evaluated' : String(active)}`,
    ...(isProtected === true ? ['protected: by sync.protect.where'] : []),
    `positions: ${units === '' ? none : units}`,
    ...(hidden.length === 0 ? [] : [`secrets: ${hidden.join(', ')} (not shown)`]),
  ];
}
