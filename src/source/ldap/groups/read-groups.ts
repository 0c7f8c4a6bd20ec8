import type { SearchEntry } from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { MembersBy } from '../../../domain/source-choices.ts';
import { printable } from '../../../domain/text/printable.ts';
import { GroupGraph, type GroupNode } from './group-graph.ts';
import { Groups, type GroupsAsked } from './groups.ts';
import { MemberStore, type MemberRef } from './member-store.ts';
import { GROUP_SID, PrimaryGroups } from './primary-groups.ts';
import { canonicalDn } from '../wire/dn.ts';
import { valuesIn } from '../wire/entry-values.ts';

type EntryBatches = AsyncIterable<readonly SearchEntry[]>;

/** How groups are asked for. Lists of values come whole. All throw a SourceError if an answer is not complete. */
export interface GroupSearches {
  /** Yields the groups that are units and in scope. */
  units(attributes: readonly string[]): EntryBatches;
  /** Yields all groups of the directory, without attributes. */
  all(): EntryBatches;
  /** @param path place in the configuration that names the entry */
  one(dn: string, path: string, attributes: readonly string[]): Promise<SearchEntry>;
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

/** How the members of groups are named by their attributes. */
const REFS: Readonly<Record<Exclude<MembersBy, 'memberOf'>, MemberRef['kind']>> = {
  member: 'dn',
  uniqueMember: 'dn',
  memberUid: 'uid',
};
type ByGroup = keyof typeof REFS;
const BY_GROUP = Object.keys(REFS) as readonly ByGroup[];

/**
 * If people name their groups: the attributes by which groups name members. People who show no group may
 * still be in one.
 */
const WITNESSES = BY_GROUP.filter((by) => REFS[by] === 'dn');

/** Reads the groups and all their members. Throws a SourceError if one of them does not come to its end. */
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
  readonly #primary = new PrimaryGroups();
  readonly #asked: GroupsAsked;
  readonly #searches: GroupSearches;
  readonly #nodes: GroupNode[] = [];
  readonly #byDn = new Map<string, number>();
  /** Groups that a group itself names as those it is in. */
  readonly #ownGroups = new Map<number, readonly string[]>();
  #pages = 0;
  #namesNobody: SourceError | null = null;

  constructor(asked: GroupsAsked, searches: GroupSearches) {
    this.#asked = asked;
    this.#searches = searches;
  }

  async read(): Promise<Groups> {
    const { members, memberOf } = this.#asked;
    if (members !== null) await this.#units(members.by);
    if (memberOf.length > 0) await this.#scopes(memberOf);
    this.store.index();
    this.witnesses.index();
    const isFollowed = memberOf.length > 0 || (members !== null && members.nested !== 'none');
    if (isFollowed && this.store.has('dn')) await this.#outside();
    const graph = new GroupGraph(this.#nodes, (group) => this.#holdersOf(group), members?.nested ?? 'none');
    const { store, witnesses } = this;
    const read = { asked: this.#asked, nodes: this.#nodes, byDn: this.#byDn, namesNobody: this.#namesNobody };
    return new Groups({ ...read, graph, store, witnesses, primary: this.#primary, pages: this.#pages });
  }

  async #units(by: MembersBy): Promise<void> {
    let [groups, withMembers, mayHave] = [0, 0, false];
    const witnesses = by === 'memberOf' ? WITNESSES : [];
    for await (const entries of this.#searches.units([by, GROUP_SID, ...witnesses])) {
      this.#pages += 1;
      for (const entry of entries) {
        const group = this.#add(entry.name, { isUnit: true, isScope: false });
        const values = valuesIn(entry, by);
        if (this.#primary.add(group, entry)) mayHave = true;
        groups += 1;
        if (values.length > 0) withMembers += 1;
        if (by === 'memberOf') {
          this.#ownGroups.set(group, values);
          this.witnesses.add(group, namedIn(entry, WITNESSES));
        } else this.store.add(group, refsOf(values, by));
      }
    }
    if (groups > 0 && withMembers === 0 && by !== 'memberOf')
      this.#foundNone(withoutMembers(groups, by), mayHave);
  }

  /** Notes that no group names a member, which is an error at once unless accounts may name such groups. */
  #foundNone(error: SourceError, mayHave: boolean): void {
    if (!mayHave) throw error;
    this.#namesNobody = error;
  }

  /**
   * Reads the groups of the scope. If one of several is empty, its members are missing, and more than one of
   * them is held.
   */
  async #scopes(dns: readonly string[]): Promise<void> {
    const empty: string[] = [];
    let mayHave = false;
    for (const [index, dn] of dns.entries()) {
      const path = `source.people.memberOf${dns.length > 1 ? `[${index}]` : ''}`;
      const found = await this.#scope(dn, path);
      if (!found.hasMembers) empty.push(`${path}: ${printable(dn)}`);
      if (found.mayHave) mayHave = true;
    }
    if (empty.length === dns.length) this.#foundNone(emptyGroups(empty), mayHave);
  }

  /** Reads a group of the scope; returns whether it has members, and whether accounts may name it. */
  async #scope(
    dn: string,
    path: string,
  ): Promise<{ readonly hasMembers: boolean; readonly mayHave: boolean }> {
    const known = this.#byDn.get(canonicalDn(dn) ?? dn);
    const by = this.#asked.members?.by;
    const attributes = BY_GROUP.filter((one) => known === undefined || one !== by);
    const entry = await this.#searches.one(dn, path, [...attributes, GROUP_SID]);
    const group = this.#add(entry.name, { isUnit: known !== undefined, isScope: true });
    const refs = namedIn(entry, attributes);
    this.store.add(group, refs);
    const hasMembers = refs.length > 0 || (known !== undefined && by !== 'memberOf');
    return { hasMembers, mayHave: this.#primary.add(group, entry) };
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
    for (;;) {
      const found = [...others].filter(([, dn]) => this.#holders(dn).length > 0);
      if (found.length === 0) return;
      for (const [key, dn] of found) {
        others.delete(key);
        const entry = await this.#searches.one(dn, 'source.units', [...BY_GROUP, GROUP_SID]);
        const group = this.#add(dn, { isUnit: false, isScope: false });
        this.store.add(group, namedIn(entry, BY_GROUP));
        this.#primary.add(group, entry);
      }
    }
  }

  /** Adds a group, or what is new of one that is known; returns its number. */
  #add(dn: string, { isUnit, isScope }: Omit<GroupNode, 'dn'>): number {
    const key = canonicalDn(dn) ?? dn;
    const number = this.#byDn.get(key) ?? this.#nodes.length;
    this.#byDn.set(key, number);
    this.#nodes[number] = { dn: this.#nodes[number]?.dn ?? dn, isUnit, isScope };
    return number;
  }

  /** Returns the numbers of the groups that name this DN as a member. */
  #holders(dn: string): readonly number[] {
    return this.store.groupsOf({ kind: 'dn', text: dn });
  }

  #holdersOf(group: number): readonly number[] {
    const own = (this.#ownGroups.get(group) ?? []).flatMap(
      (dn) => this.#byDn.get(canonicalDn(dn) ?? dn) ?? [],
    );
    const named = this.#holders(this.#nodes[group]?.dn ?? '');
    return [...new Set([...named, ...own])];
  }
}

const namedIn = (entry: SearchEntry, attributes: readonly ByGroup[]): readonly MemberRef[] =>
  attributes.flatMap((by) => refsOf(valuesIn(entry, by), by));

function refsOf(values: readonly string[], by: ByGroup): readonly MemberRef[] {
  const kind = REFS[by];
  // A uniqueMember may end with a bit string that tells a reused DN from the one before (RFC 4517, section 3.3.21).
  const texts = by === 'uniqueMember' ? values.map((text) => text.replace(/#'[01]*'B$/u, '')) : values;
  return texts.filter((text) => text.trim() !== '').map((text) => ({ kind, text }));
}

function withoutMembers(groups: number, by: ByGroup): SourceError {
  return new SourceError(
    `source.units.members: not one of the ${groups.toLocaleString('en')} groups shows a value of ${by}; the read is ` +
      `incomplete and nothing of it is used. Check that source.bindDn may read ${by}, and the filter of source.units; or ` +
      `write what these groups have: ${BY_GROUP.join(', ')}.`,
  );
}

/** @param groups the groups of the scope, each with its place in the configuration */
function emptyGroups(groups: readonly string[]): SourceError {
  const has = groups.length === 1 ? 'has no member' : 'have no member';
  return new SourceError(
    `${groups.join(', ')} ${has}, so no person would be in scope; the read is incomplete and nothing of it is used. ` +
      `Check the DN, and that source.bindDn may read ${BY_GROUP.join(', ')} of it.`,
  );
}
