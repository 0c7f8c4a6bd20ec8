import type { SearchEntry } from 'ldapts';
import { SourceError } from '../../../domain/errors.ts';
import { NESTED_DEPTH, type MembersBy } from '../../../domain/source-choices.ts';
import { inAnyCase } from '../../../domain/text/fold.ts';
import { printable } from '../../../domain/text/printable.ts';
import { GroupGraph, type GroupNode } from './group-graph.ts';
import { comparedWith, Groups, valuesOf, type GroupsAsked } from './groups.ts';
import { MemberStore, type MemberRef } from './member-store.ts';
import { canonicalDn } from '../wire/dn.ts';

type Batches = AsyncIterable<readonly SearchEntry[]>;

/** How groups are asked for. Lists of values come whole. All throw a SourceError where an answer is not complete. */
export interface GroupSearches {
  /** Yields the groups that are units and in scope. */
  units(attributes: readonly string[]): Batches;
  /** Yields all groups of the directory, without attributes. */
  all(): Batches;
  people(attributes: readonly string[]): Batches;
  /** @param path place in the configuration that names the entry */
  one(dn: string, path: string, attributes: readonly string[]): Promise<SearchEntry>;
  /** Returns the entry of this DN with its classes; `null`: there is none, or it may not be read. */
  look(dn: string): Promise<SearchEntry | null>;
  /** Returns the classes whose entries have to have this attribute, in lower case, as far as the server tells. */
  classesWith(attribute: string): Promise<ReadonlySet<string>>;
  /** Returns whether a group that is a unit has this attribute. */
  haveAny(attribute: string): Promise<boolean>;
}

/** Classes of groups of the vendors. */
export const GROUP_CLASSES = [
  'groupOfNames',
  'groupOfUniqueNames',
  'groupOfMembers',
  'groupOfEntries',
  'posixGroup',
  'group',
];
const isGroupClass = inAnyCase(GROUP_CLASSES);

/** How the members of groups are named by their attributes. */
const REFS: Readonly<Record<Exclude<MembersBy, 'memberOf'>, MemberRef['kind']>> = {
  member: 'dn',
  uniqueMember: 'dn',
  memberUid: 'uid',
};
type ByGroup = keyof typeof REFS;
const BY_GROUP = Object.keys(REFS) as readonly ByGroup[];

/** By what groups name their members where people name their groups: whoever shows no group may still be in one. */
const WITNESSES = BY_GROUP.filter((by) => REFS[by] === 'dn');

/** Reads the groups and all their members. Throws a SourceError where one of them does not come to its end. */
export async function readGroups(asked: GroupsAsked, searches: GroupSearches): Promise<Groups> {
  const reader = new GroupReader(asked, searches);
  try {
    return await reader.read();
  } catch (error) {
    reader.store.close();
    reader.witnesses.close();
    throw error;
  }
}

class GroupReader {
  readonly store = new MemberStore();
  readonly witnesses = new MemberStore();
  readonly #asked: GroupsAsked;
  readonly #searches: GroupSearches;
  readonly #nodes: GroupNode[] = [];
  readonly #byDn = new Map<string, number>();
  /** Groups that a group itself names as those it is in. */
  readonly #told = new Map<number, readonly string[]>();
  /** Groups of the last read that were not looked for yet. */
  readonly #expected: Set<string>;
  /** Groups that are units and show no member. */
  readonly #silent = new Set<number>();
  #pages = 0;

  constructor(asked: GroupsAsked, searches: GroupSearches) {
    this.#asked = asked;
    this.#searches = searches;
    this.#expected = new Set(asked.expected);
  }

  async read(): Promise<Groups> {
    const { members, memberOf } = this.#asked;
    if (members !== null) await this.#units(members.by);
    if (memberOf.length > 0) await this.#scopes(memberOf);
    this.store.index();
    this.witnesses.index();
    const lost = await this.#lost();
    const isFollowed = memberOf.length > 0 || (members !== null && members.nested !== 'none');
    if (isFollowed && this.store.has('dn')) await this.#outside();
    if (this.store.has('uid')) await this.#claims();
    for (const { dn } of this.#nodes) this.store.see({ kind: 'dn', text: dn });
    const { nested, depth } = members ?? { nested: 'none' as const, depth: NESTED_DEPTH };
    const graph = new GroupGraph(this.#nodes, (group) => this.#holdersOf(group), { nested, depth });
    const { store, witnesses } = this;
    return new Groups({
      asked: this.#asked,
      nodes: this.#nodes,
      byDn: this.#byDn,
      graph,
      store,
      witnesses,
      pages: this.#pages,
      silent: this.#silent,
      lost,
      look: (dn) => this.#searches.look(dn),
    });
  }

  /** Returns units of the last read that are still members, and are not there or may not be read, with who names them. */
  async #lost(): Promise<ReadonlyMap<string, readonly number[]>> {
    const lost = new Map<string, readonly number[]>();
    for (const dn of this.#asked.members === null ? [] : this.#asked.expectedUnits) {
      const holders = this.#byDn.has(canonicalDn(dn) ?? dn) ? [] : this.#holders(dn);
      if (holders.length > 0 && (await this.#searches.look(dn)) === null) lost.set(dn, holders);
    }
    return lost;
  }

  async #units(by: MembersBy): Promise<void> {
    const required = await this.#searches.classesWith(by);
    let [groups, withMembers] = [0, 0];
    for await (const entries of this.#searches.units([
      by,
      ...(by === 'memberOf' ? WITNESSES : []),
      'objectClass',
    ])) {
      this.#pages += 1;
      for (const entry of entries) {
        const group = this.#add(entry.name, { isUnit: true, isScope: false });
        const values = valuesOf(entry, by);
        groups += 1;
        if (values.length > 0) withMembers += 1;
        else this.#noMembers(group, entry, { by, required, path: 'source.units.members' });
        if (by === 'memberOf') {
          this.#told.set(group, values);
          this.witnesses.add(group, namedIn(entry, WITNESSES));
        } else this.store.add(group, refsOf(values, by));
      }
    }
    if (groups > 0 && withMembers === 0 && by !== 'memberOf') throw await this.#withoutMembers(groups, by);
  }

  /** Notes a group without members, which its class has to allow. */
  #noMembers(group: number, entry: SearchEntry, visible: Visible): void {
    requireVisible(entry, visible);
    if (visible.by !== 'memberOf') this.#silent.add(group);
  }

  /** Reads the groups of the scope. Where one of several is empty, whoever was in it is missing, and several are held. */
  async #scopes(dns: readonly string[]): Promise<void> {
    const empty: string[] = [];
    for (const [index, dn] of dns.entries()) {
      const path = `source.people.memberOf${dns.length > 1 ? `[${index}]` : ''}`;
      if (!(await this.#scope(dn, path))) empty.push(`${path}: ${printable(dn)}`);
    }
    if (empty.length === dns.length) throw nobodyThere(empty, BY_GROUP);
  }

  /** Reads a group of the scope; returns whether it may have members. */
  async #scope(dn: string, path: string): Promise<boolean> {
    const known = this.#byDn.get(canonicalDn(dn) ?? dn);
    const by = this.#asked.members?.by;
    const attributes = BY_GROUP.filter((one) => known === undefined || one !== by);
    const entry = await this.#searches.one(dn, path, attributes);
    const group = this.#add(entry.name, { isUnit: known !== undefined, isScope: true });
    const found = this.#take(group, entry, attributes);
    return found > 0 || (known !== undefined && by !== 'memberOf');
  }

  /** Reads groups that are no units as far as they are members, and what is a member of these. */
  async #outside(): Promise<void> {
    const others = new Map<string, string>();
    for await (const entries of this.#searches.all()) {
      for (const { name } of entries) {
        const key = canonicalDn(name) ?? name;
        if (!this.#byDn.has(key)) others.set(key, name);
      }
    }
    const required = new Map<ByGroup, ReadonlySet<string>>();
    for (const by of BY_GROUP) required.set(by, await this.#searches.classesWith(by));
    for (;;) {
      const members = [...others].filter(([, dn]) => this.#holders(dn).length > 0);
      const found = members.length > 0 ? members : await this.#missed();
      if (found.length === 0) return;
      for (const [key, dn] of found) {
        others.delete(key);
        await this.#follow(dn, required);
      }
    }
  }

  async #follow(dn: string, required: ReadonlyMap<ByGroup, ReadonlySet<string>>): Promise<void> {
    const entry = await this.#searches.one(dn, 'source.units', [...BY_GROUP, 'objectClass']);
    const members = this.#take(this.#add(dn, { isUnit: false, isScope: false }), entry, BY_GROUP);
    if (members > 0) return;
    for (const [by, classes] of required)
      requireVisible(entry, { by, required: classes, path: 'source: groups in groups' });
  }

  /** Returns groups of the last read that the search for all did not bring. Throws where one of them may not be read. */
  async #missed(): Promise<[key: string, dn: string][]> {
    const missed: [string, string][] = [];
    for (const dn of this.#expected) {
      const key = canonicalDn(dn) ?? dn;
      const [holder] = this.#holders(dn);
      if (this.#byDn.has(key) || holder === undefined) continue;
      this.#expected.delete(dn);
      const classes = valuesIn(await this.#searches.look(dn), 'objectClass');
      if (classes.length === 0) throw hiddenGroup(dn, this.#nodes[holder]?.dn ?? '');
      if (classes.some(isGroupClass)) missed.push([key, dn]);
    }
    return missed;
  }

  async #claims(): Promise<void> {
    const name = comparedWith(this.#asked);
    for await (const entries of this.#searches.people([name]))
      this.store.claim(entries.map((entry) => valuesOf(entry, name)));
    this.store.settle();
  }

  /** Adds a group, or what is new of one that is known; returns its number. */
  #add(dn: string, { isUnit, isScope }: Omit<GroupNode, 'dn'>): number {
    const key = canonicalDn(dn) ?? dn;
    const number = this.#byDn.get(key) ?? this.#nodes.length;
    this.#byDn.set(key, number);
    this.#nodes[number] = { dn: this.#nodes[number]?.dn ?? dn, isUnit, isScope };
    return number;
  }

  /** Keeps the members of a group; returns how many there are. */
  #take(group: number, entry: SearchEntry, attributes: readonly ByGroup[]): number {
    const refs = namedIn(entry, attributes);
    this.store.add(group, refs);
    return refs.length;
  }

  /** Returns the numbers of the groups that name this DN as a member. */
  #holders(dn: string): readonly number[] {
    return this.store.groupsOf({ kind: 'dn', text: dn });
  }

  #holdersOf(group: number): readonly number[] {
    const told = (this.#told.get(group) ?? []).flatMap((dn) => this.#byDn.get(canonicalDn(dn) ?? dn) ?? []);
    const named = this.#holders(this.#nodes[group]?.dn ?? '');
    return [...new Set([...named, ...told])];
  }

  async #withoutMembers(groups: number, by: ByGroup): Promise<SourceError> {
    const said = `source.units.members: not one of the ${groups.toLocaleString('en')} groups shows a value of ${by}`;
    for (const other of BY_GROUP) {
      if (other === by || !(await this.#searches.haveAny(other))) continue;
      return new SourceError(
        `${said}, but there is ${other}; nothing of it is used. Write members: ${other}.`,
      );
    }
    return new SourceError(
      `${said}; the read is incomplete and nothing of it is used. Check that source.bindDn may read ${by}, and the filter of source.units.`,
    );
  }
}

const namedIn = (entry: SearchEntry, attributes: readonly ByGroup[]): readonly MemberRef[] =>
  attributes.flatMap((by) => refsOf(valuesOf(entry, by), by));

function refsOf(values: readonly string[], by: ByGroup): readonly MemberRef[] {
  const kind = REFS[by];
  // A uniqueMember may end with a bit string that tells a reused DN from the one before (RFC 4517, section 3.3.21).
  const texts = by === 'uniqueMember' ? values.map((text) => text.replace(/#'[01]*'B$/u, '')) : values;
  return texts.filter((text) => text.trim() !== '').map((text) => ({ kind, text }));
}

interface Visible {
  readonly by: MembersBy;
  /** Classes that have to have it. */
  readonly required: ReadonlySet<string>;
  readonly path: string;
}

/** Throws where a group shows no members though its class does not allow that: they may not be read. */
function requireVisible(entry: SearchEntry, { by, required, path }: Visible): void {
  const className = valuesOf(entry, 'objectClass').find((name) => required.has(name.toLowerCase()));
  if (className === undefined) return;
  throw new SourceError(
    `${path}: ${printable(entry.name)} shows no ${by}, which every ${className} has; the read is ` +
      'incomplete and nothing of it is used. Give source.bindDn the right to read it.',
  );
}

const valuesIn = (entry: SearchEntry | null, name: string): readonly string[] =>
  entry === null ? [] : valuesOf(entry, name);

/** @param groups the groups of the scope, each with its place in the configuration; `by`: what would name members */
function nobodyThere(groups: readonly string[], by: readonly string[]): SourceError {
  const has = groups.length === 1 ? 'has no member' : 'have no member';
  return new SourceError(
    `${groups.join(', ')} ${has}, so that nobody would be in scope; the read is incomplete and nothing of it is used. ` +
      `Check the DN, and that source.bindDn may read ${by.join(', ')} of it.`,
  );
}

/** @param holder DN of a group that names it as a member */
function hiddenGroup(dn: string, holder: string): SourceError {
  return new SourceError(
    `source: the group ${printable(holder)} has the member ${printable(dn)}, which was a group in the last complete read ` +
      'and is not found any more, so that its own members would be out of it; the read is incomplete and nothing of it is ' +
      'used. Give source.bindDn the right to read it; where it was deleted, take it out of the members of ' +
      `${printable(holder)}, or write its DN below source.people.exclude.`,
  );
}
