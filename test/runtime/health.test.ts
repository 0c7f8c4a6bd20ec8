import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { heartbeatFile, heartbeatTime, isHealthy, writeHeartbeat } from '../../src/runtime/health.ts';

it('a daemon is healthy while its heartbeat is younger than 2 minutes', () => {
  const dir = mkdtempSync(join(tmpdir(), 'rollcall-health-'));
  const file = heartbeatFile(join(dir, 'rollcall.db'));
  expect(isHealthy(file, 0)).toBe(false);
  writeHeartbeat(file, 1_000_000);
  expect(heartbeatTime(file)).toBe(1_000_000);
  expect(isHealthy(file, 1_000_000 + 119_999)).toBe(true);
  expect(isHealthy(file, 1_000_000 + 120_000)).toBe(false);
  expect(readdirSync(dir)).toEqual(['rollcall.db.heartbeat']);
  writeFileSync(file, '{"time":"soon"}');
  expect(isHealthy(file, 1_000_000)).toBe(false);
  writeFileSync(file, '{');
  expect(isHealthy(file, 1_000_000)).toBe(false);
});
