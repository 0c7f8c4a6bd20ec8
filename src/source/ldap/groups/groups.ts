import type { SearchEntry } from 'ldapts';
import { SourceError } from '../../../domain/errors.ts';
import type { Reading, Unit } from '../../../domain/records/records.ts';
import type { GroupMembers } from '../../../domain/source-choices.ts';
import { listSome, printable } from '../../../domain/text/printable.ts';
import type { GroupGraph, GroupNode } from './group-graph.ts';
import type { MemberRef, MemberStore } from './member-store.ts';
import { canonicalDn } from '../wire/dn.ts';

/** What is asked of groups. */
export interface GroupsAsked {
  /** How the groups that are units tell their members; `null`: units are no groups. */
  readonly members: GroupMembers | null;
  /** DNs of the groups whose members alone are in scope; empty: everybody is. */
  readonly memberOf: readonly string[];
  /** DNs of groups in groups that the last complete read followed. */
  readonly expected: readonly string[];
  /** DNs of groups that were units and members of others in the last complete read. */
  readonly expectedUnits: readonly string[];
}

/** What the groups of one read say, once all of them were read. */
interface GroupsRead {
  readonly asked: GroupsAsked;
  readonly nodes: readonly GroupNode[];
  /** Number of a group by its DN in canonical spelling. */
  readonly byDn: ReadonlyMap<string, number>;
  readonly graph: GroupGraph;
  readonly store: MemberStore;
  /** Where people name their groups: whom the units name, from the other side. */
  readonly witnesses: MemberStore;
  readonly pages: number;
  /** Numbers of the groups that are units and show no member: they have none, or it is hidden. */
  readonly silent: ReadonlySet<number>;
  /** Groups that were units, are still named as members and are not found any more: the groups that name them, by DN. */
  readonly lost: ReadonlyMap<string, readonly number[]>;
  /** Returns the entry of this DN; `null`: there is none, or it may not be read. */
  readonly look: (dn: string) => Promise<SearchEntry | null>;
}

/** A group that was a unit, is still named as a member and is not found any more. */
interface LostUnit {
  readonly dn: string;
  /** DN of a group that names it. */
  readonly holder: string;
}

/** What the groups say of one person. */
export interface Membership {
  /** DNs of the units, sorted. */
  readonly units: readonly string[];
  readonly isInScope: boolean;
  /** DN of the group of the scope that names the person, the first of several; absent: the scope is one group alone. */
  readonly scope?: string;
  /** Set where groups name members by `uid`, and the person shows none: not being in scope proves nothing. */
  readonly isUntold?: true;
  /** A `uid` of the person by which a group names its member, and that others have too. */
  readonly sharedUid: string | null;
}

const INCOMPLETE = 'the read is incomplete and nothing of it is used';

/** Who belongs to which group, during one read. */
export class Groups {
  readonly #read: GroupsRead;
  /** What members are compared with, of one person, for a sentence. */
  #example: string | null = null;
  #people = 0;
  #inScope = 0;
  #placed = 0;
  #notes: readonly string[] = [];

  constructor(read: GroupsRead) {
    this.#read = read;
  }

  /** Attributes of people that have to be read, beside those of the rules. */
  get wanted(): readonly string[] {
    const { asked, store } = this.#read;
    return [
      ...(store.has('uid') ? [comparedWith(asked)] : []),
      ...(asked.members?.by === 'memberOf' ? ['memberOf'] : []),
    ];
  }

  /** Number of memberships, and of the pages that they came in; `null`: they place nobody. */
  get size(): { readonly records: number; readonly pages: number } | null {
    if (this.#read.asked.members === null) return null;
    return { records: this.#read.store.count(), pages: this.#read.pages };
  }

  /** Returns what the groups say of a person; who is in scope counts as found. */
  membershipOf(entry: SearchEntry): Membership {
    const { asked, nodes, graph, store } = this.#read;
    const uids = store.has('uid') ? valuesOf(entry, comparedWith(asked)) : [];
    this.#example ??= store.has('uid') ? (uids[0] ?? null) : entry.name;
    const refs: readonly MemberRef[] = [
      { kind: 'dn', text: entry.name },
      ...uids.map((text) => ({ kind: 'uid', text }) as const),
    ];
    const named = refs
      .map((ref) => ({ ref, groups: store.groupsOf(ref) }))
      .filter(({ groups }) => groups.length > 0);
    const own = new Set([...named.flatMap(({ groups }) => groups), ...this.#toldBy(entry)]);
    const scope = [...own].map((group) => graph.scopeOf(group)).find((group) => group !== null);
    const isInScope = asked.memberOf.length === 0 || scope !== undefined;
    this.#people += 1;
    if (!isInScope) {
      const isUntold = store.has('uid') && uids.length === 0;
      return { units: [], isInScope, sharedUid: null, ...(isUntold && { isUntold }) };
    }
    for (const { ref } of named) store.see(ref);
    const units = new Set([...own].flatMap((group) => graph.unitsOf(group)));
    this.#inScope += 1;
    if (units.size > 0) this.#placed += 1;
    return {
      units: [...units].map((unit) => nodes[unit]?.dn ?? '').toSorted(),
      isInScope,
      ...this.#scopeNamed(scope),
      sharedUid: uids.find((uid) => store.isShared(uid)) ?? null,
    };
  }

  /** Returns the DN of the unit that a group is in; `undefined`: it is at the top. */
  parentOf(dn: string): string | undefined {
    const { nodes, graph } = this.#read;
    const group = this.#numberOf(dn);
    const parent = group === undefined ? null : graph.parentOf(group).parent;
    return parent === null ? undefined : nodes[parent]?.dn;
  }

  /** Returns whether it is a group that shows no member. */
  isSilent(dn: string): boolean {
    return this.#read.silent.has(this.#numberOf(dn) ?? -1);
  }

  /** Returns the DN of a group whose members belong to this unit and that is not found any more; `null`: there is none. */
  hiddenIn(dn: string): string | null {
    const { graph, lost } = this.#read;
    if (lost.size === 0 || graph.nesting.nested !== 'people') return null;
    const group = this.#numberOf(dn) ?? -1;
    const found = [...lost].find(([, holders]) => holders.some((one) => graph.unitsOf(one).includes(group)));
    return found?.[0] ?? null;
  }

  /** Units that are not found any more though a group names them as members. */
  get lost(): readonly LostUnit[] {
    const { lost, nodes } = this.#read;
    return [...lost].map(([dn, [holder = -1]]) => ({ dn, holder: nodes[holder]?.dn ?? '' }));
  }

  /** DNs of the units that are members of other groups, sorted; those that are not found any more stay among them. */
  get units(): readonly string[] {
    return [...this.#read.graph.unitsInGroups(), ...this.#read.lost.keys()].toSorted();
  }

  /** Begins to count people. */
  begin(): void {
    [this.#people, this.#inScope, this.#placed] = [0, 0, 0];
    this.#read.store.begin();
  }

  /** Ends the read of people. Throws a SourceError where not one of them belongs to a group. */
  end(): void {
    const { asked, store } = this.#read;
    store.end();
    const { count, first } = store.nobodies();
    const example = bothSides(first[0], this.#example);
    if (this.#people > 0 && this.#inScope === 0) throw nobodyInScope(asked.memberOf, example);
    if (asked.members !== null && this.#inScope > 0 && this.#placed === 0 && this.#hasGroups)
      throw nobodyPlaced(asked.members, this.#inScope, example);
    const inScope = `source.people.memberOf: ${this.#inScope.toLocaleString('en')} of ${this.#people.toLocaleString('en')} people are in scope`;
    const lost = `members of groups who are nobody among the people (computers, deleted, or out of scope): ${count.toLocaleString('en')}`;
    this.#notes = [
      ...(asked.memberOf.length === 0 ? [] : [inScope]),
      ...(count === 0 ? [] : [`${lost}, the first: ${first.map((name) => printable(name)).join(' ; ')}`]),
    ];
  }

  /** DNs of the groups in groups by which people are in scope or belong to a unit, sorted. */
  get followed(): readonly string[] {
    return this.#read.graph.followed();
  }

  /** How many members those of the followed groups have that have any. */
  get members(): Readonly<Record<string, number>> {
    const counts = this.#read.store.counts();
    const counted = this.followed.map((dn) => [dn, counts.get(this.#numberOf(dn) ?? -1) ?? 0] as const);
    return Object.fromEntries(counted.filter(([, count]) => count > 0));
  }

  get notes(): readonly string[] {
    return [...this.#severalAbove(), ...this.#notes];
  }

  /** Names circles: what is in one has no place above it. */
  get warnings(): readonly string[] {
    const { graph, asked } = this.#read;
    if (asked.members?.nested === 'none') return [];
    const meaning =
      asked.members?.nested === 'units'
        ? 'these units are left as they are'
        : 'their people belong to each of them';
    return graph
      .circles()
      .map(
        (circle) =>
          `groups in a circle, ${meaning}: ${circle.map((dn) => printable(dn)).join(' > ')}; take one of them out of the other`,
      );
  }

  close(): void {
    this.#read.store.close();
    this.#read.witnesses.close();
  }

  #scopeNamed(scope: number | undefined): Pick<Membership, 'scope'> {
    const dn = this.#read.nodes[scope ?? -1]?.dn;
    return dn === undefined || this.#read.asked.memberOf.length < 2 ? {} : { scope: dn };
  }

  /** Returns the number of a group, however its DN is spelled; `undefined`: it was not found. */
  #numberOf(dn: string): number | undefined {
    return this.#read.byDn.get(canonicalDn(dn) ?? dn);
  }
  get #hasGroups(): boolean {
    return this.#read.nodes.some(({ isUnit }) => isUnit);
  }

  /** Returns the groups that a person's own entry names; where it names none, as that may not be read, those that name it. */
  #toldBy(entry: SearchEntry): readonly number[] {
    if (this.#read.asked.members?.by !== 'memberOf') return [];
    const told = valuesOf(entry, 'memberOf');
    if (told.length === 0) return this.#read.witnesses.groupsOf({ kind: 'dn', text: entry.name });
    return told.flatMap((dn) => this.#numberOf(dn) ?? []);
  }

  #severalAbove(): readonly string[] {
    const { asked, nodes, graph } = this.#read;
    if (asked.members?.nested !== 'units') return [];
    const several = [...nodes.keys()].flatMap((group) => {
      const { parent, of } = nodes[group]?.isUnit === true ? graph.parentOf(group) : { parent: null, of: 0 };
      const [name, above] = [nodes[group]?.dn ?? '', nodes[parent ?? -1]?.dn ?? ''];
      return of > 1 ? [`${printable(name)} below ${printable(above)}`] : [];
    });
    if (several.length === 0) return [];
    return [
      `groups in several others, each placed below the nearest one, the first by DN: ${listSome(several)}`,
    ];
  }
}

/** Returns the values of an attribute, by its name in any case. */
export function valuesOf({ attributes }: SearchEntry, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return attributes
    .filter(({ type }) => type.toLowerCase() === wanted)
    .flatMap(({ values }) => values.map(String));
}

/** Returns the attribute of people that values of `memberUid` are compared with. */
export const comparedWith = ({ members }: GroupsAsked): string => members?.compare ?? 'uid';

/** Returns an example of a member and of what a person shows, as a sentence; empty: there is none. */
function bothSides(member: string | undefined, person: string | null): string {
  if (member === undefined) return '';
  const shown = person === null ? 'a person shows nothing to compare' : `a person shows ${printable(person)}`;
  return ` For example, a group names ${printable(member)}, and ${shown}.`;
}

function nobodyInScope(groups: readonly string[], example: string): SourceError {
  return new SourceError(
    `source.people.memberOf: nobody of source.people is a member of ${listSome(groups.map((dn) => printable(dn)))}; ` +
      `${INCOMPLETE}. Check the group, and the base and filter of source.people.${example}`,
  );
}

function nobodyPlaced({ by, compare = 'uid' }: GroupMembers, people: number, example: string): SourceError {
  const who = `nobody of source.people (${people.toLocaleString('en')} in scope)`;
  const remedy =
    by === 'memberOf'
      ? 'Check that the server keeps memberOf (an overlay or plug-in), and that source.bindDn may read it; or write members: member.'
      : by === 'memberUid'
        ? `Members are compared with ${compare} of people: choose another attribute with members: { by: memberUid, compare: NAME }, or check base and filter of source.people.`
        : 'Check the base and filter of source.people: members are compared with the DNs of people.';
  return new SourceError(
    `source.units.members: ${who} belongs to one of the groups by ${by}; ${INCOMPLETE}. ${remedy}${example}`,
  );
}

/** Returns what is known of a unit whose group is not found any more: where it was, and that nobody knows who is in it. */
export function lostUnit({ dn, holder }: LostUnit): Reading<Unit> {
  const [name, above] = [printable(dn), printable(holder)];
  const reason =
    `is not known: the group ${above} has the member ${name}, which was a unit in the last complete read and is not found ` +
    'any more; give source.bindDn the right to read it, or, where it was deleted or renamed, take the old name out of the ' +
    `members of ${above}`;
  const refusal = {
    subject: 'unit',
    id: null,
    place: dn,
    field: 'id',
    reason,
    unitRefs: [canonicalDn(dn) ?? dn],
    showsNobody: true,
  } as const;
  return { ok: false, refusal };
}
