import type { Person, Reading, Refusal } from '../../domain/records/records.ts';
import { FieldProblem, refuse } from '../mapping/rules/field-problem.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';

/** Returns a refusal of the record under everything that it is known by: its person is left as it is. */
export function refusedPerson(
  reading: Reading<Person>,
  problem: FieldProblem,
  raw: RawRecord,
): Reading<Person> {
  if (!reading.ok)
    return { ok: false, refusal: { ...reading.refusal, field: problem.field, reason: problem.reason } };
  const { id, username, active, outOfScope } = reading.record;
  if (outOfScope !== undefined) return reading;
  return refuse(problem, { subject: 'person', id, label: username, active, raw });
}

/** Returns the reading, or a refusal where the raw record cannot be used. Only a person's has a problem. */
export function judged<T>(reading: Reading<T>, raw: RawRecord): Reading<T> {
  if (raw.problem === undefined) return reading;
  const { field, reason } = raw.problem;
  return refusedPerson(reading as Reading<Person>, new FieldProblem(field, reason), raw) as Reading<T>;
}

/** Returns the reading with marks on its refusal; as it is where there is none. */
export const marked = <T>(reading: Reading<T>, marks: Partial<Refusal>): Reading<T> =>
  reading.ok ? reading : { ...reading, refusal: { ...reading.refusal, ...marks } };

/** Notes of a group that its record shows no member, whether it can be used or not. */
export const showingNobody = <T>(reading: Reading<T>): Reading<T> =>
  reading.ok ? { ...reading, showsNobody: true } : marked(reading, { showsNobody: true });
