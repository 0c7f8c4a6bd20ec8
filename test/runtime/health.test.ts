import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { heartbeatFile, heartbeatTime, isHealthy, writeHeartbeat } from '../../src/runtime/health.ts';
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
  writeHeartbeat(file, now(NOON, 1_000));
  expect(heartbeatTime(file)).toBe(NOON);
  expect(isHealthy(file, now(NOON + 119_999, 120_999))).toBe(true);
  expect(isHealthy(file, now(NOON + 120_000, 121_000))).toBe(false);
  expect(readdirSync(dir)).toEqual(['rollcall.db.heartbeat']);
});

it.each(['{"time":"soon"}', '{', 'null', '7'])('a file that is no heartbeat is none: %s', (text) => {
  writeFileSync(file, text);
  expect(isHealthy(file, now(NOON, 0))).toBe(false);
});

it.each([-DAY, DAY])('a clock that is set by %i ms makes no heartbeat younger or older', (step) => {
  writeHeartbeat(file, now(NOON, 1_000));
  expect(isHealthy(file, now(NOON + step, 61_000))).toBe(true);
  expect(isHealthy(file, now(NOON + step, 121_000))).toBe(false);
});

it('a heartbeat of another start of the machine is of a daemon that is gone', () => {
  writeHeartbeat(file, now(NOON, 1_000));
  expect(isHealthy(file, now(NOON, 1_000, 'the next start'))).toBe(false);
});

it('where the machine tells of no start the clock decides, and a heartbeat of the future is none', () => {
  writeHeartbeat(file, now(NOON, 1_000, null));
  expect(isHealthy(file, now(NOON + 60_000, 9, null))).toBe(true);
  expect(isHealthy(file, now(NOON + 120_000, 9, null))).toBe(false);
  expect(isHealthy(file, now(NOON - DAY, 9, null))).toBe(false);
});
