import type { Settings } from '../../domain/settings.ts';
import { describeShortfalls, shortfalls, sizeOf, type ReadSize } from '../../domain/ports/read-size.ts';
import { addressOf } from '../../domain/source-kinds.ts';
import {
  addedUp,
  decidedBefore,
  describeDoubted,
  describeHidden,
  vanishedIn,
  type DecidedFact,
} from '../../domain/reading/deciding.ts';
import { emptiedTables } from '../../domain/reading/emptied-tables.ts';
import { followedBefore, type FollowedFact } from '../../domain/reading/followed-groups.ts';
import { describeUnknown, type Source, type SourceEvidence } from '../../domain/reading/source.ts';
import { describeSample } from './describe-sample.ts';
import type { FieldCount } from './field-counts.ts';
import type { Group } from './groups.ts';
import type { Part } from './part.ts';
import { parentRemedy, type RemedyInput } from './parent-remedy.ts';
import type { PropertyValues } from './property-values.ts';
import type { Survey } from './survey-result.ts';
import { surveySource } from './survey.ts';
import { count, ruleText, table } from './words.ts';
import { printable, printableText } from '../../domain/text/printable.ts';

const SAMPLES = 3;
const MOST_GROUPS = 10;

/** What the ledger knows of the last complete read; `null`: nothing. */
export interface ReadBefore {
  readonly readSize: ReadSize | null;
  readonly decided: DecidedFact | null;
  readonly followed: FollowedFact | null;
  readonly tables: Readonly<Record<string, number>> | null;
}

export interface Look {
  readonly source: Source;
  readonly values: PropertyValues;
  readonly before: ReadBefore;
}

/** Reads the source once to its end and reports what of it can be used. */
export async function checkSource(
  { source: settings, sync }: Settings,
  { source, values, before }: Look,
  signal: AbortSignal,
): Promise<Part> {
  const followed = followedBefore(before.followed, source.identity);
  const asked = { root: sync.root, samples: SAMPLES, values, followed, signal };
  const survey = await surveySource(source, asked);
  const findings = [
    ...findingsOf(survey, { sync, settings, parent: source.rules.unit['parent'] ?? null }),
    sentences([...values.waits, ...values.list()]),
    sentences(vanishedFrom(survey, source, before)),
  ];
  const broken = [...brokenBy(survey, sync.root), ...shortBy(survey, source, before)];
  const { evidence, units, people, positions } = survey;
  const size = [
    count(units.count, 'unit'),
    count(people.count, 'person', 'people'),
    count(positions.count, 'position'),
  ].join(', ');
  const lines = [
    `read to its end: ${endOf(evidence)}`,
    ...(evidence.notes ?? []).map((note) => printableText(note)),
    ...incrementLines(survey.increments),
    ...broken,
    ...findings.flatMap(({ lines: each }) => each),
    ...fieldLines(survey),
    ...survey.samples.flatMap((reading) => ['', ...describeSample(reading, source.hasPositions)]),
  ];
  const stops = findings.some((finding) => finding.stops) || (survey.increments?.lacking ?? 0) > 0;
  const verdict = broken.length > 0 ? 'fail' : stops ? 'look' : 'ok';
  return { verdict, head: `${printable(addressOf(settings))}: ${size}`, lines };
}

/** Returns whether only what changed is read between full reads, and what speaks against it. */
function incrementLines(tried: Survey['increments']): readonly string[] {
  if (tried === null) return [];
  const { how, problems, lacking } = tried;
  const reasons = problems.map((problem) => `    ${printableText(problem)}`);
  if (how === null)
    return ['! all of the source is read each time, though source.changes is auto:', ...reasons];
  const missed = lackingLines(lacking);
  if (problems.length === 0)
    return [...missed, ...(lacking > 0 ? [] : [`only what changed is read (${how}), between full reads`])];
  return [
    ...missed,
    `! only what changed is to be read (${how}), and full reads will be needed again and again:`,
    ...reasons,
  ];
}

/** Says that increments would put out people whom a full read has. */
function lackingLines(lacking: number): readonly string[] {
  if (lacking === 0) return [];
  return [
    `! the list of keys of source.people.changes lacks ${lacking} of the people: they would leave with the next incremental ` +
      'read; let its ids select everybody whom source.people.query has',
  ];
}

function endOf({ parts, snapshot, referrals }: SourceEvidence): string {
  const ends = parts.map(({ part, records, pages }) => {
    return `${part} ${records.toLocaleString('en')}${pages > 1 ? ` in ${pages} pages` : ''}`;
  });
  const state = snapshot === 'none' ? [] : [snapshot];
  const left = referrals.length === 0 ? [] : [`${count(referrals.length, 'referral')} ignored`];
  return [...ends, ...state, ...left].join(', ');
}

/** Returns why a run could do nothing with this source. */
function brokenBy({ units, people, positions, rootFound }: Survey, root: string | null): readonly string[] {
  const noPlace = units.count === 0 && positions.placed === 0;
  return [
    ...(rootFound
      ? []
      : [`! the unit ${printable(root ?? '')} (sync.root) is not among the units: a run would send nothing`]),
    ...(people.count === 0
      ? ['! nobody maps: correct source.people, its base, filter, query, file or fields']
      : []),
    ...(noPlace ? ['! nothing maps: there is no unit, and nobody is at the root: correct source.units'] : []),
  ];
}

/** Returns why a run would take this read as incomplete. */
function shortBy(
  { evidence: { parts }, positions, strayRows }: Survey,
  { identity, hasPositions, tables = {} }: Source,
  { readSize, tables: tablesBefore }: ReadBefore,
): readonly string[] {
  const short = shortfalls(readSize, sizeOf(identity, parts), parts);
  const emptied = emptiedTables(tablesBefore ?? {}, tables);
  const sentencesOf = [
    ...(short.length === 0 ? [] : [describeShortfalls(short)]),
    ...(emptied === null ? [] : [emptied]),
    ...(hasPositions && positions.count + strayRows.count === 0
      ? ['source.positions brought no row: a run that manages somebody would take the read as incomplete']
      : []),
  ];
  return sentencesOf.map((sentence) => `! ${printableText(sentence)}`);
}

/** Returns what decides about people and nobody has any more. */
function vanishedFrom(
  { evidence: { deciding = [] } }: Survey,
  { identity }: Source,
  { decided }: ReadBefore,
): readonly string[] {
  const { hidden, doubted } = vanishedIn(decidedBefore(decided, identity), addedUp(deciding), 0);
  return [
    ...hidden.map((one) => describeHidden({ ...one, suggestion: null })),
    ...doubted.map((one) => describeDoubted(one)),
  ];
}

interface Finding {
  readonly stops: boolean;
  readonly lines: readonly string[];
}

function findingsOf(survey: Survey, config: Config): readonly Finding[] {
  const { orphans } = config.sync;
  const { evidence, refused, lost, badUnits, shared, unitRefs, withoutUnit, strayRows, people } = survey;
  const unknown = evidence.unknown.map((attribute) => describeUnknown(attribute));
  const goTo = orphans === 'root' ? 'they go to the root (sync.orphans)' : 'new ones are not created';
  const stops = orphans === 'block';
  return [
    writing(survey.mayChange),
    { stops: false, lines: sentences(evidence.warnings ?? []).lines },
    listed('attributes that the directory does not know; their fields stay as they are', unknown),
    grouped('left as they are', refused, true),
    grouped('fields that cannot be read: they stay as they are, the rest goes on', lost, true),
    withRemedy(
      grouped('units that cannot be placed, with what hangs below them', badUnits, true),
      parentRemedy(badUnits, config),
    ),
    grouped('records that share an id or a username with others: left as they are', shared, true),
    grouped(`positions in units that are not there (${goTo})`, unitRefs, stops),
    single(`active, without any unit (${goTo})`, withoutUnit, stops),
    single('rows of positions whose person is not among the people: not used', strayRows, false),
    grouped('out of scope', survey.outOfScope, false),
    single('protected by sync.protect.where', survey.protectedPeople, false),
    people.unknown === 0
      ? { stops: false, lines: [] }
      : {
          stops: true,
          lines: [`! \`active\` cannot be told of ${count(people.unknown, 'person', 'people')}`],
        },
  ];
}

interface Config extends RemedyInput {
  readonly sync: Settings['sync'];
}

/**
 * Returns a warning that the account may write. Rollcall never writes there: nobody needs this right, and
 * whoever gets the password has it too.
 */
function writing(mayChange: string | null): Finding {
  if (mayChange === null) return { stops: false, lines: [] };
  const line = `! the user of source.url ${printableText(mayChange)}: grant it SELECT alone`;
  return { stops: false, lines: [line] };
}

function withRemedy({ stops, lines }: Finding, remedy: readonly string[]): Finding {
  return { stops, lines: [...lines, ...remedy.map((line) => `    ${printableText(line)}`)] };
}

function listed(title: string, items: readonly string[]): Finding {
  if (items.length === 0) return { stops: false, lines: [] };
  return { stops: true, lines: [`! ${title}:`, ...items.map((item) => `    ${printableText(item)}`)] };
}

function sentences(all: readonly string[]): Finding {
  return { stops: all.length > 0, lines: all.map((sentence) => `! ${printableText(sentence)}`) };
}

function single(title: string, group: Group, stops: boolean): Finding {
  if (group.count === 0) return { stops: false, lines: [] };
  return { stops, lines: [`! ${group.count.toLocaleString('en')} ${title}: ${firstOf(group)}`] };
}

function grouped(title: string, groups: readonly Group[], stops: boolean): Finding {
  if (groups.length === 0) return { stops: false, lines: [] };
  const total = groups.reduce((sum, each) => sum + each.count, 0);
  const shown = groups.slice(0, MOST_GROUPS);
  const rest = groups.length - shown.length;
  const more = rest === 0 ? [] : [`    … and ${rest} more reasons`];
  const lines = shown.map(
    (group) => `    ${group.count.toLocaleString('en')} × ${printableText(group.reason)}: ${firstOf(group)}`,
  );
  return { stops, lines: [`! ${total.toLocaleString('en')} ${title}:`, ...lines, ...more] };
}

function firstOf({ count: all, first }: Group): string {
  const more = all > first.length ? [`… and ${(all - first.length).toLocaleString('en')} more`] : [];
  return [...first.map((name) => printableText(name)), ...more].join(', ');
}

function fieldLines({ units, people, positions }: Survey): readonly string[] {
  const rows = [
    ...rowsOf('unit', units.fields, units.count),
    ...rowsOf('person', people.fields, people.count),
    ...rowsOf('position', positions.fields, positions.count),
  ];
  const left =
    people.left === 0
      ? []
      : [`${people.left.toLocaleString('en')} of the people have left (\`active\` is false)`];
  return ['', 'records that have each mapped field:', ...table(rows), ...left];
}

function rowsOf(
  subject: string,
  fields: readonly FieldCount[],
  of: number,
): readonly (readonly [string, string, string])[] {
  return fields.map(({ field, rule, count: n }) => {
    return [
      `  ${subject} ${field}`,
      `${n.toLocaleString('en')} of ${of.toLocaleString('en')}`,
      ruleText(rule),
    ];
  });
}
