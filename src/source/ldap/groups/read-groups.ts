import type { MembersBy } from '../../../domain/source-choices.ts';
import { printable } from '../../../domain/text/printable.ts';
import { canonicalDn } from '../wire/dn.ts';
import { valuesIn, type Entry } from '../wire/entry.ts';
import { ldapProblem } from '../wire/ldap-problems.ts';
import { GroupGraph, type GroupNode } from './group-graph.ts';
import { Groups, type GroupsAsked } from './groups.ts';
import { MemberStore, type MemberRef } from './member-store.ts';
import { GROUP_SID, PrimaryGroups } from './primary-groups.ts';

type EntryBatches = AsyncIterable<readonly Entry[]>;

/** How groups are asked for. Lists of values come whole. All throw a SourceError if an answer is not complete. */
export interface GroupSearches {
  /** Yields the groups that are units and in scope. */
  units(attributes: readonly string[]): EntryBatches;
  /** Yields all groups of the directory, without attributes. */
  all(): EntryBatches;
  /** @param path place in the configuration that names the entry */
  one(dn: string, path: string, attributes: readonly string[]): Promise<Entry>;
}

/** How the members of groups are named by their attributes. */
const REFS: Readonly<Record<MembersBy, MemberRef['kind']>> = {
  member: 'dn',
  uniqueMember: 'dn',
  memberUid: 'uid',
};
const EACH = Object.keys(REFS) as readonly MembersBy[];

/** Reads the groups and all their members. Throws a SourceError if one of them does not come to its end. */
export async function readGroups(asked: GroupsAsked, searches: GroupSearches): Promise<Groups> {
  const reader = new GroupReader(asked, searches);
  try {
    return await reader.read();
  } catch (error) {
    reader.store.close();
    throw error;
  }
}

class GroupReader {
  readonly store = new MemberStore();
  readonly #primary = new PrimaryGroups();
  readonly #asked: GroupsAsked;
  readonly #searches: GroupSearches;
  readonly #nodes: GroupNode[] = [];
  readonly #byDn = new Map<string, number>();
  #pages = 0;
  /** Whether accounts may name one of the groups as their primary one, which does not name them. */
  #mayHaveOthers = false;

  constructor(asked: GroupsAsked, searches: GroupSearches) {
    this.#asked = asked;
    this.#searches = searches;
  }

  async read(): Promise<Groups> {
    const { members, memberOf } = this.#asked;
    if (members !== null) await this.#units(members.by);
    if (memberOf.length > 0) await this.#scopes(memberOf);
    this.store.index();
    if (this.store.has('dn')) await this.#outside();
    const holders = this.#nodes.map(({ dn }) => this.#holders(dn));
    const graph = new GroupGraph(this.#nodes, holders, members?.nested ?? 'units');
    const { store } = this;
    const read = { asked: this.#asked, nodes: this.#nodes, byDn: this.#byDn, pages: this.#pages };
    return new Groups({ ...read, graph, store, primary: this.#primary });
  }

  async #units(by: MembersBy): Promise<void> {
    let hasMembers = false;
    for await (const entries of this.#searches.units([by, GROUP_SID])) {
      this.#pages += 1;
      for (const entry of entries)
        if (this.#add(entry, [by], { isUnit: true, isScope: false })) hasMembers = true;
    }
    if (this.#nodes.length > 0) this.#require(hasMembers, 'source.units', [by]);
  }

  /** Reads the groups of the scope. If one of several is empty, its members are missing, and more than one of them is held. */
  async #scopes(dns: readonly string[]): Promise<void> {
    const by = this.#asked.members?.by;
    let hasMembers = false;
    for (const [index, dn] of dns.entries()) {
      const path = `source.people.memberOf${dns.length > 1 ? `[${index}]` : ''}`;
      const isUnit = this.#byDn.has(canonicalDn(dn) ?? dn);
      const attributes = EACH.filter((one) => !isUnit || one !== by);
      const entry = await this.#searches.one(dn, path, [...attributes, GROUP_SID]);
      if (this.#add(entry, attributes, { isUnit, isScope: true }) || isUnit) hasMembers = true;
    }
    this.#require(hasMembers, `source.people.memberOf: ${dns.map((dn) => printable(dn)).join(', ')}`, EACH);
  }

  /** Throws if no group names a member, unless accounts may name such groups. */
  #require(hasMembers: boolean, groups: string, attributes: readonly MembersBy[]): void {
    if (!hasMembers && !this.#mayHaveOthers)
      throw ldapProblem('ldap-no-members', { groups, attributes: attributes.join(', ') });
  }

  /** Reads groups that are no units as far as they are members, and what is a member of these. */
  async #outside(): Promise<void> {
    const others = new Map<string, string>();
    for await (const entries of this.#searches.all()) {
      for (const { dn } of entries) {
        const key = canonicalDn(dn) ?? dn;
        if (!this.#byDn.has(key)) others.set(key, dn);
      }
    }
    for (;;) {
      const found = [...others].filter(([, dn]) => this.#holders(dn).length > 0);
      if (found.length === 0) return;
      for (const [key, dn] of found) {
        others.delete(key);
        const entry = await this.#searches.one(dn, 'source.units', [...EACH, GROUP_SID]);
        this.#add(entry, EACH, { isUnit: false, isScope: false });
      }
    }
  }

  /** Adds a group, or what is new of one that is known; returns whether it names members. */
  #add(entry: Entry, attributes: readonly MembersBy[], { isUnit, isScope }: Omit<GroupNode, 'dn'>): boolean {
    const key = canonicalDn(entry.dn) ?? entry.dn;
    const group = this.#byDn.get(key) ?? this.#nodes.length;
    this.#byDn.set(key, group);
    this.#nodes[group] = { dn: this.#nodes[group]?.dn ?? entry.dn, isUnit, isScope };
    const members = attributes.flatMap((by) => refsOf(valuesIn(entry, by), by));
    this.store.add(group, members);
    if (this.#primary.add(group, entry)) this.#mayHaveOthers = true;
    return members.length > 0;
  }

  /** Returns the numbers of the groups that name this DN as a member, without itself. */
  #holders(dn: string): readonly number[] {
    const own = this.#byDn.get(canonicalDn(dn) ?? dn);
    return this.store.groupsOf({ kind: 'dn', text: dn }).filter((group) => group !== own);
  }
}

function refsOf(values: readonly string[], by: MembersBy): readonly MemberRef[] {
  // A uniqueMember may end with a bit string that tells a reused DN from the one before (RFC 4517, section 3.3.21).
  const texts = by === 'uniqueMember' ? values.map((text) => text.replace(/#'[01]*'B$/u, '')) : values;
  return texts.filter((text) => text.trim() !== '').map((text) => ({ kind: REFS[by], text }));
}
