import type { GroupMembers } from '../../../domain/source-choices.ts';
import { listSome, printable } from '../../../domain/text/printable.ts';
import { canonicalDn } from '../wire/dn.ts';
import { valuesIn, type Entry } from '../wire/entry.ts';
import { ldapProblem } from '../wire/ldap-problems.ts';
import type { GroupGraph, GroupNode } from './group-graph.ts';
import type { MemberStore } from './member-store.ts';
import type { PRIMARY_GROUP, PrimaryGroups } from './primary-groups.ts';

/** What is asked of groups. */
export interface GroupsAsked {
  /** How the groups that are units name their members; `null`: units are no groups. */
  readonly members: GroupMembers | null;
  /** DNs of the groups whose members alone are in scope; empty: all people are. */
  readonly memberOf: readonly string[];
}

/** What the groups of one read say, once all of them were read. */
interface GroupsRead {
  readonly asked: GroupsAsked;
  readonly nodes: readonly GroupNode[];
  /** Number of a group by its DN in canonical spelling. */
  readonly byDn: ReadonlyMap<string, number>;
  readonly graph: GroupGraph;
  readonly store: MemberStore;
  readonly primary: PrimaryGroups;
  readonly pages: number;
}

/** What the groups say of one person. */
export interface Membership {
  /** DNs of the units, sorted. */
  readonly units: readonly string[];
  /** DNs of the groups that name the person, whether they are units or lie in some. */
  readonly groups: readonly string[];
  /** What the person names as the primary group, if such groups may be units. */
  readonly primary?: string | undefined;
  readonly isInScope: boolean;
  /** DN of the group of the scope that names the person, the first of several; absent: the scope is one group alone. */
  readonly scope?: string | undefined;
  /** An attribute that tells who is in the scope, and that the person does not show: not being in scope proves nothing. */
  readonly unknown?: 'uid' | typeof PRIMARY_GROUP | undefined;
}

/** Who belongs to which group, during one read. */
export class Groups {
  readonly #read: GroupsRead;
  /** How many members each group has that has any, by its number. */
  readonly #counts: ReadonlyMap<number, number>;
  /** DNs of the groups in groups by which people are in scope or belong to a unit, sorted. */
  readonly followed: readonly string[];
  #people = 0;
  #inScope = 0;
  #placed = 0;
  /** How a person is named where members are compared. */
  #example = '';

  constructor(read: GroupsRead) {
    this.#read = read;
    this.#counts = read.store.counts();
    this.followed = read.graph.followed();
  }

  /** Attributes of people that have to be read in addition to those of the rules. */
  get wanted(): readonly string[] {
    const { store, primary } = this.#read;
    return [...(store.has('uid') ? ['uid'] : []), ...primary.wanted];
  }

  /** Number of memberships, and of the pages that they came in; `null`: groups do not place people. */
  get size(): { readonly records: number; readonly pages: number } | null {
    if (this.#read.asked.members === null) return null;
    const records = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    return { records, pages: this.#read.pages };
  }

  /** Returns what the groups say of a person; who is in scope counts as found. */
  membershipOf(entry: Entry): Membership {
    const { asked, graph, primary } = this.#read;
    const { groups, uids } = this.#groupsNaming(entry);
    const { named, group } = primary.of(entry);
    const own = group === undefined ? groups : [...groups, group];
    const scope = own.map((one) => graph.scopeOf(one)).find((one) => one !== null);
    this.#people += 1;
    if (asked.memberOf.length > 0 && scope === undefined) {
      const unknown = uids?.length === 0 ? 'uid' : primary.hiddenIn(entry);
      return { units: [], groups: [], isInScope: false, unknown };
    }
    const units = [...new Set(own.flatMap((one) => graph.unitsOf(one)))];
    this.#inScope += 1;
    this.#placed += units.length > 0 ? 1 : 0;
    return {
      units: units.map((unit) => this.#dnOf(unit)).toSorted(),
      groups: groups.map((one) => this.#dnOf(one)),
      isInScope: true,
      primary: asked.members === null ? undefined : named,
      scope: scope === undefined || asked.memberOf.length < 2 ? undefined : this.#dnOf(scope),
    };
  }

  /** Returns the groups that name a person; `uids`: what logins are compared with, `null`: no group names one. */
  #groupsNaming(entry: Entry): {
    readonly groups: readonly number[];
    readonly uids: readonly string[] | null;
  } {
    const { store } = this.#read;
    const uids = store.has('uid') ? valuesIn(entry, 'uid') : null;
    this.#example ||= (uids ?? [entry.dn])[0] ?? '';
    const byUid = (uids ?? []).flatMap((text) => store.groupsOf({ kind: 'uid', text }));
    return { groups: [...new Set([...store.groupsOf({ kind: 'dn', text: entry.dn }), ...byUid])], uids };
  }

  /** Returns the DN of the unit that a group is in; `undefined`: it is at the top. */
  parentOf(dn: string): string | undefined {
    const group = this.#numberOf(dn);
    const parent = group === undefined ? null : this.#read.graph.parentOf(group);
    return parent === null ? undefined : this.#dnOf(parent);
  }

  /** Returns whether it is a group that shows no member: it has none, or it is hidden. */
  isSilent(dn: string): boolean {
    return !this.#counts.has(this.#numberOf(dn) ?? -1);
  }

  /** Begins to count people. */
  begin(): void {
    [this.#people, this.#inScope, this.#placed] = [0, 0, 0];
  }

  /** Ends the read of people. Throws a SourceError if not one of them belongs to a group. */
  end(): void {
    const { members, memberOf } = this.#read.asked;
    const groups = listSome(memberOf.map((dn) => printable(dn)));
    if (this.#people > 0 && this.#inScope === 0) throw this.#nobody('source.people.memberOf', groups);
    const hasUnits = this.#read.nodes.some(({ isUnit }) => isUnit);
    if (members !== null && this.#inScope > 0 && this.#placed === 0 && hasUnits)
      throw this.#nobody('source.units.members', `one of the groups by ${members.by}`);
  }

  #nobody(place: string, groups: string): ReturnType<typeof ldapProblem> {
    const [member, person] = [this.#read.store.example, this.#example].map((one) => printable(one));
    const sides =
      member === '' || person === '' ? '' : `: a group names ${member}, and a person is ${person}`;
    return ldapProblem('ldap-nobody', { place, groups, sides });
  }

  /** How many members those of the followed groups have that have any. */
  get members(): Readonly<Record<string, number>> {
    const counted = this.followed.map((dn) => [dn, this.#counts.get(this.#numberOf(dn) ?? -1) ?? 0] as const);
    return Object.fromEntries(counted.filter(([, count]) => count > 0));
  }

  get notes(): readonly string[] {
    if (this.#read.asked.memberOf.length === 0) return [];
    const [some, all] = [this.#inScope, this.#people].map((count) => count.toLocaleString('en'));
    return [`source.people.memberOf: ${some} of ${all} people are in scope`];
  }

  close(): void {
    this.#read.store.close();
  }

  #dnOf(group: number): string {
    return this.#read.nodes[group]?.dn ?? '';
  }

  /** Returns the number of a group, however its DN is spelled; `undefined`: it was not found. */
  #numberOf(dn: string): number | undefined {
    return this.#read.byDn.get(canonicalDn(dn) ?? dn);
  }
}
