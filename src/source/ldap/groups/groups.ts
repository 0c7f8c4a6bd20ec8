import type { SearchEntry } from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { GroupMembers } from '../../../domain/source-choices.ts';
import { listSome, printable } from '../../../domain/text/printable.ts';
import type { GroupGraph, GroupNode } from './group-graph.ts';
import type { MemberRef, MemberStore } from './member-store.ts';
import type { PRIMARY_GROUP, PrimaryGroups } from './primary-groups.ts';
import { canonicalDn } from '../wire/dn.ts';
import { valuesIn } from '../wire/entry-values.ts';

/** What is asked of groups. */
export interface GroupsAsked {
  /** How the groups that are units tell their members; `null`: units are no groups. */
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
  /** If people name their groups: the members that the unit groups name. */
  readonly witnesses: MemberStore;
  readonly primary: PrimaryGroups;
  readonly pages: number;
  /** Set if no group names a member: what is wrong if nobody has one of them as the primary group either. */
  readonly namesNobody: SourceError | null;
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
  readonly scope?: string;
  /** An attribute that tells who is in the scope, and that the person does not show: not being in scope proves nothing. */
  readonly unknown?: 'uid' | typeof PRIMARY_GROUP | undefined;
}

const INCOMPLETE = 'the read is incomplete and nothing of it is used';

/** Who belongs to which group, during one read. */
export class Groups {
  readonly #read: GroupsRead;
  /** How many members each group has that has any, by its number. */
  readonly #counts: ReadonlyMap<number, number>;
  #people = 0;
  #inScope = 0;
  #placed = 0;
  /** How a person is named where members are compared. */
  #example = '';

  constructor(read: GroupsRead) {
    this.#read = read;
    this.#counts = read.store.counts();
  }

  /** Attributes of people that have to be read in addition to those of the rules. */
  get wanted(): readonly string[] {
    const { asked, store, primary } = this.#read;
    const own = asked.members?.by === 'memberOf' ? ['memberOf'] : [];
    return [...(store.has('uid') ? ['uid'] : []), ...own, ...primary.wanted];
  }

  /** Number of memberships, and of the pages that they came in; `null`: groups do not place people. */
  get size(): { readonly records: number; readonly pages: number } | null {
    if (this.#read.asked.members === null) return null;
    const records = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    return { records, pages: this.#read.pages };
  }

  /** Returns what the groups say of a person; who is in scope counts as found. */
  membershipOf(entry: SearchEntry): Membership {
    const { asked, graph, store } = this.#read;
    const uids = store.has('uid') ? valuesIn(entry, 'uid') : [];
    const refs: readonly MemberRef[] = [
      { kind: 'dn', text: entry.name },
      ...uids.map((text) => ({ kind: 'uid', text }) as const),
    ];
    const groups = [
      ...new Set([...refs.flatMap((ref) => store.groupsOf(ref)), ...this.#groupsNamedBy(entry)]),
    ];
    const primary = this.#read.primary.of(entry);
    const own = primary.group === undefined ? groups : [...groups, primary.group];
    const scope = own.map((group) => graph.scopeOf(group)).find((group) => group !== null);
    const isInScope = asked.memberOf.length === 0 || scope !== undefined;
    this.#count(store.has('uid') ? uids[0] : entry.name);
    if (!isInScope) {
      const unknown = store.has('uid') && uids.length === 0 ? 'uid' : this.#read.primary.hiddenIn(entry);
      return { units: [], groups: [], isInScope, unknown };
    }
    const units = new Set(own.flatMap((group) => graph.unitsOf(group)));
    this.#inScope += 1;
    if (units.size > 0) this.#placed += 1;
    return {
      units: [...units].map((unit) => this.#dnOf(unit)).toSorted(),
      groups: groups.map((group) => this.#dnOf(group)),
      isInScope,
      ...(asked.members !== null && { primary: primary.named }),
      ...(scope !== undefined && asked.memberOf.length > 1 && { scope: this.#dnOf(scope) }),
    };
  }

  #count(name = ''): void {
    this.#people += 1;
    this.#example ||= name;
  }

  /** Returns the DN of the unit that a group is in; `undefined`: it is at the top. */
  parentOf(dn: string): string | undefined {
    const group = this.#numberOf(dn);
    const parent = group === undefined ? null : this.#read.graph.parentOf(group);
    return parent === null ? undefined : this.#dnOf(parent);
  }

  /** Returns whether it is a group that shows no member: it has none, or it is hidden. */
  isSilent(dn: string): boolean {
    return this.#read.asked.members?.by !== 'memberOf' && !this.#counts.has(this.#numberOf(dn) ?? -1);
  }

  /** Begins to count people. */
  begin(): void {
    [this.#people, this.#inScope, this.#placed] = [0, 0, 0];
  }

  /** Ends the read of people. Throws a SourceError if not one of them belongs to a group. */
  end(): void {
    const { asked, namesNobody } = this.#read;
    const { members, memberOf } = asked;
    if (this.#people > 0 && this.#inScope === 0) throw namesNobody ?? emptyScope(memberOf, this.#sides());
    const hasUnits = this.#read.nodes.some(({ isUnit }) => isUnit);
    if (members !== null && this.#inScope > 0 && this.#placed === 0 && hasUnits)
      throw namesNobody ?? noPlacements(members, this.#inScope, this.#sides());
  }

  /** Returns a member and a person as they are compared, in words; empty: one of them is not there. */
  #sides(): string {
    const { example } = this.#read.store;
    if (example === '' || this.#example === '') return '';
    return `: a group names ${printable(example)}, and a person is ${printable(this.#example)}`;
  }

  /** DNs of the groups in groups by which people are in scope or belong to a unit, sorted. */
  get followed(): readonly string[] {
    return this.#read.graph.followed();
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
    this.#read.witnesses.close();
  }

  #dnOf(group: number): string {
    return this.#read.nodes[group]?.dn ?? '';
  }

  /** Returns the number of a group, however its DN is spelled; `undefined`: it was not found. */
  #numberOf(dn: string): number | undefined {
    return this.#read.byDn.get(canonicalDn(dn) ?? dn);
  }

  /** Returns the groups that a person's own entry names; if it names none, as that may not be read, those that name it. */
  #groupsNamedBy(entry: SearchEntry): readonly number[] {
    if (this.#read.asked.members?.by !== 'memberOf') return [];
    const named = valuesIn(entry, 'memberOf');
    if (named.length === 0) return this.#read.witnesses.groupsOf({ kind: 'dn', text: entry.name });
    return named.flatMap((dn) => this.#numberOf(dn) ?? []);
  }
}

function emptyScope(groups: readonly string[], sides: string): SourceError {
  return new SourceError(
    `source.people.memberOf: no person of source.people is a member of ${listSome(groups.map((dn) => printable(dn)))}; ` +
      `${INCOMPLETE}. Check the group, and the base and filter of source.people${sides}`,
  );
}

function noPlacements({ by }: GroupMembers, people: number, sides: string): SourceError {
  const who = `nobody of source.people (${people.toLocaleString('en')} in scope)`;
  const remedy =
    by === 'memberOf'
      ? 'Check that the server keeps memberOf (an overlay or plug-in), and that source.bindDn may read it; or write members: member'
      : by === 'memberUid'
        ? 'Members are compared with uid of people: check base and filter of source.people'
        : 'Check the base and filter of source.people: members are compared with the DNs of people';
  return new SourceError(
    `source.units.members: ${who} belongs to one of the groups by ${by}; ${INCOMPLETE}. ${remedy}${sides}`,
  );
}
