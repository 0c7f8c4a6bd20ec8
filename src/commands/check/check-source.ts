import type { App } from '../../app/app.ts';
import { addressOf, unreadIn } from '../../app/survey.ts';
import { counted } from '../../domain/text/counted.ts';
import type { CheckedPart } from './words.ts';
import type { Shown } from './examples.ts';
import { tryRun, type Survey, type Tried } from './try-run.ts';
import { NO_EDITS, type PersonChange, type Plan } from '../../domain/changes.ts';
import type { Source, SourceEvidence } from '../../domain/reading/source.ts';
import { plain, type Line } from '../../domain/text/line.ts';
import { printable, printableText } from '../../domain/text/printable.ts';
import { isEmpty } from '../../domain/records/fields.ts';
import { personName, personOf } from '../../domain/records/named-person.ts';
import type { Person } from '../../domain/records/records.ts';
import { changeLabel } from '../../plan/changes/guards.ts';
import { personLine, showField } from '../../plan/words/describe-change.ts';
import { blockLines } from '../../plan/words/block.ts';
import { describeLeftOut } from '../../plan/words/describe-left-out.ts';
import { unitLabels } from '../../plan/words/unit-labels.ts';

/** Lines about what a run would leave as it is: `plan` has all of them. */
const MOST_LINES = 200;

/** Reads the source to its end as a run does, and reports what of it a run can use. */
export async function checkSource(app: App, source: Source, signal: AbortSignal): Promise<CheckedPart> {
  const tried = await tryRun(app, source, signal);
  const { plan } = tried;
  const evidence = plan?.evidence.source ?? tried.survey.evidence;
  const survey = { ...tried.survey, evidence };
  const findings = [
    { stops: false, lines: sentences(evidence.warnings ?? []).lines },
    sentences(evidence.empty ?? []),
    ...(plan === null ? [] : planFindings(app, plan)),
    sentences(unreadEnds(await unreadIn(app, signal))),
    sentences(noPeople(survey, source.remedies)),
  ];
  const broken = brokenBy(tried, source.remedies);
  const { units, people, positions } = survey;
  const size = [
    counted(units, 'unit'),
    counted(people, 'person', 'people'),
    counted(positions, 'position'),
  ].join(', ');
  const lines = [
    `records read, to the end: ${endOf(evidence)}`,
    ...(evidence.notes ?? []).map((note) => printableText(note)),
    ...broken,
    ...findings.flatMap(({ lines: each }) => each),
    ...countLines(survey),
    ...(plan === null ? [] : shownLines(tried.shown, plan)),
  ];
  const stops = findings.some((finding) => finding.stops);
  const verdict = broken.length > 0 ? 'fail' : stops ? 'look' : 'ok';
  return { verdict, head: `${printable(addressOf(app.settings.source))}: ${size}`, lines };
}

/** Returns a sentence for each known end or lock that records have and that no rule reads. */
const unreadEnds = (unread: Awaited<ReturnType<typeof unreadIn>>): readonly string[] =>
  unread.flatMap(([place, columns]) =>
    columns.map((name) => {
      const field = `${place}.fields.${place === 'source.people' ? 'active' : 'unit'}`;
      return `${place} has ${printable(name)}, which says what has ended or is locked, and no rule reads it: use it in ${field}`;
    }),
  );

/** Returns new people of different kinds, and those whose accounts may be no people's. */
function shownLines({ examples, services: { count, first } }: Shown, plan: Plan): readonly string[] {
  const names = first.map((change) => changeLabel(change));
  const more = count > names.length ? ` and ${(count - names.length).toLocaleString('en')} more` : '';
  return [
    ...[...examples].map(
      ([kind, change]) => `for example${kind && `, ${kind}`}: ${sampleText(change, plan)}`,
    ),
    ...(count === 0
      ? []
      : [
          `${counted(count, 'account')} without mail and title, named like a service: ${names.join(', ')}${more}`,
          '  leave out what is no person: by the filter, the query, or source.people.where',
        ]),
  ];
}

/** Returns a new person with the mapped fields. */
function sampleText(change: PersonChange, { unitNames, timezone: zone }: Plan): string {
  const fields = Object.entries(change.payload.fields).flatMap(([field, value]) =>
    isEmpty(value) || field === 'name' ? [] : [`${field} ${showField(field, value, zone)}`],
  );
  return [personLine(change, { names: unitLabels(unitNames), zone }), ...fields].join(', ');
}

function endOf({ parts, snapshot }: SourceEvidence): string {
  const ends = parts.map(({ part, records, pages }) => {
    return `${part} ${records.toLocaleString('en')}${pages > 1 ? ` in ${pages} pages` : ''}`;
  });
  const state = snapshot === 'none' ? [] : [snapshot];
  return [...ends, ...state].join(', ');
}

/** Returns why a run could do nothing with this source, or would take this read as incomplete. */
function brokenBy({ survey, plan, error }: Tried, remedies: Source['remedies']): readonly string[] {
  const stopped = (plan?.blocked ?? []).filter((one) => one.subject === 'person' && one.goesOn !== true);
  const unusable = stopped.length - survey.refused;
  return [
    ...(error === null ? [] : [`! ${printableText(error.message)}`]),
    ...(unusable > 0 && unusable >= survey.people - survey.inactive
      ? ['! no person can be used: correct what the lines below name']
      : []),
    ...unmappedParts(survey, remedies),
  ];
}

const hasRecords = ({ evidence: { parts } }: Survey, of: 'units' | 'people'): boolean =>
  parts.some(({ part, records }) => part === of && records > 0);

/** Returns what cannot be mapped at all, though there are records. */
function unmappedParts(survey: Survey, remedies: Source['remedies']): readonly string[] {
  const { units, people, atRoot, outOfScope } = survey;
  return [
    ...(people === 0 && outOfScope.size === 0 && hasRecords(survey, 'people')
      ? [
          `! no person could be mapped: correct the fields of source.people, or check ${remedies?.lookAt ?? 'source.people'}`,
        ]
      : []),
    ...(units === 0 && atRoot === 0 && (people > 0 || hasRecords(survey, 'units'))
      ? ['! no unit could be mapped, and no person is at the root: correct source.units']
      : []),
  ];
}

/** Returns a sentence about people if the source has none. */
function noPeople(survey: Survey, remedies: Source['remedies']): readonly string[] {
  if (hasRecords(survey, 'people')) return [];
  return [
    `source.people has no record: a run would send units alone; if that is wrong, check ${remedies?.lookAt ?? 'source.people'}`,
  ];
}

interface Finding {
  readonly stops: boolean;
  readonly lines: readonly string[];
}

/** Returns what the run would leave as it is, in the words of its plan. */
function planFindings(app: App, plan: Plan): readonly Finding[] {
  const skips = { ...plan, edited: NO_EDITS, kept: [], waiting: [], occupied: [] };
  const { leavers } = app.settings.sync;
  const more = ' (rollcall plan --all lists them)';
  const style = { labels: unitLabels(plan.unitNames), leavers, paint: plain, all: false, more };
  const all = [...blockLines(describeLeftOut(skips, style), plain)].map(textOf).filter((line) => line !== '');
  const rest = all.length - MOST_LINES;
  const lines = rest <= 0 ? all : [...all.slice(0, MOST_LINES), `… and ${rest} more lines: rollcall plan`];
  const unexplained = plan.held.filter(({ guard }) => guard === 'unexplained').map(({ about }) => about);
  return [
    sentences(unexplained),
    { stops: lines.length > 0, lines },
    { stops: false, lines: missingLines(plan) },
    ...(plan.heldChanges === 0
      ? []
      : [
          {
            stops: true,
            lines: [`! a run would hold ${counted(plan.heldChanges, 'change')}: rollcall plan`],
          },
        ]),
  ];
}

function missingLines({ waiting }: Plan): readonly string[] {
  const missing = waiting.reduce((sum, { count: people }) => sum + people, 0);
  return missing === 0
    ? []
    : [`${counted(missing, 'managed person is', 'managed people are')} missing in this read: rollcall plan`];
}

const textOf = (line: Line): string => (typeof line === 'string' ? line : line.head + line.text);

function sentences(all: readonly string[]): Finding {
  return { stops: all.length > 0, lines: all.map((sentence) => `! ${printableText(sentence)}`) };
}

/** Returns lines about people who are read but not brought into the service, or protected, if there are any. */
function countLines({ inactive, leaver, outOfScope, isProtected, evidence }: Survey): readonly string[] {
  const excluded = (evidence.exclusions ?? []).flatMap(({ place, text, leftOut }) =>
    leftOut === undefined ? [] : [[`${place}: ${text}`, leftOut] as const],
  );
  return [
    ...(leaver === null
      ? []
      : [
          `${inactive.toLocaleString('en')} of the people have left (\`active\` is false), for example ${leaverText(leaver)}`,
        ]),
    ...[...excluded, ...outOfScope].map(
      ([by, records]) => `${counted(records, 'record')} out of scope by ${printableText(by)}`,
    ),
    ...(isProtected === 0
      ? []
      : [`${counted(isProtected, 'person', 'people')} protected by sync.protect.where`]),
  ];
}

const leaverText = ({ id, username, fields }: Person): string =>
  personName(personOf({ id, username, payload: { fields, positions: [] } }));
