import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../src/domain/errors.ts';
import { runDaemon, type DaemonOptions } from '../../src/runtime/daemon.ts';
import { MemoryLog } from './memory-log.ts';

const SATURDAY = '2026-11-21T12:07:00Z';
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const settings: DaemonOptions['settings'] = {
  cron: '*/15 * * * *',
  fullCron: '0 3 * * 0',
  timezone: 'UTC',
};

/** A daemon in a world of its own: signals, clock, and runs that are noted as `trigger full? @time`. */
function world(options: Partial<DaemonOptions> = {}) {
  const signals = new EventEmitter();
  const log = new MemoryLog();
  const runs: string[] = [];
  const exits: number[] = [];
  const daemon: DaemonOptions = {
    settings,
    runOnce: async ({ trigger, full }) => {
      runs.push(`${trigger}${full ? ' full' : ''} @${new Date().toISOString().slice(8, 16)}`);
    },
    lastFullRun: () => null,
    reload: () => settings,
    steps: () => 0,
    beat: () => undefined,
    log,
    signals,
    exit: (code) => void exits.push(code),
    ...options,
  };
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    signals.emit(name, name);
    await vi.advanceTimersByTimeAsync(0);
  };
  const start = () => {
    let ended = false;
    const end = runDaemon(daemon).finally(() => (ended = true));
    return { end, hasEnded: () => ended };
  };
  return {
    start,
    signals,
    signal,
    log,
    runs,
    exits,
    messages: () => log.lines.map(({ message }) => message),
  };
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      now: Date.parse(SATURDAY),
      toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    }),
);
afterEach(() => void vi.useRealTimers());

describe('schedule', () => {
  it('runs at start, at each time of cron, and once, full, where both fall on one time', async () => {
    const { start, signal, runs } = world();
    const { end } = start();
    await vi.advanceTimersByTimeAsync(25 * 60_000);
    expect(runs).toEqual(['start @21T12:07', 'cron @21T12:15', 'cron @21T12:30']);
    await vi.advanceTimersByTimeAsync(14.5 * HOUR);
    expect(runs.slice(-2)).toEqual(['cron @22T02:45', 'fullCron full @22T03:00']);
    await signal('SIGTERM');
    await end;
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(runs.at(-1)).toBe('fullCron full @22T03:00');
  });

  it.each([
    ['passed since the last one', '2026-11-15T02:59:00Z', 'owed full @21T12:07'],
    ['was made', '2026-11-15T03:00:00Z', 'start @21T12:07'],
  ])('owes a full run at start where its time %s', async (_, lastFull, first) => {
    const { start, signal, runs } = world({ lastFullRun: () => Date.parse(lastFull) });
    const { end } = start();
    await signal('SIGTERM');
    await end;
    expect(runs).toEqual([first]);
  });

  it('without fullCron and owed runs waits for its time after the first run', async () => {
    const quiet = { ...settings, fullCron: null };
    const { start, signal, runs } = world({ settings: quiet, lastFullRun: () => 0 });
    const { end } = start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toEqual(['start @21T12:07']);
    await signal('SIGINT');
    await end;
  });
});

/** Somebody sets the clock; no timer notices. */
function step(by: number): void {
  vi.setSystemTime(Date.now() + by);
}

describe('a clock that is set', () => {
  it('back by a day: the next run comes at the next time of the schedule, as if nothing was', async () => {
    const { start, signal, runs } = world();
    const { end } = start();
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    step(-DAY);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(runs.slice(1)).toEqual(['cron @21T12:15', 'cron @20T12:30', 'cron @20T12:45']);
    step(DAY);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(runs.slice(4)).toEqual(['cron @21T12:47', 'cron @21T13:00', 'cron @21T13:15']);
    await signal('SIGTERM');
    await end;
  });

  it('back to just before a time of the schedule, which passes until the next look: it comes', async () => {
    const { start, signal, runs } = world();
    const { end } = start();
    await vi.advanceTimersByTimeAsync(20 * 60_000 + 10_000);
    step(-(2 * HOUR + 12 * 60_000 + 30_000));
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(runs.slice(1)).toEqual(['cron @21T12:15', expect.stringMatching(/^cron @21T10:15/u)]);
    await signal('SIGTERM');
    await end;
  });

  it('on by a week: one run is owed, full where one was to be, and comes within a minute', async () => {
    const { start, signal, runs } = world();
    const { end } = start();
    step(7 * DAY);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs.slice(1)).toEqual(['fullCron full @28T12:08']);
    await vi.advanceTimersByTimeAsync(7 * 60_000);
    expect(runs.slice(2)).toEqual(['cron @28T12:15']);
    await signal('SIGTERM');
    await end;
  });

  it('back by some seconds: what was made at that time is not made twice', async () => {
    const { start, signal, runs } = world();
    const { end } = start();
    await vi.advanceTimersByTimeAsync(8 * 60_000 + 500);
    step(-20_000);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(runs.slice(1)).toEqual(['cron @21T12:15']);
    await signal('SIGTERM');
    await end;
  });

  it('owes a full run at start where the last one was counted in the future', async () => {
    const { start, signal, runs } = world({ lastFullRun: () => Date.parse('2027-11-21T00:00:00Z') });
    const { end } = start();
    await signal('SIGTERM');
    await end;
    expect(runs).toEqual(['owed full @21T12:07']);
  });
});

describe('a failed run', () => {
  it('is logged, and the daemon lives on', async () => {
    let tries = 0;
    const { start, signal, log } = world({
      runOnce: () => {
        tries++;
        return Promise.reject(new Error('no source'));
      },
    });
    const { end } = start();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(tries).toBe(2);
    expect(log.lines[0]).toMatchObject({ level: 'error', fields: { error: new Error('no source') } });
    await signal('SIGTERM');
    await end;
  });
});

describe('signals', () => {
  it('SIGUSR2 starts a run', async () => {
    const { start, signal, runs } = world();
    const { end } = start();
    await signal('SIGUSR2');
    expect(runs.slice(1)).toEqual(['signal @21T12:07']);
    await signal('SIGTERM');
    await end;
  });

  it('SIGHUP takes the new schedule, and a bad configuration leaves the old one', async () => {
    let broken = true;
    const { start, signal, runs, messages } = world({
      reload: () => {
        if (broken) throw new ConfigError('bad');
        return { ...settings, cron: '0 13 * * *' };
      },
    });
    const { end } = start();
    await signal('SIGHUP');
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    broken = false;
    await signal('SIGHUP');
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(runs.slice(1)).toEqual(['cron @21T12:15', 'cron @21T13:00']);
    expect(messages()).toEqual([
      'the configuration cannot be used; the old one stays',
      'configuration read again',
    ]);
    await signal('SIGTERM');
    await end;
  });

  it('SIGTERM aborts the run, waits for it, and drops the one that waits', async () => {
    let finish: (() => void) | undefined;
    let aborted = false;
    const { start, signal, log, exits } = world({
      runOnce: ({ signal: stop }) => {
        stop.addEventListener('abort', () => (aborted = true));
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    const { end, hasEnded } = start();
    await signal('SIGUSR2');
    await signal('SIGTERM');
    await vi.advanceTimersByTimeAsync(20_000);
    expect([aborted, hasEnded()]).toEqual([true, false]);
    finish?.();
    await end;
    expect(exits).toEqual([]);
    expect(log.lines.at(-1)?.fields).toMatchObject({
      event: 'run.skipped',
      trigger: 'signal',
      reason: 'stopping',
    });
  });

  it('SIGTERM waits 25 s for the calls in flight, no longer', async () => {
    let hasQuit = false;
    const { start, signal, messages } = world({
      runOnce: ({ quit }) =>
        new Promise(() => {
          quit.addEventListener('abort', () => (hasQuit = true));
        }),
    });
    const { end, hasEnded } = start();
    await signal('SIGTERM');
    await vi.advanceTimersByTimeAsync(24_999);
    expect([hasEnded(), hasQuit]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(messages().at(-1)).toMatchInlineSnapshot(
      `"calls in flight did not end in time; the next run finds out what became of them"`,
    );
    expect(hasQuit).toBe(true);
  });

  it('a second SIGTERM or SIGINT exits at once', async () => {
    const { start, signal, exits } = world({ runOnce: () => new Promise(() => undefined) });
    start();
    await signal('SIGTERM');
    await signal('SIGINT');
    expect(exits).toEqual([1]);
  });
});

describe('heartbeat', () => {
  it('beats at start and every 30 s, also while a run takes long, and its failure is no end', async () => {
    let beats = 0;
    const { start, messages } = world({
      runOnce: () => new Promise(() => undefined),
      beat: () => {
        beats++;
        if (beats === 2) throw new Error('disk full');
      },
    });
    start();
    await vi.advanceTimersByTimeAsync(95_000);
    expect(beats).toBe(4);
    expect(messages()).toEqual(['the heartbeat cannot be written']);
  });

  it.each([
    ['stands still stops after three intervals, said once', { hangs: true, goesOn: false }, '12:44', 1],
    ['takes its steps goes on, however long it takes', { hangs: true, goesOn: true }, '15:07', 0],
    ['has ended goes on', { hangs: false, goesOn: false }, '15:07', 0],
  ])('of a daemon whose run %s', async (_, { hangs, goesOn }, last, said) => {
    let [steps, beat] = [0, ''];
    const { start, messages, runs } = world({
      ...(hangs ? { runOnce: () => new Promise(() => undefined) } : {}),
      steps: () => (goesOn ? (steps += 1) : steps),
      beat: () => (beat = new Date().toISOString().slice(11, 16)),
    });
    start();
    await vi.advanceTimersByTimeAsync(3 * HOUR);
    const stands = messages().filter((message) => message.includes('three intervals'));
    expect([beat, stands.length]).toEqual([last, said]);
    expect(runs.length).toBe(hangs ? 0 : 13);
  });
});
