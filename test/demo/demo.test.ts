import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { compiledApart } from '../runtime/compiled.ts';

let dir = '';

beforeAll(() => {
  // Two of the tests put another program in its place.
  dir = compiledApart(['src']);
});

/** The demo with a temporary folder of its own. */
function demo(...args: readonly string[]) {
  const tmp = join(dir, `tmp${args.join('')}`);
  mkdirSync(tmp, { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dir, 'src/demo/demo.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: tmp },
    timeout: 50_000,
  });
  // How wide its lines are does not depend on where the tests keep their files.
  const lines = stdout.replaceAll(tmp, '/tmp').split('\n');
  return { status, stderr, lines, left: readdirSync(tmp) };
}

it('ends as narrated, within 100 columns, and leaves nothing behind', () => {
  const { status, stderr, lines, left } = demo();
  expect({ status, stderr, left }).toEqual({ status: 0, stderr: '', left: [] });
  expect(lines.filter((line) => stripVTControlCharacters(line).length > 100)).toEqual([]);
  expect(lines.filter((line) => line.startsWith('$ '))).toEqual(
    ['plan', 'sync', 'sync', 'plan', 'sync', 'status', 'plan --html plan.html', 'run'].map(
      (verb) => `$ rollcall --config rollcall.yaml ${verb}`,
    ),
  );
  expect(lines).toContain('✓ The other 193 employees were not written again.');
  expect(lines).toContain('✓ 17 accounts were locked after that, and none before.');
  expect(lines.some((line) => line.startsWith('All as narrated'))).toBe(true);
});

it('keeps its folder when asked to', () => {
  const { status, lines, left } = demo('--keep');
  expect(status).toBe(0);
  expect(left).toEqual([expect.stringMatching(/^rollcall-demo-/)]);
  expect(lines.join('\n')).toMatch(new RegExp(`${left[0]}\\s+is kept`, 'u'));
});

it('knows no other option', () => {
  expect(demo('--kepe')).toMatchObject({ status: 2, stderr: 'usage: npm run demo [-- --keep]\n', left: [] });
});

it.each([
  ['does nothing', '', 'this does not hold: The service counted 0 calls, 0 of them changing.'],
  ['fails', 'process.exitCode = 4;', 'rollcall plan ended with exit code 4'],
])('fails where the command line %s', (_, main, sentence) => {
  writeFileSync(join(dir, 'src/main.js'), main);
  const { status, stderr, left } = demo();
  expect({ status, left }).toEqual({ status: 1, left: [] });
  expect(stderr).toContain(sentence);
});
