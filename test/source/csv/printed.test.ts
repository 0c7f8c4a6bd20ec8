import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { ConfigError, StoppedError } from '../../../src/domain/errors.ts';
import type { CsvSettings } from '../../../src/source/csv/kind.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { COMPLETE } from '../csv-world.ts';
import { csvSource } from '../open-one.ts';
import { problem } from '../problem.ts';
import { never, readAll, type ReadResult } from '../source-contract.ts';
import { PEOPLE_TEXT, smallExport, UNITS_TEXT } from './small.ts';

type Program = NonNullable<CsvSettings['complete']['program']>;

const trailer = { pattern: String.raw`^END;(\d+)$` };
const WHOLE = `${PEOPLE_TEXT}END;2\n`;

interface Printed {
  readonly command: readonly string[];
  readonly program?: Program;
  readonly complete?: CsvSettings['complete'];
}

/** Settings of an export whose people are printed. */
function settingsOf({ command, program, complete = { trailer } }: Printed): CsvSettings {
  const small = smallExport();
  small.write('units.csv', `${UNITS_TEXT}END;2\n`);
  const { people, ...settings } = small.settings();
  const limits = program === undefined ? {} : { program };
  return {
    ...settings,
    complete: { ...COMPLETE, ...complete, ...limits },
    people: { rules: people.rules, command: [...command] },
  };
}

const sh = (script: string, ...args: readonly string[]) => ['sh', '-c', script, 'sh', ...args];
const printing = (text: string): string => `printf '${text.replaceAll('\n', String.raw`\n`)}'`;
const read = (printed: Printed): Promise<ReadResult> => readAll(csvSource(settingsOf(printed)));

/** Hangs, and is told from what other runs of these tests start. */
const HANG = `sleep ${100_000 + process.pid}`;

/** Returns whether anything of it runs. */
const hangs = (): boolean =>
  execFileSync('sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "']).toString().includes(HANG);

describe('a file that a program prints', () => {
  test('is read as each file is, and has no marks', async () => {
    const settings = settingsOf({ command: sh(printing(WHOLE)) });
    const { people, evidence } = await readAll(csvSource(settings));
    expect(people.map(({ id }) => id)).toEqual(['1', '2']);
    expect(evidence.parts).toMatchObject([
      { part: 'units', records: 2 },
      { part: 'people', records: 2, end: 'end of file', atLeastPercent: 80 },
    ]);
    const open = await csvSource(settings).open(never);
    onTestFinished(() => open.close());
    expect(await open.marks()).toMatchObject([{ name: expect.stringContaining('units.csv written') }]);
  });

  test.each<[string, string, string, string]>([
    ['has no trailer', printing(PEOPLE_TEXT), 'csv-no-trailer', 'the output of sh is not whole'],
    ['goes on behind its trailer', printing(`${WHOLE}3,cid,Cid,,u1\n`), 'csv-no-trailer', 'cid'],
    ['has another number of rows', printing(`${PEOPLE_TEXT}END;3\n`), 'csv-row-count', '3 rows'],
    ['is empty', 'true', 'csv-no-trailer', ''],
    ['has exit code 3', `${printing(WHOLE)}; exit 3`, 'csv-command', 'sh failed (3)'],
    ['is killed', `${printing(WHOLE)}; kill -9 $$`, 'csv-command', 'sh failed (SIGKILL)'],
  ])('is not whole if it %s', async (_, script, code, words) => {
    await expect(read({ command: sh(script) })).rejects.toThrow(
      problem(code, 'source.people.command: ', words),
    );
  });

  test.each<[string, string]>([
    ['is missing', '/nowhere/export'],
    ['is below a file', '/etc/passwd/export'],
    ['is not executable', '/etc/passwd'],
    ['is a folder', '/etc'],
  ])('is not whole if the program %s', async (_, program) => {
    await expect(read({ command: [program] })).rejects.toThrow(problem('csv-command', program, '(E'));
  });

  test.each<[string, string]>([
    ['hangs', HANG],
    ['goes on after its trailer', `${printing(WHOLE)}; ${HANG}`],
    ['goes on with its output closed', `${printing(WHOLE)}; exec >&-; ${HANG}`],
    ['leaves a process that can still print', `${printing(WHOLE)}; ${HANG} & exit 0`],
    ['ignores SIGTERM', `trap '' TERM; ${printing(WHOLE)}; ${HANG} & wait`],
  ])('is stopped if it %s', async (_, script) => {
    const program = { seconds: 0.5, megabytes: 1 };
    await expect(read({ command: sh(script), program })).rejects.toThrow(
      problem('csv-command', 'sh ran for more than 0.5 s'),
    );
    await expect.poll(hangs).toBe(false);
  });

  test('is stopped with rollcall, and nothing of it remains', async () => {
    const before = readdirSync(tmpdir());
    const settings = settingsOf({ command: sh(`${HANG} & ${HANG}`) });
    const stop = new AbortController();
    const reading = csvSource(settings).open(stop.signal);
    reading.catch(() => undefined);
    await expect.poll(hangs).toBe(true);
    stop.abort();
    await expect(reading).rejects.toBeInstanceOf(StoppedError);
    await expect.poll(hangs).toBe(false);
    const added = () => readdirSync(tmpdir()).filter((name) => !before.includes(name) && /csv-/u.test(name));
    await expect.poll(added).toEqual([]);
  });

  test('may not be larger than its limit', async () => {
    const program = { seconds: 60, megabytes: 2 };
    await expect(read({ command: ['yes'], program })).rejects.toThrow(
      problem('csv-command', 'yes prints more than 2 MB'),
    );
  });

  test('costs no memory', async () => {
    const folder = scratchFolder('printed');
    onTestFinished(() => removeFolder(folder));
    const script = join(folder, 'export.mjs');
    writeFileSync(
      script,
      `const row = '1,ann,Ann,' + 'x'.repeat(1_000) + ',u1\\n';
       const block = row.repeat(1_000);
       const pause = () => new Promise((resolve) => process.stdout.once('drain', resolve));
       process.stdout.write('id,login,name,title,unit\\n');
       for (let n = 0; n < 200; n += 1) if (!process.stdout.write(block)) await pause();
       process.stdout.write('END;200000\\n');`,
    );
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const reading = await csvSource(settingsOf({ command: [process.execPath, script] })).open(never);
    clearInterval(watch);
    await reading.close();
    expect(most - before).toBeLessThan(100 * 2 ** 20);
  });
});

describe('the last words of a program', () => {
  test.each<[string, readonly string[], string]>([
    [
      'its last line',
      sh('echo one >&2; echo "no route to HR" >&2; exit 1'),
      ', and last said: no route to HR. ',
    ],
    ['not its arguments', sh('echo "bad $1" >&2; exit 1', 'h-u-s-h'), ', and last said: bad …. '],
    ['no part of them', sh('echo "bad ${1#*=}" >&2; exit 1', '--key=h-u-s-h'), ', and last said: bad …. '],
    ['no sign that steers a terminal', sh(`printf '\\033[2J' >&2; exit 1`), String.raw`: \x1b[2J. `],
    ['nothing if it says nothing', sh('exit 1'), 'sh failed (1), and last said: nothing. '],
    ['the end of many', sh('yes no 2>&1 | head -c 9000000 >&2; echo end >&2; exit 1'), 'said: end. '],
  ])('are %s', async (_, command, words) => {
    await expect(read({ command })).rejects.toThrow(problem('csv-command', words));
  });
});

describe('a program in the configuration', () => {
  test.each<[string, CsvSettings['complete']]>([
    ['needs a trailer', {}],
    ['goes with no doneFile', { trailer, doneFile: '/done' }],
    ['goes with no maxAgeHours', { trailer, maxAgeHours: 26 }],
  ])('%s', (_, complete) => {
    const open = () => csvSource(settingsOf({ command: ['export'], complete }));
    expect(open).toThrow(ConfigError);
    expect(open).toThrow(/^source\.complete: .* write trailer: /u);
  });

  test('is told from another one by its arguments, which it does not show', () => {
    const identity = (...command: readonly string[]): string =>
      csvSource({ ...settingsOf({ command }), units: undefined }).identity;
    expect(identity('export', 'acme')).toBe(identity('export', 'acme'));
    expect(identity('export', 'acme')).not.toBe(identity('export', 'other'));
    expect(identity('export', 'acme')).toMatch(/"the output of export [\w-]{8}"/u);
  });
});
