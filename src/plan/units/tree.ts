import type { Fields } from '../../domain/records/fields.ts';
import { ofUnit, type Reason } from '../../domain/reasons/reason.ts';
import type { Doubt, Refusal, Unit } from '../../domain/records/records.ts';
import { foldName, NearIds } from '../../domain/text/fold.ts';

/** A unit, placed in the tree. */
export interface UnitNode {
  readonly unit: Unit;
  /** Source id of the parent; `null` at the top, below the service's root. */
  readonly parent: string | null;
  /** 1 for the top level. */
  readonly level: number;
}

export interface UnitTree {
  /** Units that can be used, parents before their children, otherwise by id. */
  readonly nodes: ReadonlyMap<string, UnitNode>;
  /** Units that cannot be placed, and those below them: source id → why. They are left as they are (promise 5). */
  readonly problems: ReadonlyMap<string, Reason>;
  /** Names of all units that were read, by source id, including units that cannot be placed. */
  readonly names: ReadonlyMap<string, string>;
  /** Returns what a ref names: a unit, the service's root, or why it names neither. */
  resolve(ref: string): ResolvedRef;
  /** Returns the source ids of the units that a ref may mean which leads to none; `null`: any. */
  mayMean(ref: string): ReadonlySet<string> | null;
  /** Everything that names a unit of the read, or a record that cannot be used. */
  readonly refs: Iterable<string>;
  /** Returns what to add about a ref that names nothing, with a unit that has nearly the same; empty: none. */
  near(ref: string): string;
  /** Returns whether the read had a unit with this id at all, usable or not. The root does not count. */
  has(id: string): boolean;
  /** Returns whether `source.units.where` leaves out the record of this id. */
  isOutside(id: string): boolean;
  /** Why no value of its own record explains that a unit of ours is left out, or another one not any more, by source id. */
  readonly doubts: ReadonlyMap<string, Doubt>;
  /** Source ids of units that are groups and show no member: they have none, or these are hidden. */
  readonly emptied: ReadonlySet<string>;
  /** Returns whether a record that cannot be used may be a unit's: it has nearly its id, or its name and no id. */
  mayBe(id: string, name: string): boolean;
  /** As given: see `TreeInput`. */
  readonly unknown: number;
  /** Whether the unit that stands for the service's root was found; `true` if none is configured. */
  readonly rootFound: boolean;
}

export type ResolvedRef =
  | { readonly is: 'unit'; readonly id: string }
  | { readonly is: 'root' }
  | { readonly is: 'ambiguous' }
  /** The ref names a record that cannot be used. */
  | { readonly is: 'refused' }
  /** The ref names a unit that `source.units.where` leaves out. */
  | { readonly is: 'outside' }
  | { readonly is: 'unknown' };

interface TreeInput {
  readonly units: readonly Unit[];
  readonly refusals: readonly Refusal[];
  /** Ids and references of units that `source.units.where` leaves out. */
  readonly outside?: readonly string[];
  /** As in a `UnitTree`; none without. */
  readonly emptied?: ReadonlySet<string>;
  /** As in a `UnitTree`; none without. */
  readonly doubts?: ReadonlyMap<string, Doubt>;
  /** Entries of a directory of which no id can be read, and that are in no place that is known; 0 without. */
  readonly unknown?: number;
  /** `sync.root`: the unit that is the service's root. */
  readonly root: string | null;
}

type Refs = ReadonlyMap<string, string | null>;

/** Returns the source id of each ref; `null` if several units claim it. */
function indexRefs(units: readonly Unit[]): Refs {
  const index = new Map<string, string | null>();
  for (const { id, refs } of units) {
    for (const ref of refs) index.set(ref, index.has(ref) && index.get(ref) !== id ? null : id);
  }
  return index;
}

/** References of records that are no units of the tree. */
interface OtherRefs {
  readonly refused: ReadonlySet<string>;
  readonly outside: ReadonlySet<string>;
}

function resolverOf(refs: Refs, others: OtherRefs, root: string | null): (ref: string) => ResolvedRef {
  return (ref) => {
    const id = refs.get(ref);
    if (id === undefined && others.refused.has(ref)) return { is: 'refused' };
    if (id === undefined) return { is: others.outside.has(ref) ? 'outside' : 'unknown' };
    if (id === null) return { is: 'ambiguous' };
    return id === root ? { is: 'root' } : { is: 'unit', id };
  };
}

/** What is wrong with the parent of a unit. */
const NO_PARENT = {
  ambiguous: 'parentAmbiguous',
  refused: 'parentRefused',
  outside: 'parentOutside',
  unknown: 'parentUnknown',
} as const;

/**
 * Returns the source id of the parent, `null` for the top, or what is wrong with it. A unit that names itself stands at
 * the top.
 */
function parentOf(unit: Unit, resolve: (ref: string) => ResolvedRef, near: NearIds): string | null | Reason {
  if (unit.parent === null) return null;
  const parent = resolve(unit.parent);
  if (parent.is === 'root') return null;
  if (parent.is === 'unit') return parent.id === unit.id ? null : parent.id;
  return {
    code: NO_PARENT[parent.is],
    values: { parent: unit.parent, ...(parent.is === 'unknown' && { near: near.wordsFor(unit.parent) }) },
  };
}

/** Returns the units without those that came before, the same in everything, as rows of a flat list do. */
function withoutEqual(units: readonly Unit[]): readonly Unit[] {
  const seen = new Set<string>();
  return units.filter((unit) => {
    const text = JSON.stringify(unit);
    return !seen.has(text) && seen.add(text);
  });
}

function duplicates(units: readonly Unit[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of units) (seen.has(id) ? twice : seen).add(id);
  return twice;
}

/** How many units of a circle its message names, and what stands for the others. */
const LONGEST_CIRCLE = 10;
const OMITTED = '…';

/** Builds the tree in one walk: each unit is placed after its parent, or given the reason why it cannot be. */
class TreeBuilder {
  readonly nodes = new Map<string, UnitNode>();
  readonly problems = new Map<string, Reason>();
  readonly #units: ReadonlyMap<string, Unit>;
  readonly #resolve: (ref: string) => ResolvedRef;
  readonly #near: NearIds;

  constructor(units: ReadonlyMap<string, Unit>, resolve: (ref: string) => ResolvedRef, near: NearIds) {
    this.#near = near;
    this.#units = units;
    this.#resolve = resolve;
  }

  /** Follows the parents up to one that is placed, then places the chain from the top down. */
  place(start: Unit): void {
    const chain: Unit[] = [];
    const onChain = new Set<string>();
    let unit: Unit | undefined = start;
    while (unit !== undefined && !this.#settled(unit.id)) {
      if (onChain.has(unit.id)) return this.#cycle(chain, unit.id);
      onChain.add(unit.id);
      chain.push(unit);
      const parent = parentOf(unit, this.#resolve, this.#near);
      unit = typeof parent === 'string' ? this.#units.get(parent) : undefined;
    }
    for (const next of chain.toReversed()) this.#add(next);
  }

  #settled(id: string): boolean {
    return this.nodes.has(id) || this.problems.has(id);
  }

  #cycle(chain: readonly Unit[], from: string): void {
    const start = chain.findIndex(({ id }) => id === from);
    const names = chain.slice(start).map(({ id }) => id);
    const shown = names.length > LONGEST_CIRCLE ? [...names.slice(0, LONGEST_CIRCLE), OMITTED] : names;
    const refs = [...shown, from].map((id) => ({ subject: 'unit', id }) as const);
    const inCircle = new Set(names);
    for (const { id } of chain)
      this.problems.set(id, { code: inCircle.has(id) ? 'ownAncestor' : 'belowCircle', refs });
  }

  #add(unit: Unit): void {
    const parent = parentOf(unit, this.#resolve, this.#near);
    if (parent !== null && typeof parent === 'object') {
      this.problems.set(unit.id, parent);
      return;
    }
    const above = parent === null ? null : this.nodes.get(parent);
    if (above === undefined) {
      this.problems.set(unit.id, ofUnit('belowUnplaced', parent));
      return;
    }
    this.nodes.set(unit.id, { unit, parent, level: above === null ? 1 : above.level + 1 });
  }
}

export function buildTree(input: TreeInput): UnitTree {
  const {
    units: read,
    refusals,
    outside = [],
    doubts = new Map(),
    emptied = new Set(),
    unknown = 0,
    root,
  } = input;
  const units = withoutEqual(read);
  const refused = refusals.filter(({ subject }) => subject === 'unit');
  const refusedRefs = refused.flatMap(({ id, unitRefs = [] }) =>
    id === null ? unitRefs : [id, ...unitRefs],
  );
  const refs = indexRefs(units);
  const others = { refused: new Set(refusedRefs), outside: new Set(outside) };
  const resolve = resolverOf(refs, others, root);
  const ordered = units.filter(({ id }) => id !== root).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const near = new NearIds(refs.keys());
  const builder = new TreeBuilder(new Map(ordered.map((unit) => [unit.id, unit])), resolve, near);
  for (const id of duplicates(ordered)) builder.problems.set(id, { code: 'sharedId' });
  for (const unit of ordered) builder.place(unit);
  const ids = new Set([...units, ...refused].map(({ id }) => id));
  const nameless = new Set(
    refused.flatMap(({ id, label }) => (id === null && label ? [foldName(label)] : [])),
  );
  const unusable = new NearIds([...builder.problems.keys(), ...refused.flatMap(({ id }) => id ?? [])]);
  return {
    nodes: byLevel(builder.nodes),
    problems: builder.problems,
    names: new Map(units.map((unit) => [unit.id, unitName(unit) || unit.id])),
    resolve,
    mayMean: meaningOf(units, refused, near),
    refs: [...refs.keys(), ...refusedRefs],
    near: (ref) => near.wordsFor(ref),
    has: (id) => id !== root && ids.has(id),
    isOutside: (id) => others.outside.has(id),
    doubts,
    emptied,
    mayBe: (id, name) => unusable.of(id) !== undefined || nameless.has(foldName(name)),
    unknown,
    rootFound: root === null || units.some(({ id }) => id === root),
  };
}

/** Of a ref: units that claim it or one that is nearly the same, and those whose records cannot be used. */
function meaningOf(units: readonly Unit[], refused: readonly Refusal[], near: NearIds): UnitTree['mayMean'] {
  let ids: Map<string, Set<string | null>> | null = null;
  return (ref) => {
    ids ??= idsByRef([
      ...units,
      ...refused.map(({ id, unitRefs = [] }) => ({ id, refs: id === null ? unitRefs : [id, ...unitRefs] })),
    ]);
    const meant = new Set([...(ids.get(ref) ?? []), ...(ids.get(near.of(ref) ?? ref) ?? [])]);
    return meant.has(null) ? null : (meant as Set<string>);
  };
}

interface Named {
  readonly id: string | null;
  readonly refs: readonly string[];
}

function idsByRef(records: readonly Named[]): Map<string, Set<string | null>> {
  const ids = new Map<string, Set<string | null>>();
  for (const { id, refs } of records)
    for (const ref of refs) ids.set(ref, (ids.get(ref) ?? new Set()).add(id));
  return ids;
}

function byLevel(nodes: ReadonlyMap<string, UnitNode>): ReadonlyMap<string, UnitNode> {
  return new Map([...nodes].toSorted(([a, x], [b, y]) => x.level - y.level || (a < b ? -1 : 1)));
}

/** Returns the name of a unit; mapping makes sure that there is one. */
export function unitName({ fields }: { readonly fields: Fields }): string {
  return typeof fields['name'] === 'string' ? fields['name'] : '';
}

/** Returns the mapped serial number, else `otherwise`, which is the source id at creation (contract, Fields). */
export function serialOf({ fields }: { readonly fields: Fields }, otherwise: string): string {
  const mapped = fields['serial_no'];
  return typeof mapped === 'string' ? mapped : otherwise;
}
