/**
 * Puts small faults into `src/`, one at a time, and counts those that `npm test` finds: `npm run mutants`. The sample is in
 * `sample.json`. Of the tests that reach a place the quickest are tried; all of them for the numbers that are given as
 * arguments. It takes half an hour of an idle machine, and is no part of CI.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { drawSample } from './sample.ts';
import { ROOT, siteOf, VARIABLE } from './sites.ts';

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

/** Returns the quickest of the test files, which take no longer than `QUICK_MS` together, and at least one. */
function quickest(tests: readonly TestFile[]): readonly TestFile[] {
  let total = 0;
  return tests.filter(({ took }, index) => (total += took) <= QUICK_MS || index === 0);
}

/** Returns the file of tests that finds a mutant; `undefined`: none does. */
function killerOf(number: number, tests: readonly TestFile[]): string | undefined {
  if (tests.length === 0) return undefined;
  const files = tests.map(({ path }) => path);
  const { isPassed, output } = passes(String(number), files);
  return isPassed ? undefined : (/FAIL .*?(?<test>test\/\S+)/u.exec(output)?.groups?.['test'] ?? files[0]);
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const wanted = process.argv.slice(2).map(Number);
const drawn = [...drawSample().entries()];
// The code of others is gone: tests cannot find a fault in it.
const sample = drawn.filter(
  ([number, mutant]) => (wanted.length === 0 || wanted.includes(number)) && siteOf(mutant) !== undefined,
);
const reached = reach();
let killed = 0;
for (const [number, { file, text, to }] of sample) {
  const tests = reached.get(number) ?? [];
  const tried = wanted.length === 0 ? quickest(tests) : tests;
  const by = killerOf(number, tried);
  if (by !== undefined) killed += 1;
  const fault = to === '' ? `without ${firstLine(text)}` : `${firstLine(text)} → ${firstLine(to)}`;
  const found = by === undefined ? 'SURVIVED' : 'killed  ';
  console.log(
    `${found} ${String(number).padStart(2)} ${file}: ${fault} (${tried.length} of ${tests.length} test files${by === undefined ? '' : `, ${by}`})`,
  );
}
console.log(`${killed} of ${sample.length} killed`);
