import type { App } from '../../app.ts';
import { count, describeSample, ruleText, table, type Part } from './words.ts';
import type { FieldCount, Group } from './field-counts.ts';
import { tryRun, type Survey, type Tried } from './try-run.ts';
import { NOBODY_EDITED, type Plan } from '../../domain/changes.ts';
import type { Source, SourceEvidence } from '../../domain/reading/source.ts';
import { addressOf, SOURCE_KINDS } from '../../domain/source-kinds.ts';
import type { SourceSettings } from '../../domain/source-settings.ts';
import { plain, type Line } from '../../domain/text/line.ts';
import { printable, printableText } from '../../domain/text/printable.ts';
import { describeLeftOut } from '../../plan/words/describe-left-out.ts';
import { unitLabels } from '../../plan/words/unit-labels.ts';

const MOST_GROUPS = 10;
/** Lines about what a run would leave as it is: `plan` has all of them. */
const MOST_LINES = 200;

/** Reads the source to its end as a run does, and reports what of it a run can use. */
export async function checkSource(app: App, source: Source, signal: AbortSignal): Promise<Part> {
  const tried = await tryRun(app, source, signal);
  const { plan } = tried;
  const evidence = plan?.evidence.source ?? tried.survey.evidence;
  const survey = { ...tried.survey, evidence };
  const findings = [...findingsOf(survey), ...(plan === null ? [] : leftOut(app, source, plan))];
  const broken = brokenBy(tried, source.remedies);
  const { units, people, positions } = survey;
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
  return { verdict, head: `${printable(addressOf(app.settings.source))}: ${size}`, lines };
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

/** Returns why a run could do nothing with this source, or would take this read as incomplete. */
function brokenBy(
  { survey: { units, people, positions }, error }: Tried,
  remedies: Source['remedies'],
): readonly string[] {
  return [
    ...(error === null ? [] : [`! ${printableText(error.message)}`]),
    ...(people.count === 0
      ? [
          `! nobody maps: correct the fields of source.people, or check ${remedies?.lookAt ?? 'source.people'}`,
        ]
      : []),
    ...(units.count === 0 && positions.atRoot === 0
      ? ['! nothing maps: there is no unit, and nobody is at the root: correct source.units']
      : []),
  ];
}

interface Finding {
  readonly stops: boolean;
  readonly lines: readonly string[];
}

/** Returns what a run tells of the source, whatever it decides. */
function findingsOf({ evidence, strangers, outOfScope, protectedPeople }: Survey): readonly Finding[] {
  return [
    { stops: false, lines: sentences(evidence.warnings ?? []).lines },
    single('named in source.positions and not among the people: their rows are not used', strangers),
    grouped('out of scope', outOfScope),
    single('protected by sync.protect.where', protectedPeople),
  ];
}

/** Returns what the run would leave as it is, in the words of its plan. */
function leftOut(app: App, source: Source, plan: Plan): readonly Finding[] {
  const { settings } = app;
  const alone = { ...plan, pinned: [], edited: NOBODY_EDITED, kept: [], waiting: [] };
  const { leavers } = settings.sync;
  const words = { labels: unitLabels(plan.unitNames), leavers, paint: plain, all: false };
  const all = [...describeLeftOut(alone, words)].map((line) => textOf(line)).filter((line) => line !== '');
  const more = all.length - MOST_LINES;
  const lines = more <= 0 ? all : [...all.slice(0, MOST_LINES), `… and ${more} more lines: rollcall plan`];
  const reasons = plan.blocked.filter(({ subject }) => subject === 'unit').map(({ reason }) => reason);
  const parent = source.rules.unit['parent'] ?? null;
  const remedy = parentRemedy(reasons, { settings: settings.source, parent });
  const unexplained = plan.held.filter(({ guard }) => guard === 'unexplained').map(({ about }) => about);
  return [
    sentences(unexplained),
    { stops: lines.length > 0, lines: [...lines, ...remedy.map((line) => `    ${printableText(line)}`)] },
    ...(plan.heldChanges === 0
      ? []
      : [
          { stops: false, lines: [`! a run would hold ${count(plan.heldChanges, 'change')}: rollcall plan`] },
        ]),
  ];
}

const textOf = (line: Line): string => (typeof line === 'string' ? line : line.head + line.text);

function sentences(all: readonly string[]): Finding {
  return { stops: all.length > 0, lines: all.map((sentence) => `! ${printableText(sentence)}`) };
}

function single(title: string, group: Group): Finding {
  if (group.count === 0) return { stops: false, lines: [] };
  return { stops: false, lines: [`! ${group.count.toLocaleString('en')} ${title}: ${firstOf(group)}`] };
}

function grouped(title: string, groups: readonly Group[]): Finding {
  if (groups.length === 0) return { stops: false, lines: [] };
  const total = groups.reduce((sum, each) => sum + each.count, 0);
  const shown = groups.slice(0, MOST_GROUPS);
  const rest = groups.length - shown.length;
  const more = rest === 0 ? [] : [`    … and ${rest} more reasons`];
  const lines = shown.map(
    (group) => `    ${group.count.toLocaleString('en')} × ${printableText(group.reason)}: ${firstOf(group)}`,
  );
  return { stops: false, lines: [`! ${total.toLocaleString('en')} ${title}:`, ...lines, ...more] };
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

interface RemedyInput {
  readonly settings: Pick<SourceSettings, 'type'>;
  /** Rule for the parent of a unit as it is written, or `null`. */
  readonly parent: string | null;
}

const UNKNOWN = /^its parent "(?<value>.*)" is no unit of the source$/su;
const NAME = /^[A-Za-z_]\w*$/u;

/**
 * Characters of a value that cannot be copied into an expression: quotes, and signs that it was escaped or
 * cut.
 */
const NOT_AS_IT_IS = /['\\…]/u;

/** Returns what to do about units that are left for these reasons, whose parent was not read: the parent may be no unit at all. */
function parentRemedy(reasons: readonly string[], { settings, parent }: RemedyInput): readonly string[] {
  const value = reasons.map((reason) => UNKNOWN.exec(reason)?.groups?.['value']).find(isThere);
  if (value === undefined) return [];
  const widen = settings.type === 'combined' ? 'widen source.units' : SOURCE_KINDS[settings.type].widen;
  const rest = `where it is a unit, ${widen}, so that it is read; where it is the company itself, name it in sync.root as well`;
  if (parent === null || !NAME.test(parent) || NOT_AS_IT_IS.test(value)) return [rest];
  const top = `parent: { expr: "${parent} == '${value}' ? '' : ${parent}" }`;
  return [`where "${value}" means the top, map it to nothing: ${top}`, rest];
}

const isThere = (value: string | undefined): value is string => value !== undefined;
