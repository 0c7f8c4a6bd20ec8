import { expect, test } from 'vitest';
import type { SandboxCall } from '../../src/sandbox/http/call-log.ts';
import { expectedState } from '../scenarios/expected-state.ts';
import { hasServer } from '../servers/install.ts';
import { stateOf } from '../sync/world.ts';
import { SoakStage } from './soak-stage.ts';

const HOURS = Number(process.env['SOAK_HOURS'] ?? 0) || 3;
const MINUTES_APART = 15;
const STEPS = Math.floor((HOURS * 60) / MINUTES_APART);

interface Item {
  readonly username?: string;
  readonly serial_no?: string;
}

/** Returns what a changing call is about: one text for each record. */
function subjectsOf({ operation, path }: SandboxCall, body: string): readonly string[] {
  if (!operation.startsWith('import')) return [`${operation} ${new URL(path, 'http://sandbox').pathname}`];
  return (JSON.parse(body) as readonly Item[]).map((one) => `${operation} ${one.username ?? one.serial_no}`);
}

test.runIf(hasServer('slapd'))(
  `two daemons on one ledger, ${STEPS} times of their schedule: both run each time, and each change is sent once`,
  async () => {
    const schedule = { cron: `*/${MINUTES_APART} * * * *`, fullCron: '0 */6 * * *' };
    const stage = await SoakStage.open({ people: 100, keepDays: 1, ...schedule });
    let sent: string[] = [];
    stage.onCall = (call, body) => {
      if (call.method !== 'GET') sent.push(...subjectsOf(call, body));
    };
    const daemons = [stage.start(), stage.start()];
    const bothRan = async (): Promise<readonly number[]> => {
      for (const daemon of daemons) await daemon.runsEnded();
      await stage.idle();
      return daemons.map((daemon) => {
        const ends = daemon.takeLines().filter(({ event }) => event === 'run.end');
        expect(ends.map(({ result }) => result)).toEqual(['ok']);
        return Number(ends[0]?.['applied']);
      });
    };
    await bothRan();
    expect(sent.length).toBe(new Set(sent).size);
    const applied = [0, 0];
    for (let step = 0; step < STEPS; step += 1) {
      sent = [];
      const { kind, people } = stage.change();
      // Now one, now the other hears first that it is time.
      await stage.pass(MINUTES_APART, step % 2 === 0 ? daemons : daemons.toReversed());
      (await bothRan()).forEach((count, index) => void (applied[index]! += count));
      expect({ kind, twice: sent.filter((one, index) => sent.indexOf(one) !== index) }).toEqual({
        kind,
        twice: [],
      });
      const imported = sent.filter((one) => one.startsWith('importEmployees')).toSorted();
      const changed = people.map((id) => `importEmployees ${id}`).toSorted();
      expect(imported).toEqual(kind === 'retitled' || kind === 'moved' ? changed : imported);
    }
    process.stdout.write(`${STEPS} times; changes applied by each daemon: ${applied.join(', ')}\n`);
    expect(applied.every((count) => count > 0)).toBe(true);
    for (let step = 0; step < 3; step += 1) {
      await stage.pass(MINUTES_APART);
      await bothRan();
    }
    expect(stateOf(stage.sandbox)).toEqual(expectedState(stage.company.world, stage.company.everybodyIn));
    for (const daemon of daemons) {
      expect(await stage.end(daemon, 'SIGTERM')).toBe(0);
      expect(daemon.strange).toEqual([]);
    }
  },
  Math.max(600_000, STEPS * 20_000),
);
