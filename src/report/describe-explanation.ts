import type { RecordState } from '../domain/records/next.ts';
import type { SyncSettings } from '../domain/settings.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { listSome, printable, printableText } from '../domain/text/printable.ts';
import { timeText } from '../domain/text/local-time.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { showField } from '../plan/words/describe-change.ts';
import { dueText, timesText } from '../plan/words/describe-left-out.ts';
import { sameValue } from '../plan/values/compare.ts';
import { personName } from '../domain/records/named-person.ts';
import { rowLines, withCommands, type Row } from './rows.ts';
import {
  ruleText,
  type Explanation,
  type FieldRow,
  type PositionRow,
  type RawSample,
} from './explanation.ts';

type Rules = Pick<SyncSettings, 'leavers' | 'timezone'>;

/** A record in words, safe to show. */
export interface Explained {
  /** Who it is. */
  readonly head: string;
  /** Where it stands. */
  readonly standing: string;
  readonly asOf: string;
  /** A section for each question. */
  readonly sections: readonly (readonly Row[])[];
}

/** Describes a record for a person who reads it on the phone. */
export function explained(raw: Explanation, sync: Rules): Explained {
  const it = allPrintable(raw);
  const facts: readonly Row[] = [
    { name: 'ledger', value: ledgerText(it, sync.timezone) },
    { name: 'service', value: serviceText(it) },
    ...plannedTexts(it).map((value, index) => ({ name: index === 0 ? 'planned' : '', value })),
  ];
  const sections = [
    fieldRows(it, sync.timezone),
    positionRows(it),
    facts,
    callRows(it, sync.timezone),
    sourceRows(it),
  ];
  return {
    head: headOf(it, sync.timezone),
    standing: standingOf(it, sync),
    asOf: asOfText(it, sync.timezone),
    sections: sections.filter(({ length }) => length > 0),
  };
}

/** Lays a record out for a terminal. */
export function describeExplanation(raw: Explanation, sync: Rules, paint: Paint): readonly Line[] {
  const { head, standing, asOf, sections } = explained(raw, sync);
  return [
    `${paint('strong', head)}: ${withCommands(standing, paint)}`,
    asOf,
    ...sections.flatMap((rows) => ['', ...rowLines(rows, paint, 14)]),
  ];
}

const STATE = {
  creating: 'being created',
  managed: 'managed',
  disabled: 'disabled by rollcall',
  removed: 'removed',
} as const satisfies Record<RecordState, string>;

function nameIn({ label, id, subject, fields }: Explanation): string {
  const row = fields.find(({ field }) => field === 'name');
  const name = subject === 'unit' ? null : (row?.sent ?? row?.source);
  return personName({ id: '', label, name: typeof name === 'string' ? name : (id ?? '') });
}

/** Returns who it is: `wang.min (Wang Min), managed, active`. */
export function headOf(it: Explanation, zone = 'UTC'): string {
  const { label, subject, state, seen, leftBy } = it;
  const name = nameIn(it);
  if (leftBy !== null && seen !== null) return `${label} (organization ${seen.id})`;
  if (state === null) return `${name}, ${mayComeIn(it) ? 'not managed yet' : 'not managed'}`;
  if (subject === 'unit' || state !== 'managed')
    return `${name}, ${STATE[state]}${since(state === 'disabled' ? it.disabledAt : null, zone)}`;
  return `${name}, ${STATE[state]}, ${seen?.locked === true ? 'locked' : 'active'}`;
}

const isInactive = ({ fields }: Explanation): boolean =>
  fields.some(({ field, source }) => field === 'active' && source === false);

const mayComeIn = (it: Explanation): boolean => it.id !== null && outsideOf(it) === null && !isInactive(it);

const REST_CONTINUES = 'the rest goes on';

/** Returns what runs, or a plan made now, say of the record; where they say nothing, its state in the ledger. */
export function standingOf(it: Explanation, sync: Rules): string {
  const { failure, notes, live } = it;
  const change = live?.isHeld === false ? live.change : null;
  const sentences = [
    failure === null || notes.some(({ reason }) => reason.startsWith(failure.reason))
      ? null
      : failureText(failure, sync.timezone),
    change === null ? null : `${wordsOf(change.kind).willBe} by the next run: ${change.why}`,
    ...notes.map(({ reason, goesOn }) =>
      goesOn === true && !reason.endsWith(REST_CONTINUES) ? `${reason}; ${REST_CONTINUES}` : reason,
    ),
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? stateOf(it, sync) : sentences.join('; ');
}

function failureText(
  { reason, attempts, lastAt }: NonNullable<Explanation['failure']>,
  zone: string,
): string {
  return `failing: ${reason} (tried ${timesText(attempts)}, last ${timeText(lastAt, zone)})`;
}

const RESERVED = { person: 'the username stays its own', unit: 'the serial number stays its own' } as const;

/** Returns the state of a record of which nothing is written down. */
function stateOf(it: Explanation, { leavers, timezone: zone }: Rules): string {
  const { state, subject, misses, inSource } = it;
  if (state === null) return unmanagedText(it);
  if (state === 'disabled') return whyGone(it);
  if (state === 'removed') return `${whyGone(it)}; ${RESERVED[subject]}`;
  if (misses > 0)
    return `${outsideOf(it) ?? missingText(it)}: ${dueText({ misses, missedAt: it.missedAt ?? 0 }, leavers, zone)}`;
  if (!it.readBack) return 'sent, and not read back yet';
  if (inSource === null) return `in step${since(it.calls[0]?.at ?? null, zone)}`;
  return `in step except for the username, which is ${inSource} in the source and stays ${it.label} here`;
}

/** Returns the sentence that the run wrote down which disabled or removed the record. */
const whyGone = ({ gone }: Explanation): string =>
  gone === null ? 'the history does not go back to the reason' : `${gone.why} (run ${gone.run})`;

const since = (ms: number | null, zone: string): string =>
  ms === null ? '' : ` since ${timeText(ms, zone)}`;

/** Returns by which setting the record is out of scope now, where the source was asked. */
function outsideOf({ live, id }: Explanation): string | null {
  return live?.samples.find((sample) => sample.id === id)?.outOfScope ?? null;
}

function missingText({ live }: Explanation): string {
  if (live === null) return 'missing in the last read (gone or out of scope; --live says which)';
  return live.problems.length === 0 ? 'not in the source' : 'missing in the last read (gone or out of scope)';
}

function unmanagedText(it: Explanation): string {
  const { id, leftBy, live, seen } = it;
  if (leftBy !== null) return `the former node of unit ${leftBy}; removed as soon as it is empty`;
  if (id === null) return 'only in the service: rollcall does not manage it, and changes nothing of it';
  if (live === null) return 'seen by the last run and not brought into the service';
  const outside = outsideOf(it);
  if (outside !== null) return `in the source, but ${outside}`;
  if (live.problems.length > 0) return 'what is to be done could not be found out';
  if (live.samples.length === 0) return 'not in the source any more: nothing is to be done';
  const then = isInactive(it) && seen === null ? 'no account is made' : 'nothing is to be done';
  return `${isInactive(it) ? 'inactive ' : ''}in the source: ${then}`;
}

const isLive = ({ live }: Explanation): boolean => live !== null && live.problems.length === 0;

function asOfText(it: Explanation, zone: string): string {
  const { lastRun, lastRead } = it;
  if (isLive(it)) return 'source and service were asked just now';
  if (lastRun === null || lastRun.endedAt === null) return 'no run has ended yet';
  const { kind, result, report } = lastRun;
  const ended = `the last run, ${timeText(lastRun.endedAt, zone)}`;
  if (result !== 'failed' && result !== 'stopped') return `as of ${ended} (${kind}, ${result})`;
  const before =
    lastRead === null ? 'no run has read everything yet' : `as of the run of ${timeText(lastRead, zone)}`;
  const error = report?.error === undefined ? '' : `: ${report.error}`;
  return `${before}; ${ended}, ${result}${error}`;
}

/** Lists the fields; for a record that the ledger does not have, what the source has, where it was asked. */
function fieldRows({ fields, state, inSource }: Explanation, zone: string): readonly Row[] {
  if (fields.length === 0) return [];
  const isSent = state !== null;
  const isRead = fields.some(({ source }) => source !== undefined);
  const rows = fields.map((row): Row => {
    const { field: name, rule, secret, source } = row;
    const value = isSent ? row.sent : source;
    const sourceValue = name === 'username' ? (source ?? inSource ?? undefined) : source;
    const shown = value === undefined ? '' : showField(name, value, zone);
    const below = isSent ? differences(row, sourceValue, zone) : [];
    return { name: `  ${name}`, value: secret ? '(not shown)' : shown, note: ruleText(rule), below };
  });
  return [{ name: 'fields', value: isSent ? 'sent' : isRead ? 'in the source' : '', note: 'from' }, ...rows];
}

function differences(
  { field, sent, service }: FieldRow,
  source: FieldRow['source'],
  zone: string,
): readonly string[] {
  const differs = (value: FieldRow['sent']): boolean => value !== undefined && !sameValue(value, sent);
  return [
    ...(differs(source) ? [`in the source: ${showField(field, source, zone)}`] : []),
    ...(sent !== undefined && differs(service) ? [`in the service: ${showField(field, service, zone)}`] : []),
  ];
}

function positionRows({ positions, positionRules, subject, state }: Explanation): readonly Row[] {
  if (subject === 'unit') return [];
  const rules = Object.entries(positionRules).map(([field, rule]) => `${field} from ${ruleText(rule)}`);
  const rows = positions.map((row) => ({
    name: `  ${row.unit}`,
    value: row.sent ?? '-',
    below: positionDifference(row),
  }));
  const title = { name: 'positions', value: rules.join(', ') };
  // None were sent of a person who is not managed: the source may have some.
  const isNone = rows.length === 0 && state !== null;
  return [title, ...(isNone ? [{ name: '  (none)', value: '' }] : rows)];
}

function positionDifference({ sent, service }: PositionRow): readonly string[] {
  if (service === undefined || service === sent) return [];
  if (service === null) return ['not in the service'];
  return [`${sent === null ? 'only in the service' : 'in the service'}: ${service}`];
}

function ledgerText(it: Explanation, zone: string): string {
  const { subject, state, serviceId, serialNo, misses, missedAt, disabledAt } = it;
  if (state === null) return 'not there: rollcall manages no such record';
  const kind = subject === 'person' ? 'employee id' : 'organization id';
  const last = missedAt === null ? '' : `, last ${timeText(missedAt, zone)}`;
  const facts = [
    state,
    serviceId === null ? null : `${kind} ${serviceId}`,
    serialNo === null ? null : `serial number ${serialNo}`,
    misses === 0 ? null : `missing ${timesText(misses)}${last}`,
    disabledAt === null ? null : `disabled by rollcall ${timeText(disabledAt, zone)}`,
    state === 'managed' && !it.readBack ? 'not read back since the last write' : null,
  ];
  return facts.filter((fact) => fact !== null).join(', ');
}

function serviceText({ seen, subject, serviceId, id, leftBy }: Explanation): string {
  if (seen === null) return 'not there';
  const kind = subject === 'person' ? 'employee' : 'organization';
  const otherId = seen.id === serviceId ? '' : `, ${kind} id ${seen.id}`;
  const { managedAs } = seen;
  const whose = managedAs === null ? ', not managed' : `, managed as source id ${managedAs}`;
  const state = subject === 'unit' ? 'there' : seen.locked ? 'locked' : 'active';
  return `${state}${otherId}${managedAs === id || leftBy !== null ? '' : whose}`;
}

function plannedTexts({ live }: Explanation): readonly string[] {
  if (live === null) return [];
  const { change, changes, problems } = live;
  const unknown = problems.map((problem) => `could not be found out: ${problem}`);
  if (change === null) return unknown.length === 0 ? ['nothing'] : unknown;
  return [[`${change.kind}: ${change.why}`, ...changes].join('; '), ...unknown];
}

/** What became of a call; of any other outcome: done. */
const OUTCOMES: Readonly<Record<string, string>> = {
  failed: 'refused',
  unconfirmed: 'not shown',
  doubt: 'in doubt',
  reopened: 'in doubt',
  unitGone: 'gone',
  personGone: 'gone',
  vanished: 'gone',
};

function callRows({ calls }: Explanation, zone: string): readonly Row[] {
  return calls.map(({ at, operation, outcome, run }, index) => ({
    name: index === 0 ? 'past calls' : '',
    value: `${timeText(at, zone)}  ${operation.padEnd(16)}  ${(OUTCOMES[outcome] ?? 'done').padEnd(8)}  ${run}`,
  }));
}

/** Number of values of one attribute that are shown. */
const VALUES = 10;

const valueText = (values: readonly string[]): string =>
  values.length === 0 ? '(none)' : listSome(values.map(printable), { atMost: VALUES, separator: ' | ' });

function sourceRows({ live }: Explanation): readonly Row[] {
  if (live === null) return [];
  const samples = live.samples.flatMap(sampleRows);
  const rows = live.positions.map((sample) => {
    const values = Object.entries(sample.raw).map(([name, list]) => `${name} ${valueText(list)}`);
    return { name: '  position', value: `${placeText(sample)}: ${values.join(', ')}` };
  });
  const notFound = live.problems.length === 0 ? [{ name: 'source', value: 'no such record' }] : [];
  return [...(samples.length === 0 ? notFound : samples), ...rows];
}

const sampleRows = (sample: RawSample): readonly Row[] => [
  { name: 'source', value: placeText(sample) },
  ...Object.entries(sample.raw).map(([name, values]) => ({ name: `  ${name}`, value: valueText(values) })),
];

function placeText({ place, refused, outOfScope }: RawSample): string {
  const why = refused === null ? outOfScope : `cannot be used: ${refused}`;
  return why === null ? place : `${place}; ${why}`;
}

/** Makes every text of source and service safe to show in a line, at any depth. */
function allPrintable<T>(value: T): T {
  if (typeof value === 'string') return printableText(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => allPrintable(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [printable(key), allPrintable<unknown>(item)]);
  return Object.fromEntries(entries) as T;
}
