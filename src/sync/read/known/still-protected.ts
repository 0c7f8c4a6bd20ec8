import { decidedBefore, protectingNames } from '../../../domain/reading/deciding.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { SyncSettings } from '../../../domain/settings.ts';
import { digest } from '../../../lib/digest.ts';
import type { Run } from '../../state/world.ts';

/** Returns the digest of `sync.protect.where`; `null`: there is none. */
export const protectRule = ({ protect: { where } }: SyncSettings): string | null =>
  where === undefined ? null : digest(where);

/** Who was protected in the last complete read, and is still where what said so is absent: it may be hidden. */
export class StillProtected {
  readonly #names: readonly string[];
  readonly #before: ReadonlyMap<string, readonly string[]>;

  constructor({ ledger, sync, source }: Run) {
    const rule = protectRule(sync);
    this.#names = protectingNames(decidedBefore(ledger.fact('decided'), source.identity));
    this.#before = rule === null ? new Map() : ledger.people.protectedBy(rule);
  }

  /** Returns the names that had a value when the person was protected, where one has none now; `null`: it is as told. */
  by({ id, isProtected }: Person, has: readonly string[] | null): readonly string[] | null {
    if (isProtected === true || has === null) return null;
    const before = this.#before.get(id) ?? [];
    return before.some((name) => this.#names.includes(name) && !has.includes(name)) ? before : null;
  }
}
