import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../readme/page.ts';
import { hasServer } from '../servers/install.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

const UNIT = readFileSync(join(ROOT, 'config/deploy/rollcall.service'), 'utf8');

/** What `systemd-analyze security` may find at most, in tenths; a service without any protection has 96. */
const MOST_EXPOSED = 15;

describe.runIf(hasServer('systemd'))('the unit of systemd', () => {
  let folder = '';
  let file = '';
  beforeAll(() => {
    folder = scratchFolder('systemd');
    file = join(folder, 'rollcall.service');
    // Node is in another place on this machine.
    writeFileSync(file, UNIT.replace('/usr/bin/node', process.execPath));
  });
  afterAll(() => removeFolder(folder));

  const verify = () =>
    spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' }).stderr;

  test('is one that systemd takes without a word', () => {
    expect(verify()).toBe('');
  });

  test('exposes little', () => {
    const args = ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, '--no-pager', file];
    expect(execFileSync('systemd-analyze', args, { encoding: 'utf8' })).toMatch(/exposure .* OK/u);
  });
});

test('the unit gives calls in flight their time, and does not try a wrong configuration again', () => {
  const settings = new Map(
    Array.from(UNIT.matchAll(/^([A-Z]\w+)=(.*)$/gmu), ([, key = '', value = '']) => [key, value]),
  );
  expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThanOrEqual(30);
  expect(settings.get('RestartPreventExitStatus')).toBe('2');
  expect(settings.get('ExecStart')).toBe('/usr/bin/node /opt/rollcall/dist/main.js run');
});
