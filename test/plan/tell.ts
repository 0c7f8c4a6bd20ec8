import { isDeepStrictEqual } from 'node:util';
import type { Change, FieldChange } from '../../src/domain/changes.ts';
import type { Reason } from '../../src/domain/reasons/reason.ts';
import type { PersonDecision } from '../../src/plan/people/person-decision.ts';
import type { Match } from '../../src/plan/people/match.ts';

const list = (what: string, parts: readonly string[]): string =>
  parts.length === 0 ? '' : ` ${what} ${parts.join(', ')}`;

/** `code(person 8, username bob)`. */
export function tellReason({ code, refs = [], ...reason }: Reason): string {
  const values = Object.entries('values' in reason ? reason.values : {}).map(
    ([name, value]) => `${name} ${String(value)}`,
  );
  const all = [...refs.map(({ subject, id }) => `${subject} ${id}`), ...values];
  return all.length === 0 ? code : `${code}(${all.join(', ')})`;
}

export const tellFields = (fields: readonly FieldChange[]): readonly string[] =>
  fields.map(({ field, from, to }) => `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`);

/** `update(updates) because changed with name "A" → "B"`: all that a person is to see of a change. */
export function tellChange(change: Change): string {
  const { kind, guard, why, fields, cause } = change;
  const claims = change.subject === 'person' ? change.claims : undefined;
  const other = change.subject === 'unit' && change.isOthers === true ? ' of others' : '';
  return (
    `${kind}${guard === null ? '' : `(${guard})`}${other} because ${tellReason(why)}` +
    `${cause === null ? '' : ` following ${cause}`}${claims === undefined ? '' : ` claimed by ${claims}`}` +
    list('with', tellFields(fields))
  );
}

/** A decision about a person; `sent`: what was sent of them last. */
export function tellDecision(decision: PersonDecision, sent?: unknown): string {
  const misses = 'misses' in decision && decision.misses !== undefined ? `, miss ${decision.misses}` : '';
  if (decision.is === 'miss') return `miss ${decision.misses}`;
  if (decision.is === 'blocked') return `blocked: ${tellReason(decision.reason)}${misses}`;
  if (decision.is === 'drift') return `drift${list('with', tellFields(decision.fields))}`;
  if (decision.is === 'close')
    return decision.accepted === null ? 'close' : `close: ${JSON.stringify(decision.accepted)}`;
  if (decision.is !== 'change') return decision.is;
  const { username, employeeId, payload } = decision.change;
  const asSent = isDeepStrictEqual(payload, sent) ? ' as sent' : '';
  return `${username} ${employeeId ?? '-'}${asSent}: ${tellChange(decision.change)}${misses}`;
}

/** Whose record and account it is. */
export function tellMatch(match: Match): string {
  if (match.is === 'facts') {
    const { desired, known, actual } = match.facts;
    return `${desired.is}, ${known.is}, ${actual.is}`;
  }
  if (match.is === 'waits') return `waits: ${tellReason(match.reason)}${match.missing ? ', missing' : ''}`;
  if (match.is === 'nothing') return match.missing ? 'nothing, missing' : 'nothing';
  if (match.is === 'same') return `same as ${match.owner.id}? ${tellReason(match.why)}`;
  return `contested by ${match.other ?? 'nobody known'}: ${tellReason(match.why)}`;
}

/** Worlds by what they are, and what becomes of each: the text of a golden file. */
export const told = (lines: Iterable<readonly [what: string, outcome: string]>): string =>
  Array.from(lines, ([what, outcome]) => `${what}\n    ${outcome}\n`).join('');
