import type { PersonChange } from '../../domain/changes.ts';
import { lossesOf, unmappedOf } from '../../plan/values/unmapped.ts';
import { listSome } from '../../domain/text/printable.ts';
import { accountOf, isTrusted, unmappedRules } from '../calls/person-body.ts';
import { MOST_TRIED } from './try-unmapped.ts';
import type { SendingRun } from '../state/world.ts';

/** Only few may lose what the service has filled in by itself, until it is known whether it keeps that. */
export class FilledIn {
  readonly #run: SendingRun;
  readonly #isAny: boolean;
  /** Imported although they may lose it. */
  readonly tried = new Set<string>();

  constructor(run: SendingRun) {
    this.#run = run;
    const { values = {} } = run.ledger.fact('newAccounts') ?? {};
    this.#isAny = run.sync.unmapped === 'try' && Object.keys(values).length > 0;
  }

  /** Returns why the change waits, or `null`. */
  waits(change: PersonChange): string | null {
    if (!this.#isAny || change.loses !== undefined || isTrusted(this.#run, change)) return null;
    const shown = accountOf(this.#run, change);
    const values =
      shown === null ? [] : unmappedOf(change.payload, shown).filter(({ writable }) => !writable);
    if (values.length === 0) return null;
    const rules = unmappedRules(this.#run);
    const names = listSome(values.map(({ name }) => name));
    if (lossesOf(values, rules) !== null) return `waits: the service clears ${names}, as was just found out`;
    if (values.every(({ kind }) => rules.keeps[kind] !== null)) return null;
    if (this.tried.size === MOST_TRIED)
      return `waits until it is known whether the service keeps ${names}: that is tried on others`;
    this.tried.add(change.id);
    return null;
  }
}
