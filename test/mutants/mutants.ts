/**
 * Puts small faults into `src/`, one at a time, and counts those that `npm test` finds: `npm run mutants`. The sample is in
 * `sample.json`; numbers as arguments choose some of it. It takes an hour, and is no part of CI.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { drawSample } from './sample.ts';
import { ROOT, VARIABLE } from './sites.ts';

const EXCLUDED = 'test/{commands,container,demo,scenarios,soak}/**';
const LONGEST_MS = 1_200_000;
const QUICK_MS = 30_000;

/** Runs tests with a mutant; returns whether all pass, and what was printed. */
function passes(
  value: string,
  files: readonly string[],
): { readonly isPassed: boolean; readonly output: string } {
  const command = ['vitest', 'run', '--config', 'test/mutants/vitest.config.ts', '--exclude', EXCLUDED];
  const bail = /^\d+$/u.test(value) ? ['--bail=1'] : [];
  const { status, stdout } = spawnSync('npx', [...command, ...bail, ...files], {
    cwd: ROOT,
    env: { ...process.env, [VARIABLE]: value, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout: LONGEST_MS,
  });
  return { isPassed: status === 0, output: stdout };
}

/** A file of tests, and how long it took without a mutant, in milliseconds. */
interface TestFile {
  readonly path: string;
  readonly took: number;
}

/** Returns the test files that reach each mutant, the quickest first. */
function reach(): ReadonlyMap<number, readonly TestFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const log = join(folder, 'reached');
  if (!passes(log, []).isPassed) throw new Error('the tests fail without a mutant');
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  const files = new Map<number, TestFile[]>();
  for (const line of lines) {
    const [file, took, numbers] = JSON.parse(line) as [string, number, readonly number[]];
    const test = { path: relative(ROOT, file), took };
    for (const number of numbers) files.set(number, [...(files.get(number) ?? []), test]);
  }
  for (const tests of files.values()) tests.sort((a, b) => a.took - b.took);
  return files;
}

/** Parts test files: the quickest, which take no longer than `QUICK_MS` together, and the rest. */
function parted(tests: readonly TestFile[]): readonly (readonly string[])[] {
  let total = 0;
  const quick = tests.filter(({ took }) => (total += took) <= QUICK_MS);
  return [quick, tests.slice(quick.length)].map((part) => part.map(({ path }) => path));
}

/** Returns the file of tests that finds a mutant each time; `undefined`: none does. */
function killerOf(number: number, files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const { isPassed, output } = passes(String(number), files);
  if (isPassed) return undefined;
  const by = /FAIL .*?(?<test>test\/\S+)/u.exec(output)?.groups?.['test'] ?? files[0] ?? '';
  // A test that is slow on a busy machine is no killer.
  return passes(String(number), [by]).isPassed ? undefined : by;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const wanted = process.argv.slice(2).map(Number);
const sample = [...drawSample().entries()].filter(
  ([number]) => wanted.length === 0 || wanted.includes(number),
);
const reached = reach();
let killed = 0;
for (const [number, { file, text, to }] of sample) {
  const tests = reached.get(number) ?? [];
  const [quick = [], rest = []] = parted(tests);
  const by = killerOf(number, quick) ?? killerOf(number, rest);
  if (by !== undefined) killed += 1;
  const fault = to === '' ? `without ${firstLine(text)}` : `${firstLine(text)} → ${firstLine(to)}`;
  const found = by === undefined ? 'SURVIVED' : 'killed  ';
  console.log(
    `${found} ${String(number).padStart(2)} ${file}: ${fault} (${tests.length} test files${by === undefined ? '' : `, ${by}`})`,
  );
}
console.log(`${killed} of ${sample.length} killed`);
