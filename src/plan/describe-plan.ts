import type { Change, PersonChange, Plan, UnitChange } from '../domain/changes.ts';
import { showValue } from '../domain/service.ts';
import type { Staging } from '../domain/ledger.ts';
import { heldLines } from './describe-held.ts';
import { drawTree, type DrawnUnit } from './draw-tree.ts';
import { personLine, unitNote } from './describe-change.ts';
import type { UnitTree } from './tree.ts';

export interface PlanDescription {
  readonly plan: Plan;
  readonly tree: UnitTree;
  readonly staging: Pick<Staging, 'allChanges'>;
  /** Every changed person instead of the first of each kind. */
  readonly all: boolean;
}

const FIRST_PEOPLE = 8;
const FIRST_BLOCKED = 10;

export const SIGNS = {
  create: '+',
  adopt: '=',
  update: '~',
  move: '>',
  enable: '+',
  disable: '-',
  remove: '-',
} as const satisfies Record<Change['kind'], string>;

/** What the changes come to, gathered in one pass: units all, people counted, with the first of each kind. */
class Summary {
  readonly units: UnitChange[] = [];
  readonly people = new Map<PersonChange['kind'], PersonChange[]>();
  /** Signs of people by unit: `+` → how many. */
  readonly peopleOf = new Map<string | null, Map<string, number>>();
  readonly #limit: number;

  constructor(changes: Iterable<Change>, limit: number) {
    this.#limit = limit;
    for (const change of changes) {
      if (change.subject === 'unit') this.units.push(change);
      else this.#person(change);
    }
  }

  #person(change: PersonChange): void {
    const listed = this.people.get(change.kind) ?? [];
    if (listed.length < this.#limit) listed.push(change);
    this.people.set(change.kind, listed);
    const { positions } = change.payload;
    const unit = (positions.find(({ fields }) => fields['primary'] === true) ?? positions[0])?.unit ?? null;
    const signs = this.peopleOf.get(unit) ?? new Map<string, number>();
    const sign = SIGNS[change.kind];
    signs.set(sign, (signs.get(sign) ?? 0) + 1);
    this.peopleOf.set(unit, signs);
  }
}

/** A plan as a person reads it: counts, the units as a tree, who is concerned, what to do next. */
export function* describePlan({ plan, tree, staging, all }: PlanDescription): Iterable<string> {
  const summary = new Summary(staging.allChanges(), all ? Number.POSITIVE_INFINITY : FIRST_PEOPLE);
  const total = totalOf(plan);
  if (total === 0) {
    yield `Nothing to do: the service is in step with the source (plan ${plan.hash}).`;
  } else {
    yield headline(plan, total);
    yield* countLines(plan);
    yield* drawTree(drawnUnits(tree, summary), 'service root' + peopleNote(summary.peopleOf.get(null)));
    yield* peopleLines(plan, tree, summary);
  }
  yield* blockedLines(plan);
  yield* nextLines(plan, total);
}

function totalOf({ counts }: Plan): number {
  return [...Object.values(counts.units), ...Object.values(counts.people)].reduce((sum, n) => sum + n, 0);
}

function headline({ hash, full, calls, estimatedSeconds }: Plan, total: number): string {
  const read = full ? 'full read of the service' : 'changes of the service since the last run';
  return `Plan ${hash}: ${total} ${total === 1 ? 'change' : 'changes'}, about ${calls} calls, ${duration(estimatedSeconds)} (${read})`;
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function* countLines({ counts }: Plan): Iterable<string> {
  for (const [label, kinds] of [
    ['units ', counts.units],
    ['people', counts.people],
  ] as const) {
    const parts = Object.entries(kinds)
      .filter(([, n]) => n > 0)
      .map(([kind, n]) => `${signOf(kind)} ${n} ${kind}`);
    if (parts.length > 0) yield `  ${label}  ${parts.join('   ')}`;
  }
  yield '';
}

function signOf(kind: string): string {
  const signs: Readonly<Record<string, string>> = SIGNS;
  return signs[kind] ?? '';
}

function peopleNote(signs: ReadonlyMap<string, number> | undefined): string {
  if (signs === undefined) return '';
  const parts = [...signs].map(([sign, n]) => `${sign}${n}`);
  return `   ${parts.join(' ')} ${parts.length === 1 && parts[0]?.slice(1) === '1' ? 'person' : 'people'}`;
}

/** Names of units by source id, those that go too. */
function unitNames(tree: UnitTree, { units }: Summary): ReadonlyMap<string, string> {
  const gone = units.map(({ id, name }) => [id, name] as const);
  const present = [...tree.nodes].map(
    ([id, { unit }]) => [id, showValue(unit.fields['name'] ?? id)] as const,
  );
  return new Map([...gone, ...present]);
}

function drawnUnits(tree: UnitTree, summary: Summary): readonly DrawnUnit[] {
  const changes = new Map(summary.units.map((change) => [change.id, change]));
  const names = unitNames(tree, summary);
  const removed = summary.units.filter(({ kind }) => kind === 'remove');
  const present = [...tree.nodes.values()].map(({ unit, parent }) => ({
    id: unit.id,
    parent,
    name: unit.fields['name'],
  }));
  const gone = removed.map(({ id, name, payload }) => ({ id, parent: payload.parent, name }));
  return [...present, ...gone].map(({ id, parent, name }) => {
    const change = changes.get(id);
    const people = summary.peopleOf.get(id);
    return {
      id,
      parent,
      sign: change === undefined ? ' ' : SIGNS[change.kind],
      text: `${typeof name === 'string' ? name : id}${change === undefined ? '' : unitNote(change, names)}${peopleNote(people)}`,
      changed: change !== undefined || people !== undefined,
    };
  });
}

function* peopleLines({ counts }: Plan, tree: UnitTree, summary: Summary): Iterable<string> {
  const { people } = summary;
  const names = unitNames(tree, summary);
  for (const [kind, total] of Object.entries(counts.people)) {
    const listed = people.get(kind as PersonChange['kind']) ?? [];
    if (listed.length === 0) continue;
    yield '';
    for (const change of listed) yield `  ${SIGNS[change.kind]} ${personLine(change, names)}`;
    if (total > listed.length) yield `    … and ${total - listed.length} more to ${kind} (--all lists them)`;
  }
}

function* blockedLines({ blocked }: Plan): Iterable<string> {
  if (blocked.length === 0) return;
  yield '';
  yield `Left as they are (${blocked.length}):`;
  for (const { subject, id, label, reason } of blocked.slice(0, FIRST_BLOCKED)) {
    yield `  ! ${subject} ${label === id ? id : `${label} (${id})`}: ${reason}`;
  }
  if (blocked.length > FIRST_BLOCKED)
    yield `    … and ${blocked.length - FIRST_BLOCKED} more (--json lists them)`;
}

function* nextLines({ held }: Plan, total: number): Iterable<string> {
  if (total === 0) return;
  for (const one of held) {
    const [numbers, records] = heldLines(one);
    yield '';
    yield `HELD ${numbers}`;
    yield records;
    yield `  If that is right, release them with: rollcall sync --approve ${one.hash}`;
  }
  const heldCount = held.reduce((sum, { count }) => sum + count, 0);
  if (heldCount >= total) return;
  yield '';
  yield held.length > 0 ? 'Apply the rest with: rollcall sync' : 'Apply it with: rollcall sync';
}
