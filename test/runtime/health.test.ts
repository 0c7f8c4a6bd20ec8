import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { heartbeatFile, heartbeatTime, isHealthy, Heart, standingOf } from '../../src/runtime/health.ts';
import { SYNC } from '../plan/build.ts';
import { scratchFolder } from '../servers/scratch.ts';

const DAY = 86_400_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');

let dir = '';
let file = '';
beforeEach(() => {
  dir = scratchFolder('health');
  file = heartbeatFile(join(dir, 'rollcall.db'));
});

/** What the clock says, and so many ms on the watch of one start of the machine. */
const now = (time: number, at: number, boot: string | null = 'this start') => ({
  time,
  watch: { boot, now: () => at },
});

it('a daemon is healthy while its heartbeat is younger than 2 minutes', () => {
  expect(isHealthy(file, now(NOON, 0))).toBe(false);
  new Heart(file).beat(now(NOON, 1_000));
  expect(heartbeatTime(file)).toBe(NOON);
  expect(isHealthy(file, now(NOON + 119_999, 120_999))).toBe(true);
  expect(isHealthy(file, now(NOON + 120_000, 121_000))).toBe(false);
  expect(readdirSync(dir)).toEqual(['rollcall.db.heartbeat']);
});

it.each(['{"time":"soon"}', '{"daemons":[{"time":"soon"}]}', '{', 'null', '7'])(
  'a file that is no heartbeat is none: %s',
  (text) => {
    writeFileSync(file, text);
    expect(isHealthy(file, now(NOON, 0))).toBe(false);
  },
);

it.each([-DAY, DAY])('a clock that is set by %i ms makes no heartbeat younger or older', (step) => {
  new Heart(file).beat(now(NOON, 1_000));
  expect(isHealthy(file, now(NOON + step, 61_000))).toBe(true);
  expect(isHealthy(file, now(NOON + step, 121_000))).toBe(false);
});

it('a heartbeat of another start of the machine is of a daemon that is gone', () => {
  new Heart(file).beat(now(NOON, 1_000));
  expect(isHealthy(file, now(NOON, 1_000, 'the next start'))).toBe(false);
});

it('where the machine tells of no start the clock decides, and a heartbeat of the future is none', () => {
  new Heart(file).beat(now(NOON, 1_000, null));
  expect(isHealthy(file, now(NOON + 60_000, 9, null))).toBe(true);
  expect(isHealthy(file, now(NOON + 120_000, 9, null))).toBe(false);
  expect(isHealthy(file, now(NOON - DAY, 9, null))).toBe(false);
});

describe('of two daemons on one ledger', () => {
  it('none takes the heartbeat of the other away, whoever was the last to beat, and the last one does', () => {
    const [one, other, third] = three();
    one.beat(after(0));
    other.beat(after(10));
    one.stop(after(20));
    expect(isHealthy(file, after(40))).toBe(true);
    other.beat(after(40));
    third.beat(after(45));
    third.stop(after(50));
    expect(isHealthy(file, after(60))).toBe(true);
    other.stop(after(65));
    expect(readdirSync(dir)).toEqual([]);
  });

  it('one that was killed keeps no heartbeat alive', () => {
    const [one, other] = three();
    one.beat(after(0));
    other.beat(after(10));
    other.stop(after(30));
    expect([isHealthy(file, after(119)), isHealthy(file, after(121))]).toEqual([true, false]);
  });

  it('the last one takes it away, once the other is gone for two minutes', () => {
    const [one, other] = three();
    one.beat(after(0));
    other.beat(after(10));
    other.stop(after(131));
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('how the daemons stand', () => {
  const standing = (seconds: number, mode: 'apply' | 'report' = 'apply') =>
    standingOf(
      { state: { path: join(dir, 'rollcall.db'), keepDays: 1 }, sync: { ...SYNC, mode } },
      after(seconds),
    );
  const refused = { mode: 'apply', reloadRefused: 'no such key' } as const;
  const reports = { mode: 'report', reloadRefused: null } as const;

  it('is said by the one that lives, and by the configuration if there is none', () => {
    const [one] = three();
    expect(standing(0, 'report')).toEqual({ isReportOnly: true, otherDaemons: 0, reloadRefused: null });
    one.beat(after(0));
    expect(standing(1, 'report').isReportOnly).toBe(false);
    one.beat(after(30), reports);
    expect(standing(31).isReportOnly).toBe(true);
    one.stop(after(40));
    expect(standing(41).isReportOnly).toBe(false);
  });

  it('counts another one once it beats, and one that was killed before never', () => {
    const [killed, one, other] = three();
    killed.beat(after(0), refused);
    one.beat(after(10), reports);
    expect(standing(11)).toEqual({ isReportOnly: true, otherDaemons: 0, reloadRefused: null });
    one.beat(after(40));
    expect(standing(41).otherDaemons).toBe(0);
    other.beat(after(45));
    one.beat(after(70));
    expect(standing(71).otherDaemons).toBe(1);
    other.beat(after(75), refused);
    expect(standing(76)).toEqual({ isReportOnly: false, otherDaemons: 1, reloadRefused: 'no such key' });
    other.stop(after(80));
    expect(standing(81)).toEqual({ isReportOnly: false, otherDaemons: 0, reloadRefused: null });
    expect(isHealthy(file, after(81))).toBe(true);
  });

  it('only reports if all of them do', () => {
    const [one, other] = three();
    for (const seconds of [0, 30]) {
      one.beat(after(seconds));
      other.beat(after(seconds + 1), reports);
    }
    expect(standing(32, 'report')).toEqual({ isReportOnly: false, otherDaemons: 1, reloadRefused: null });
  });
});

const after = (seconds: number) => now(NOON + seconds * 1_000, 1_000 + seconds * 1_000);
const three = (): readonly [Heart, Heart, Heart] => [new Heart(file), new Heart(file), new Heart(file)];
