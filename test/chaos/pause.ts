import Sqlite from 'better-sqlite3';
import type { Service } from '../../src/domain/ports/service.ts';
import type { World } from '../sync/world.ts';

const CHANGES = /^(?:import|modify|delete|disable|enable|remove)/u;

/** Of a holder that sleeps: its lease has run out, and whoever comes takes it. */
export function takeLease({ ledgerFile }: World): void {
  const ledger = new Sqlite(ledgerFile);
  ledger.exec(`DELETE FROM fact WHERE name = 'lease'`);
  ledger.close();
}

/** Before the so-manieth changing call all calls of a run stop until `meanwhile` is done; those in flight end first. */
export function pausing(at: number, meanwhile: () => Promise<unknown>): (service: Service) => Service {
  let changes = 0;
  const running = new Set<symbol>();
  let gate: Promise<unknown> = Promise.resolve();
  const asleep = async (): Promise<void> => {
    while (running.size > 0) await new Promise((resolve) => void setTimeout(resolve, 1));
    await meanwhile();
  };
  const sent = async (call: () => Promise<unknown>): Promise<unknown> => {
    await gate;
    const token = Symbol('call');
    running.add(token);
    try {
      return await call();
    } finally {
      running.delete(token);
    }
  };
  return (service) =>
    new Proxy(service, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        if (typeof name !== 'string' || !CHANGES.test(name)) return call;
        return (...args: unknown[]) => {
          changes += 1;
          if (changes === at) gate = asleep();
          return sent(() => call(...args) as Promise<unknown>);
        };
      },
    });
}
