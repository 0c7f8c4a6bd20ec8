import { SourceError } from '../../../domain/errors.ts';
import { foldUsername } from '../../../domain/text/fold.ts';
import { hashedName } from '../../../lib/digest.ts';
import type { Spot } from '../../../domain/records/recognition.ts';
import { printable } from '../../../domain/text/printable.ts';
import { canonicalDn } from '../terms/dn.ts';
import { spotOf } from '../terms/spot.ts';
import type { MemberRef, MemberStore } from './member-store.ts';

/** So many are remembered: the computers of a large domain, if somebody makes them members. */
const MOST = 10_000;

/** So many new ones are looked at. */
const LOOKED_AT = 100;

/** What the groups of a read say of others, in this read and in the last complete one. */
interface Known {
  /** DNs of groups in groups that the last complete read followed. */
  readonly expected: readonly string[];
  /** Places of members who were nobody in it. */
  readonly expectedNobodies: readonly Spot[];
  readonly isExcluded: (dn: string) => boolean;
  /** Has the groups that were found, by DN in canonical spelling. */
  readonly byDn: ReadonlyMap<string, unknown>;
  /** Returns the DN of a group that names this member. */
  readonly holderOf: (dn: string) => string;
  /** Returns `null` where there is no entry, or it may not be read. */
  readonly look: (dn: string) => Promise<object | null>;
}

/** Members of the groups of the scope who are nobody among the people: computers, the excluded, and what is not found. */
export class Nobodies {
  readonly #dns: readonly string[];
  readonly #uids: readonly string[];

  /** @param isInScope whether a group, by its number, puts its members in scope: others say nothing of that */
  constructor(store: MemberStore, isInScope: (group: number) => boolean) {
    const unseen = store.unseen(MOST + 1);
    const named = (kind: MemberRef['kind']): readonly string[] =>
      unseen.filter((text) => store.groupsOf({ kind, text }).some(isInScope));
    this.#dns = named('dn').filter((text) => canonicalDn(text) !== null);
    this.#uids = named('uid');
  }

  /** Hashes of the `uid` values by which groups name them, sorted; `undefined`: they are too many. */
  get uids(): readonly string[] | undefined {
    return this.#uids.length > MOST
      ? undefined
      : this.#uids.map((uid) => hashedName(foldUsername(uid))).toSorted();
  }

  /** Their places, sorted; `undefined`: they are too many to be remembered. */
  get spots(): readonly Spot[] | undefined {
    return this.#dns.length > MOST ? undefined : this.#dns.map((dn) => spotOf(dn)).toSorted();
  }

  /**
   * Throws a SourceError where a group in groups is not found any more, nobody names it as a member any more, and there is
   * a new member that is not found either: that may be the same group under another DN, and its members would be out of
   * scope.
   */
  async requireKnown({ expected, expectedNobodies, byDn, look, ...known }: Known): Promise<void> {
    const gone = expected.filter((dn) => !byDn.has(canonicalDn(dn) ?? dn));
    const lost = await firstHidden(gone, look);
    if (lost === null) return;
    const before = new Set(expectedNobodies);
    const fresh = this.#dns.filter((dn) => !before.has(spotOf(dn)) && !known.isExcluded(dn));
    const dn = await firstHidden(fresh.slice(0, LOOKED_AT), look);
    if (dn !== null) throw hiddenUnder(lost, { dn, holder: known.holderOf(dn) });
  }
}

/** Returns the first that is not found; `null`: all are. */
async function firstHidden(dns: readonly string[], look: Known['look']): Promise<string | null> {
  for (const dn of dns) if ((await look(dn)) === null) return dn;
  return null;
}

interface Unknown {
  readonly dn: string;
  /** DN of a group that names it as a member. */
  readonly holder: string;
}

function hiddenUnder(lost: string, { dn, holder }: Unknown): SourceError {
  const [name, above] = [printable(dn), printable(holder)];
  return new SourceError(
    `source: the group ${printable(lost)} of the last complete read is not found any more, and the group ${above} has a new ` +
      `member ${name} that is not found either: it may be the same group under another name, so that its own members would ` +
      'be out of it; the read is incomplete and nothing of it is used. Give source.bindDn the right to read it; where it is ' +
      `nothing that counts, take it out of the members of ${above}, or write its DN below source.people.exclude.`,
  );
}
