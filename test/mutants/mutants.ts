/**
 * Puts small faults into `src/`, one at a time, and counts those that `npm test` finds: `npm run mutants`. The sample is in
 * `sample.json`. It takes an hour and more, and is no part of CI.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { drawSample } from './sample.ts';
import { ROOT, VARIABLE, type Mutant } from './sites.ts';

const EXCLUDED = 'test/{commands,container,demo,scenarios,soak}/**';
const LONGEST_MS = 1_200_000;

/** Runs tests with a mutant; returns whether all pass, and what was printed. */
function passes(
  value: string,
  files: readonly string[],
): { readonly isPassed: boolean; readonly output: string } {
  const command = [
    'vitest',
    'run',
    '--config',
    'test/mutants/vitest.config.ts',
    '--exclude',
    EXCLUDED,
    '--bail=1',
  ];
  const { status, stdout } = spawnSync('npx', [...command, ...files], {
    cwd: ROOT,
    env: { ...process.env, [VARIABLE]: value, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout: LONGEST_MS,
  });
  return { isPassed: status === 0, output: stdout };
}

/** Returns the test files that reach each mutant. */
function reach(): ReadonlyMap<number, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const log = join(folder, 'reached');
  if (!passes(log, []).isPassed) throw new Error('the tests fail without a mutant');
  const files = new Map<number, string[]>();
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const [file, numbers] = JSON.parse(line) as [string, readonly number[]];
    for (const number of numbers) files.set(number, [...(files.get(number) ?? []), relative(ROOT, file)]);
  }
  rmSync(folder, { recursive: true });
  return files;
}

/** Tests of the mutant's own room come first. */
const byRoom = ({ file }: Mutant, tests: readonly string[]): readonly string[] => {
  const room = file.split('/')[1] ?? '';
  const isNear = (test: string): boolean => test.startsWith(`test/${room}`);
  return [...tests.filter(isNear), ...tests.filter((test) => !isNear(test))];
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const sample = drawSample();
const reached = reach();
let killed = 0;
for (const [number, mutant] of sample.entries()) {
  const tests = byRoom(mutant, reached.get(number) ?? []);
  const own = tests.filter((test) => test.startsWith(`test/${mutant.file.split('/')[1]}`));
  const runs = [own, tests].filter((files) => files.length > 0);
  const failed = runs.map((files) => passes(String(number), files)).find(({ isPassed }) => !isPassed);
  const by = /FAIL .*?(?<test>test\/\S+)/u.exec(failed?.output ?? '')?.groups?.['test'];
  if (failed !== undefined) killed += 1;
  const fault =
    mutant.to === ''
      ? `without ${firstLine(mutant.text)}`
      : `${firstLine(mutant.text)} → ${firstLine(mutant.to)}`;
  console.log(
    `${failed === undefined ? 'SURVIVED' : 'killed  '} ${String(number).padStart(2)} ${mutant.file}: ${fault} ` +
      `(${tests.length} test files${by === undefined ? '' : `, ${by}`})`,
  );
}
console.log(`${killed} of ${sample.length} killed`);
