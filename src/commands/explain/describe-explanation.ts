import { showValue } from '../../domain/service.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { Explanation, RawSample } from './explanation.ts';
import type { FieldRow } from './field-rows.ts';
import { labelled, table, wrapped, type Cells } from './layout.ts';
import type { PositionRow } from './position-rows.ts';
import { standingOf, whoOf } from './standing.ts';
import { outcomeText, releaseCommand, timeOf } from './words.ts';

/** As a person reads it on the phone: who and where they stand, then a section for each question. */
export function describeExplanation(it: Explanation, leavers: SyncSettings['leavers']): readonly string[] {
  return [
    ...wrapped('', `${whoOf(it)}: ${standingOf(it, leavers)}`, 2).map((line) => line.trimEnd()),
    ...wrapped('', asOf(it), 2),
    ...section(fieldLines(it)),
    ...section(positionLines(it)),
    ...section([...ledgerLines(it), ...serviceLines(it), ...plannedLines(it)]),
    ...section(callLines(it)),
    ...section(sourceLines(it)),
  ];
}

function section(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function asOf({ live, lastRun, lastRead }: Explanation): string {
  if (live !== null && live.problems.length === 0) return 'source and service were asked just now';
  if (lastRun === null || lastRun.endedAt === null) return 'no run has ended yet';
  if (lastRun.result !== 'failed' && lastRun.result !== 'stopped')
    return `as of the last run, ${timeOf(lastRun.endedAt)} (${lastRun.kind}, ${lastRun.result ?? 'not ended'})`;
  const before =
    lastRead === null ? 'no run has read everything yet' : `as of the run of ${timeOf(lastRead)}`;
  return `${before}; the last run, ${timeOf(lastRun.endedAt)}, ${lastRun.result}${lastRun.error === null ? '' : `: ${lastRun.error}`}`;
}

/** Of somebody whom the ledger does not have: what the source has, where it was asked. */
function fieldLines({ fields, state }: Explanation): readonly string[] {
  if (fields.length === 0) return [];
  const known = state !== null;
  const value = known ? 'sent' : fields.some(({ source }) => source !== undefined) ? 'in the source' : '';
  const head: Cells = { name: '', value, note: 'from', below: [] };
  const [title = '', ...lines] = table([head, ...fields.map((row) => fieldCells(row, known))]);
  return [`fields${title.slice('fields'.length)}`, ...lines];
}

function fieldCells(row: FieldRow, known: boolean): Cells {
  const { field: name, rule: note, secret } = row;
  if (secret) return { name, note, value: '(not shown)', below: [] };
  if (!known) return { name, note, value: textOf(row.source), below: [] };
  if (row.sent === undefined) return { name, note, value: textOf(row.source), below: [] };
  return { name, note, value: textOf(row.sent), below: [...sourceNote(row), ...serviceNote(row)] };
}

const textOf = (value: FieldRow['sent']): string => (value === undefined ? '' : showValue(value));

function sourceNote({ source, sent }: FieldRow): readonly string[] {
  if (source === undefined || showValue(source) === showValue(sent)) return [];
  return [`in the source now: ${source === null ? '(none)' : showValue(source)}`];
}

function serviceNote({ service, differs }: FieldRow): readonly string[] {
  if (differs === 'no') return [];
  const how = differs === 'edited' ? 'edited there' : 'stored so';
  return [`in the service: ${showValue(service)} (${how})`];
}

function positionLines({ positions, positionRules, subject }: Explanation): readonly string[] {
  if (subject === 'unit') return [];
  const rules = Object.entries(positionRules).map(([field, rule]) => `${field} from ${rule}`);
  const cells = positions.map(positionCells);
  return [
    ...labelled('positions', rules.join(', ')).map((line) => line.trimEnd()),
    ...(cells.length === 0 ? ['  (none)'] : table(cells)),
  ];
}

function positionCells({ unit: name, sent, service }: PositionRow): Cells {
  if (sent === null) return { name, value: '-', note: '', below: [`only in the service: ${service ?? '-'}`] };
  if (service === undefined || service === sent) return { name, value: sent, note: '', below: [] };
  const below = [service === null ? 'not in the service' : `in the service: ${service}`];
  return { name, value: sent, note: '', below };
}

function ledgerLines(it: Explanation): readonly string[] {
  const { subject, state, serviceId, serialNo, misses, missedAt, disabledAt } = it;
  if (state === null) return labelled('ledger', 'not there: rollcall manages no such record');
  const kind = subject === 'person' ? 'employee id' : 'organization id';
  const facts = [
    state,
    ...(serviceId === null ? [] : [`${kind} ${serviceId}`]),
    ...(serialNo === null ? [] : [`serial number ${serialNo}`]),
    ...(misses === 0 ? [] : [`misses ${misses}${missedAt === null ? '' : `, last ${timeOf(missedAt)}`}`]),
    ...(disabledAt === null ? [] : [`disabled by rollcall ${timeOf(disabledAt)}`]),
    ...(state === 'managed' && !it.readBack ? ['not read back since the last write'] : []),
  ];
  return labelled('ledger', facts.join(', '));
}

function serviceLines({
  seen,
  live,
  subject,
  locked,
  fields,
  positions,
  serviceId,
}: Explanation): readonly string[] {
  const when = live === null || live.problems.length > 0 ? 'as last seen' : 'as it is now';
  if (seen === null) return labelled('service', `${when}: not there`);
  const kind = subject === 'person' ? 'employee' : 'organization';
  const same =
    fields.every(({ differs }) => differs === 'no') &&
    positions.every(({ sent, service }) => service === undefined || service === sent);
  const facts = [
    subject === 'unit' ? 'there' : locked ? 'locked' : 'active',
    ...(seen.id === serviceId ? [] : [`${kind} id ${seen.id}`]),
    ...(serviceId === null ? [] : [same ? 'shows what was sent' : 'shows other values, see above']),
  ];
  return labelled('service', `${when}: ${facts.join(', ')}`);
}

function plannedLines(it: Explanation): readonly string[] {
  const { live, blocked, failure, held, heldUnlisted } = it;
  const groups = [...held, ...(live?.held ?? [])];
  const texts = [
    ...(live === null || live.change === null
      ? []
      : [[`${live.change.kind}: ${live.change.why}`, ...live.changes].join('; ')]),
    ...groups.map(
      ({ guard, count, limit, hash }) =>
        `held by sync.guard.${guard} (${countText(count)}, the limit is ${limit}): ${releaseCommand(hash)}`,
    ),
    ...blocked,
    ...(failure === null ? [] : [failureText(failure)]),
    ...heldUnlisted.map(
      ({ guard, count, first }) =>
        `sync.guard.${guard} holds ${countText(count)}, of which ${first.length} are listed; --live tells whether this is one`,
    ),
    ...(live?.problems ?? []).map((problem) => `could not be found out: ${problem}`),
  ];
  if (texts.length > 0) return texts.flatMap((text, index) => labelled(index === 0 ? 'planned' : '', text));
  return labelled('planned', live === null ? 'nothing was left to do; --live asks again' : 'nothing');
}

const countText = (count: number): string => (count === 1 ? '1 record' : `${count} records`);

function failureText({ reason, attempts, firstAt, lastAt }: NonNullable<Explanation['failure']>): string {
  const since = attempts === 1 ? timeOf(lastAt) : `first ${timeOf(firstAt)}, last ${timeOf(lastAt)}`;
  return `failed ${attempts === 1 ? 'once' : `${attempts} times`}, ${since}: ${reason}`;
}

function callLines({ calls }: Explanation): readonly string[] {
  return calls.flatMap(({ at, operation, outcome, run }, index) =>
    labelled(
      index === 0 ? 'past calls' : '',
      `${timeOf(at)}  ${operation.padEnd(16)}  ${outcomeText(outcome).padEnd(8)}  run ${run}`,
    ),
  );
}

function sourceLines({ live }: Explanation): readonly string[] {
  if (live === null) return [];
  const { samples, positions } = live;
  const people = samples.length === 0 ? labelled('source', 'as it is now: no such record') : [];
  return [...people, ...samples.flatMap(sampleLines), ...positions.flatMap(rowLines)];
}

const unusable = ({ refused }: RawSample): string => (refused === null ? '' : `; cannot be used: ${refused}`);

const valueText = (values: readonly string[]): string =>
  values.length === 0 ? '(none)' : values.join(' | ');

function sampleLines(sample: RawSample): readonly string[] {
  const cells = Object.entries(sample.raw).map(([name, values]): Cells => {
    return { name, value: valueText(values), note: '', below: [] };
  });
  return [...labelled('source', `as it is now: ${sample.place}${unusable(sample)}`), ...table(cells)];
}

/** A row of the positions query is short enough for one line. */
function rowLines(row: RawSample): readonly string[] {
  const values = Object.entries(row.raw).map(([name, list]) => `${name} ${valueText(list)}`);
  return wrapped('  ', `${row.place}: ${values.join(', ')}${unusable(row)}`, 4);
}
