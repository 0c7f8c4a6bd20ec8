import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';

export class Crash extends Error {}

/** As if the process had died at the n-th write of the journal, before or after it: nothing is written any more. */
export function crashing(ledger: Ledger, at: number, when: 'before' | 'after'): Ledger {
  let writes = 0;
  const dying =
    <A extends readonly unknown[], T>(write: (...args: A) => T) =>
    (...args: A): T => {
      writes += 1;
      if (writes > at || (writes === at && when === 'before')) throw new Crash();
      const result = write(...args);
      if (writes === at) throw new Crash();
      return result;
    };
  const dead = () => writes >= at;
  const guarded = <O extends object>(part: O): O =>
    new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (dead()) throw new Crash();
          return Reflect.apply(value, target, args);
        };
      },
    });
  const { journal, troubles, people, units, view, runs } = ledger;
  return {
    staging: ledger.staging,
    plan: ledger.plan,
    approvals: ledger.approvals,
    lease: ledger.lease,
    seen: ledger.seen,
    leftInside: ledger.leftInside,
    history: guarded(ledger.history),
    forgotten: guarded(ledger.forgotten),
    people: guarded(people),
    units: guarded(units),
    view: guarded(view),
    runs: guarded(runs),
    troubles: guarded(troubles),
    journal: {
      ...guarded(journal),
      open: dying((entry) => journal.open(entry)),
      settle: dying((...settled) => journal.settle(...settled)),
    },
    fact: (name) => ledger.fact(name),
    setFacts: (facts) => ledger.setFacts(facts),
    keyed: (text) => ledger.keyed(text),
    noneAfter: (latest, lapsed) => ledger.noneAfter(latest, lapsed),
    forgetOld: (old) => ledger.forgetOld(old),
    requireRoom: () => ledger.requireRoom(),
    transaction: (work) => ledger.transaction(work),
    close: () => ledger.close(),
  };
}
