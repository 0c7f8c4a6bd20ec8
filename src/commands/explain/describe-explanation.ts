import { timeText } from '../../domain/text/time-text.ts';
import { showValue } from '../../domain/ports/service.ts';
import type { Line, Paint } from '../../domain/text/line.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { Explanation, RawSample } from './explanation.ts';
import type { FieldRow } from './field-rows.ts';
import { labelled, table, withCommands, type Cells } from './layout.ts';
import type { PositionRow } from './position-rows.ts';
import { standingOf, whoOf } from './standing.ts';
import { outcomeText, releaseCommand } from './words.ts';
import { listSome } from '../../domain/text/printable.ts';
import { sameValue } from '../../plan/values/compare.ts';

export interface ExplanationWords {
  readonly sync: SyncSettings;
  readonly paint: Paint;
}

/**
 * Describes a record for a person who reads it on the phone: who it is and where it stands, then a section
 * for each question.
 */
export function describeExplanation(it: Explanation, { sync, paint }: ExplanationWords): readonly Line[] {
  const { sentence, tone } = standingOf(it, sync);
  // Only the first words are coloured: a command within the sentence has a colour of its own.
  const [, beginning = '', rest = ''] = /^([^:;(]*)(.*)$/su.exec(sentence) ?? [];
  return [
    `${paint('strong', whoOf(it))}: ${paint(tone, beginning)}${withCommands(rest, paint)}`,
    asOf(it),
    ...section(fieldLines(it, paint)),
    ...section(positionLines(it, paint)),
    ...section([...ledgerLines(it, paint), ...serviceLines(it, paint), ...plannedLines(it, paint)]),
    ...section(callLines(it, paint)),
    ...section(sourceLines(it, paint)),
  ];
}

function section(lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function asOf({ live, lastRun, lastRead }: Explanation): string {
  if (live !== null && live.problems.length === 0) return 'source and service were asked just now';
  if (lastRun === null || lastRun.endedAt === null) return 'no run has ended yet';
  if (lastRun.result !== 'failed' && lastRun.result !== 'stopped')
    return `as of the last run, ${timeText(lastRun.endedAt)} (${lastRun.kind}, ${lastRun.result ?? 'not ended'})`;
  const before =
    lastRead === null ? 'no run has read everything yet' : `as of the run of ${timeText(lastRead)}`;
  return `${before}; the last run, ${timeText(lastRun.endedAt)}, ${lastRun.result}${lastRun.error === null ? '' : `: ${lastRun.error}`}`;
}

/**
 * Lists the fields. For a record that the ledger does not have, lists what the source has, where it was
 * asked.
 */
function fieldLines({ fields, state, inSource }: Explanation, paint: Paint): readonly Line[] {
  if (fields.length === 0) return [];
  const known = state !== null;
  const value = known ? 'sent' : fields.some(({ source }) => source !== undefined) ? 'in the source' : '';
  const head: Cells = { name: 'fields', value, note: 'from', below: [], isTitle: true };
  return table([head, ...fields.map((row) => fieldCells(row, { known, inSource, paint }))], paint);
}

interface FieldWords {
  readonly known: boolean;
  readonly inSource: string | null;
  readonly paint: Paint;
}

function fieldCells(row: FieldRow, { known, inSource, paint }: FieldWords): Cells {
  const { field: name, rule: note, secret } = row;
  if (secret) return { name, note, value: '(not shown)', below: [] };
  if (!known) return { name, note, value: textOf(row.source), below: waitNote(row) };
  const isOther = name === 'username' && inSource !== null && row.source === undefined;
  const other = isOther ? [`in the source: ${inSource}`] : sourceNote(row);
  const below = [...other, ...serviceNote(row), ...waitNote(row)].map((text) => paint('care', text));
  return { name, note, value: textOf(row.sent), below };
}

const textOf = (value: FieldRow['sent']): string => (value === undefined ? '' : showValue(value));

const waitNote = ({ waits }: FieldRow): readonly string[] => (waits === undefined ? [] : [`waits: ${waits}`]);

function sourceNote({ source, sent }: FieldRow): readonly string[] {
  if (source === undefined || sameValue(source, sent)) return [];
  return [`in the source now: ${source === null ? '(none)' : showValue(source)}`];
}

function serviceNote({ service, differs }: FieldRow): readonly string[] {
  if (differs === 'no') return [];
  const how = differs === 'edited' ? 'edited there' : 'stored so';
  return [`in the service: ${showValue(service)} (${how})`];
}

function positionLines({ positions, positionRules, subject }: Explanation, paint: Paint): readonly Line[] {
  if (subject === 'unit') return [];
  const rules = Object.entries(positionRules).map(([field, rule]) => `${field} from ${rule}`);
  const cells = positions.map((row) => positionCells(row, paint));
  return [
    labelled('positions', paint('quiet', rules.join(', ')), paint),
    ...(cells.length === 0 ? ['  (none)'] : table(cells, paint)),
  ];
}

function positionCells({ unit: name, sent, service, source }: PositionRow, paint: Paint): Cells {
  const below = [
    ...(source === undefined ? [] : [`in the source: ${source.value}: ${source.problem}`]),
    ...(sent === null && service !== undefined ? [`only in the service: ${service ?? '-'}`] : []),
    ...(sent === null || service === undefined || service === sent
      ? []
      : [service === null ? 'not in the service' : `in the service: ${service}`]),
  ];
  return { name, value: sent ?? '-', note: '', below: below.map((text) => paint('care', text)) };
}

function ledgerLines(it: Explanation, paint: Paint): readonly Line[] {
  const { subject, state, serviceId, serialNo, misses, missedAt, disabledAt } = it;
  if (it.leftBy !== null) return [labelled('ledger', `the old node of unit ${it.leftBy}`, paint)];
  if (state === null) return [labelled('ledger', 'not there: rollcall manages no such record', paint)];
  const kind = subject === 'person' ? 'employee id' : 'organization id';
  const facts = [
    state,
    ...(serviceId === null ? [] : [`${kind} ${serviceId}`]),
    ...(serialNo === null ? [] : [`serial number ${serialNo}`]),
    ...(misses === 0 ? [] : [`misses ${misses}${missedAt === null ? '' : `, last ${timeText(missedAt)}`}`]),
    ...(disabledAt === null ? [] : [`disabled by rollcall ${timeText(disabledAt)}`]),
    ...(state === 'managed' && !it.readBack ? ['not read back since the last write'] : []),
  ];
  return [labelled('ledger', facts.join(', '), paint)];
}

function serviceLines(it: Explanation, paint: Paint): readonly Line[] {
  const { seen, live, subject, locked, fields, positions, serviceId } = it;
  const when = live === null || live.problems.length > 0 ? 'as last seen' : 'as it is now';
  if (seen === null) return [labelled('service', `${when}: not there`, paint)];
  const kind = subject === 'person' ? 'employee' : 'organization';
  const same =
    fields.every(({ differs }) => differs === 'no') &&
    positions.every(({ sent, service }) => service === undefined || service === sent);
  const facts = [
    subject === 'unit' ? 'there' : locked ? 'locked' : 'active',
    ...(seen.id === serviceId ? [] : [`${kind} id ${seen.id}`]),
    ...(serviceId === null ? [] : [same ? 'shows what was sent' : 'shows other values, see above']),
  ];
  return [labelled('service', `${when}: ${facts.join(', ')}`, paint)];
}

function plannedLines(it: Explanation, paint: Paint): readonly Line[] {
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
    ...blocked.map(({ reason }) => reason),
    ...(failure === null ? [] : [failureText(failure)]),
    ...heldUnlisted.map(
      ({ guard, count, first }) =>
        `sync.guard.${guard} holds ${countText(count)}, of which ${first.length} are listed; --live tells whether this is one`,
    ),
    ...(live?.problems ?? []).map((problem) => `could not be found out: ${problem}`),
  ];
  if (texts.length > 0)
    return texts.map((text, index) => labelled(index === 0 ? 'planned' : '', text, paint));
  return [
    labelled('planned', live === null ? 'nothing was left to do; --live asks again' : 'nothing', paint),
  ];
}

const countText = (count: number): string => (count === 1 ? '1 record' : `${count} records`);

function failureText({ reason, attempts, firstAt, lastAt }: NonNullable<Explanation['failure']>): string {
  const since = attempts === 1 ? timeText(lastAt) : `first ${timeText(firstAt)}, last ${timeText(lastAt)}`;
  return `failed ${attempts === 1 ? 'once' : `${attempts} times`}, ${since}: ${reason}`;
}

function callLines({ calls }: Explanation, paint: Paint): readonly Line[] {
  return calls.map(({ at, operation, outcome, run }, index) =>
    labelled(
      index === 0 ? 'past calls' : '',
      `${timeText(at)}  ${operation.padEnd(16)}  ${outcomeText(outcome).padEnd(8)}  run ${run}`,
      paint,
    ),
  );
}

function sourceLines({ live }: Explanation, paint: Paint): readonly Line[] {
  if (live === null) return [];
  const { samples, positions } = live;
  const none = samples.length === 0 ? [labelled('source', 'as it is now: no such record', paint)] : [];
  return [...none, ...samples.flatMap((sample) => sampleLines(sample, paint)), ...positions.map(rowLine)];
}

const unusable = ({ refused, outOfScope }: RawSample): string =>
  refused === null ? (outOfScope === null ? '' : `; ${outOfScope}`) : `; cannot be used: ${refused}`;

/** Number of values of one attribute that are shown. */
const VALUES = 10;

const valueText = (values: readonly string[]): string =>
  values.length === 0 ? '(none)' : listSome(values, { atMost: VALUES, separator: ' | ' });

function sampleLines(sample: RawSample, paint: Paint): readonly Line[] {
  const cells = Object.entries(sample.raw).map(([name, values]): Cells => {
    return { name, value: valueText(values), note: '', below: [] };
  });
  const title = `as it is now: ${sample.place}${unusable(sample)}`;
  return [labelled('source', title, paint), ...table(cells, paint)];
}

/** Describes a row of the positions query, which is short enough for one line. */
function rowLine(row: RawSample): Line {
  const values = Object.entries(row.raw).map(([name, list]) => `${name} ${valueText(list)}`);
  return `  ${row.place}: ${values.join(', ')}${unusable(row)}`;
}
