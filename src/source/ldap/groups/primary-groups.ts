import { bytesIn, valuesIn, type Entry } from '../wire/entry.ts';
import { sidText } from '../wire/sid.ts';

/** Attribute of a group whose last part accounts name as their primary group; only Active Directory has it. */
export const GROUP_SID = 'objectSid';
/** Attribute of an account: the last part of the SID of its primary group, which shows no such member. */
export const PRIMARY_GROUP = 'primaryGroupID';

/** SID of a group of the domain: built-in groups have others, and are nobody's primary group. */
const OF_DOMAIN = /^S-1-5-21-[\d-]+-(?<rid>\d+)$/u;

/** Groups of Active Directory by the number that accounts name their primary group by. */
export class PrimaryGroups {
  readonly #groups = new Map<string, number>();

  /** Adds a group. Returns whether it may have members that it does not name. */
  add(group: number, entry: Entry): boolean {
    const sids = bytesIn(entry, GROUP_SID).map((bytes) => sidText(bytes));
    const rids = sids.flatMap((sid) => OF_DOMAIN.exec(sid)?.groups?.['rid'] ?? []);
    for (const rid of rids) this.#groups.set(rid, group);
    return rids.length > 0;
  }

  /** Attributes of people that tell it. */
  get wanted(): readonly string[] {
    return this.#groups.size === 0 ? [] : [PRIMARY_GROUP, 'objectClass'];
  }

  /** Returns what an account names as its primary group, and the number of this group, if it matters. */
  of(entry: Entry): { readonly named: string | undefined; readonly group: number | undefined } {
    const [named] = this.#groups.size === 0 ? [] : valuesIn(entry, PRIMARY_GROUP);
    return { named, group: named === undefined ? undefined : this.#groups.get(named) };
  }

  /** Returns the attribute of the primary group if an account does not show it: each one of Active Directory has it. */
  hiddenIn(entry: Entry): typeof PRIMARY_GROUP | undefined {
    if (this.#groups.size === 0 || valuesIn(entry, PRIMARY_GROUP).length > 0) return undefined;
    const isAccount = valuesIn(entry, 'objectClass').some((name) => name.toLowerCase() === 'user');
    return isAccount ? PRIMARY_GROUP : undefined;
  }
}
