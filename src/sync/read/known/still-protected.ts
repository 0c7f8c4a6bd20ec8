import { decidedBefore, isMembersOf, protectingNames } from '../../../domain/reading/deciding.ts';
import type { SourceEvidence } from '../../../domain/reading/source.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { SyncSettings } from '../../../domain/settings.ts';
import { listSome, printable } from '../../../domain/text/printable.ts';
import { digest } from '../../../lib/digest.ts';
import type { Run } from '../../state/world.ts';

/** Returns the digest of `sync.protect.where`; `null`: there is none. */
export const protectRule = ({ protect: { where } }: SyncSettings): string | null =>
  where === undefined ? null : digest(where);

/** Who was protected in the last complete read, and is still where what said so is absent: it may be hidden. */
export class StillProtected {
  readonly #names: readonly string[];
  readonly #before: ReadonlyMap<string, readonly string[]>;
  /** Groups that the rule reads, and that show members. */
  readonly #filled: ReadonlySet<string>;
  /** Those that showed members in the last complete read, and show none now. */
  readonly #lost: readonly string[];
  readonly #absent = new Set<string>();
  #count = 0;

  /** @param evidence of the read so far: groups are read before people */
  constructor({ ledger, sync, source }: Run, { deciding = [] }: SourceEvidence) {
    const rule = protectRule(sync);
    const before = decidedBefore(ledger.fact('decided'), source.identity);
    const filled = deciding.filter(({ name, had }) => isMembersOf(name) && had > 0);
    this.#names = protectingNames(before);
    this.#before = rule === null ? new Map() : ledger.people.protectedBy(rule);
    this.#filled = new Set(filled.map(({ name }) => name));
    const hadMembers = before.filter(({ name, had }) => isMembersOf(name) && had > 0);
    this.#lost = protectingNames(hadMembers).filter((name) => !this.#filled.has(name));
  }

  /** Returns the names that had a value when the person was protected, where one has none now; `null`: it is as told. */
  by({ id, isProtected }: Person, has: readonly string[] | null): readonly string[] | null {
    const before = isProtected === true || has === null ? undefined : this.#before.get(id);
    if (before === undefined || has === null) return null;
    const known = new Set([...before, ...this.#lost]);
    const absent = [...known].filter((name) =>
      isMembersOf(name) ? !this.#filled.has(name) : this.#names.includes(name) && !has.includes(name),
    );
    if (absent.length === 0) return null;
    this.#count += 1;
    for (const name of absent) this.#absent.add(name);
    return [...known];
  }

  /** Says of whom that is so, and how it ends; none: of nobody. */
  get warnings(): readonly string[] {
    if (this.#count === 0) return [];
    const who = this.#count === 1 ? '1 person stays' : `${this.#count} people stay`;
    return [
      `${who} protected by sync.protect.where as before, since what said so is absent: ` +
        `${listSome([...this.#absent].map((name) => printable(name)))}. Look whether the reading account may still ` +
        'read it; where it is gone for good, take it out of sync.protect.where: any other expression ends that',
    ];
  }
}
