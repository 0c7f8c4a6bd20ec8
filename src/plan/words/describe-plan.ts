import { counted } from '../../domain/text/counted.ts';
import type { Change, PersonChange, Plan, UnitChange } from '../../domain/changes.ts';
import type { PlanBook, SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import { plain, type Line, type Paint } from '../../domain/text/line.ts';
import { printable } from '../../domain/text/printable.ts';
import { wordsOf } from '../changes/kinds.ts';
import type { UnitTree } from '../units/tree.ts';
import { personLine, unitNote, type FieldWords } from './describe-change.ts';
import { blockLines } from './block.ts';
import { causeLines, heldLines, heldNote } from './describe-held.ts';
import { describeLeftOut } from './describe-left-out.ts';
import { drawTree, type DrawnUnit } from './draw-tree.ts';
import { countRecords, restParts } from './left-out.ts';
import { unitLabels } from './unit-labels.ts';

export interface PlanDescription {
  readonly plan: Plan;
  readonly tree: UnitTree;
  readonly book: Pick<PlanBook, 'sequencedChanges'>;
  /** Lists every record, not just the first of each kind and reason. */
  readonly all: boolean;
  readonly leavers: SyncSettings['leavers'];
  readonly paint: Paint;
  /** What applies the plan, and what releases a hash; without it, `rollcall sync`. */
  readonly commands?: PlanCommands;
}

interface PlanCommands {
  /** `null`: how it is applied is said elsewhere. */
  readonly apply: string | null;
  readonly release: (hash: string) => string;
}

/** Returns what applies a plan that rests on all of the service, or on what changed there. */
export function syncCommands(full: boolean): PlanCommands {
  const apply = full ? 'rollcall sync --full' : 'rollcall sync';
  return { apply, release: (hash) => `${apply} --approve ${hash}` };
}

/** A planned change, and what holds it. */
export type PlannedChange = Omit<SequencedChange, 'seq' | 'goesOn'>;
export type PlacesOfUnits = Pick<UnitTree, 'nodes'>;

const FIRST_PEOPLE = 8;
/** As many as a guard names in its first records. */
const FIRST_REKEYS = 10;

/** A change as it is listed, with what holds it, as words behind it. */
type ListedUnit = UnitChange & { readonly note: string };
type ListedPerson = PersonChange & { readonly note: string };

const byUsername = (a: PersonChange, b: PersonChange): number => (a.username < b.username ? -1 : 1);

/** A summary of the changes, gathered in one pass: all units, and people counted, with the first of each kind. */
class Summary {
  readonly units: ListedUnit[] = [];
  readonly people = new Map<PersonChange['kind'], ListedPerson[]>();
  /** How many changes of people there are of each kind, by unit. */
  readonly peopleOf = new Map<string | null, Map<PersonChange['kind'], number>>();
  /** The first who come with a username that is known under another id, or with the id of a leaver. */
  readonly rekeys: PersonChange[] = [];
  readonly #limit: number;

  constructor(changes: Iterable<PlannedChange>, limit: number) {
    this.#limit = limit;
    for (const one of changes) {
      const { change } = one;
      const note = heldNote(one);
      if (change.subject === 'unit') this.units.push({ ...change, note });
      else this.#person({ ...change, note });
    }
  }

  #person(change: ListedPerson): void {
    const isAskedFor = change.guard === 'usernameReuse' && change.kind !== 'create';
    if (isAskedFor && this.rekeys.length < FIRST_REKEYS) this.rekeys.push(change);
    const listed = this.people.get(change.kind) ?? [];
    listed.push(change);
    const isMore = listed.length > this.#limit;
    this.people.set(change.kind, isMore ? listed.toSorted(byUsername).slice(0, this.#limit) : listed);
    this.#countInUnit(change);
  }

  #countInUnit(change: PersonChange): void {
    const { positions } = change.payload;
    const unit = (positions.find(({ fields }) => fields['primary'] === true) ?? positions[0])?.unit ?? null;
    const kinds = this.peopleOf.get(unit) ?? new Map<PersonChange['kind'], number>();
    kinds.set(change.kind, (kinds.get(change.kind) ?? 0) + 1);
    this.peopleOf.set(unit, kinds);
  }
}

/**
 * Yields a plan as a person reads it: first what is left out, then counts, the units as a tree, the people,
 * and what is held. The totals and the next steps are repeated at the end, where the reader is when the text
 * has passed.
 */
export function* describePlan(description: PlanDescription): Iterable<Line> {
  const { plan, tree, book, all, leavers, paint, commands = syncCommands(false) } = description;
  const summary = new Summary(book.sequencedChanges(), all ? Number.POSITIVE_INFINITY : FIRST_PEOPLE);
  const total = totalOf(plan);
  const labels = unitLabels(plan.unitNames);
  const words = { names: labels, paint, zone: plan.timezone };
  yield* blockLines(describeLeftOut(plan, { labels, leavers, paint, all }), paint);
  if (total > 0) {
    yield headline(plan, total, paint);
    yield* countLines(plan, paint);
    yield* treeLines(tree, summary, words);
    yield* peopleLines(plan, summary, words);
  }
  yield* vanishedLines(summary, words);
  yield* heldBlocks(plan, summary, { ...words, commands });
  if (total > 0 || plan.held.length > 0) yield '';
  yield* endLines(plan, total, { paint, commands });
}

/** Yields the units that change, or have people who change, as a tree. */
export function* unitTree(
  tree: PlacesOfUnits,
  changes: Iterable<PlannedChange>,
  words: FieldWords,
): Iterable<string> {
  yield* treeLines(tree, new Summary(changes, 0), { ...words, paint: plain });
}

const treeLines = (tree: PlacesOfUnits, summary: Summary, words: PlanWords): Iterable<string> =>
  drawTree(drawnUnits(tree, summary, words), drawnRoot(summary, words.paint));

/** Returns how many changes there are of all kinds. */
export function totalOf({ counts }: Pick<Plan, 'counts'>): number {
  return [...Object.values(counts.units), ...Object.values(counts.people)].reduce((sum, n) => sum + n, 0);
}

function headline(plan: Plan, total: number, paint: Paint): string {
  const { hash, calls, estimatedSeconds } = plan;
  const title = paint('strong', `Plan ${hash}: ${counted(total, 'change')}`);
  return `${title}, about ${counted(calls, 'call')}, ${duration(estimatedSeconds)} (${basisOf(plan)})`;
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function* countLines(plan: Plan, paint: Paint): Iterable<string> {
  for (const [label, parts] of countParts(plan, paint))
    if (parts.length > 0) yield `  ${label.padEnd(6)}  ${parts.join('   ')}`;
  yield '';
}

/** Returns counts as `+ 3 create`, for units and for people. */
function countParts({ counts }: Plan, paint: Paint): readonly (readonly [string, readonly string[]])[] {
  const both = [['units', counts.units] as const, ['people', counts.people] as const];
  return both.map(([label, kinds]) => {
    const parts = Object.entries(kinds).filter(([, n]) => n > 0) as [Change['kind'], number][];
    return [label, parts.map(([kind, n]) => `${signOf(kind, paint)} ${n} ${kind}`)] as const;
  });
}

function signOf(kind: Change['kind'], paint: Paint): string {
  const { tone, sign } = wordsOf(kind);
  return paint(tone, sign);
}

function drawnRoot({ peopleOf }: Summary, paint: Paint): Pick<DrawnUnit, 'text' | 'changed'> {
  const people = peopleOf.get(null);
  return { text: `service root${peopleNote(people, paint)}`, changed: people !== undefined };
}

function peopleNote(kinds: ReadonlyMap<PersonChange['kind'], number> | undefined, paint: Paint): string {
  if (kinds === undefined) return '';
  const signs = new Map<string, number>();
  for (const [kind, n] of kinds) {
    const sign = signOf(kind, paint);
    signs.set(sign, (signs.get(sign) ?? 0) + n);
  }
  const people = [...signs.values()].reduce((sum, n) => sum + n, 0);
  const parts = [...signs].map(([sign, n]) => `${sign}${n}`);
  return `   ${parts.join(' ')} ${people === 1 ? 'person' : 'people'}`;
}

interface PlanWords extends FieldWords {
  readonly paint: Paint;
}

function drawnUnits(tree: PlacesOfUnits, summary: Summary, words: PlanWords): readonly DrawnUnit[] {
  const { paint } = words;
  const changes = groupBy(summary.units, ({ id }) => id);
  const removed = summary.units.filter(({ kind }) => kind === 'remove');
  const present = [...tree.nodes.values()].map(({ unit, parent }) => ({
    id: unit.id,
    parent,
    name: unit.fields['name'],
  }));
  const gone = removed.map(({ id, name, payload }) => ({ id, parent: payload.parent, name }));
  return [...present, ...gone].map(({ id, parent, name }) => {
    const own = changes.get(id) ?? [];
    const kind = own.at(-1)?.kind;
    const notes = own.map((change) => unitNote(change, words) + change.note);
    const people = summary.peopleOf.get(id);
    return {
      id,
      parent,
      sign: kind === undefined ? ' ' : signOf(kind, paint),
      text: [
        words.names.get(id) ?? printable(typeof name === 'string' ? name : id),
        ...notes,
        peopleNote(people, paint),
      ].join(''),
      changed: own.length > 0 || people !== undefined,
    };
  });
}

function* peopleLines({ counts }: Plan, { people }: Summary, words: PlanWords): Iterable<string> {
  for (const [kind, total] of Object.entries(counts.people)) {
    const listed = (people.get(kind as PersonChange['kind']) ?? []).toSorted(byUsername);
    if (listed.length === 0) continue;
    yield '';
    for (const change of listed) yield `${listedPerson(change, words)}${change.note}`;
    if (total > listed.length) yield `    … and ${total - listed.length} more to ${kind} (--all lists them)`;
  }
}

/** Yields people who are not wanted in the service and whose accounts are gone: only the ledger changes. */
function* vanishedLines({ people }: Summary, words: PlanWords): Iterable<string> {
  const listed = (people.get('forget') ?? []).toSorted(byUsername);
  if (listed.length > 0) yield '';
  for (const change of listed) yield listedPerson(change, words);
}

function listedPerson(change: PersonChange, words: PlanWords): string {
  return `  ${signOf(change.kind, words.paint)} ${personLine(change, words)}`;
}

type Commanding = PlanWords & { readonly commands: PlanCommands };

function* heldBlocks(
  { held }: Plan,
  { rekeys }: Summary,
  { commands, ...words }: Commanding,
): Iterable<string> {
  const { paint } = words;
  for (const one of held) {
    const [numbers, records] = heldLines(one);
    yield '';
    yield `${paint('alarm', 'HELD')} ${numbers}`;
    yield records;
    yield* causeLines(one);
    if (one.guard === 'usernameReuse') for (const change of rekeys) yield listedPerson(change, words);
    yield `  If that is right, release them with: ${paint('strong', commands.release(one.hash))}`;
  }
}

/** Yields the totals, and what to do next. */
function* endLines(
  plan: Plan,
  total: number,
  { paint, commands: { apply } }: Omit<Commanding, keyof FieldWords>,
): Iterable<string> {
  const { blocked, occupied, waiting, edited, kept, heldChanges: held, flowing } = plan;
  const missing = waiting.reduce((sum, { count }) => sum + count, 0);
  const others = [
    ...(plan.held.length === 0 ? [] : [paint('alarm', `${held} held`)]),
    ...(blocked.length === 0 ? [] : [paint('care', `${countRecords(blocked)} skipped or waiting`)]),
    ...(occupied.length === 0 ? [] : [paint('care', `${countRecords(occupied)} waiting`)]),
    ...restParts({ missing, edited, kept: kept.length }, paint),
  ];
  if (total === 0 && apply === null) return;
  if (total === 0) {
    yield others.length === 0
      ? `Nothing to do: the service is ${paint('fine', 'in step')} with the source.`
      : `Nothing to send; ${others.join('; ')}.`;
    return;
  }
  const counts = countParts(plan, paint).flatMap(([label, parts]) =>
    parts.length === 0 ? [] : [`${label} ${parts.join(' ')}`],
  );
  yield `In all: ${[...counts, ...others].join('; ')}`;
  if (flowing === 0 || apply === null) return;
  const sync = paint('strong', apply);
  yield held > 0 ? `Apply the rest with: ${sync}` : `Apply it with: ${sync}`;
}

/** Returns what a plan rests on, in a few words. */
export function basisOf({ full }: Plan): string {
  return full ? 'full read of the service' : 'changes of the service since the last run';
}
