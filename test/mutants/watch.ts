import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// `VARIABLE` of `sites.ts`, which would load a compiler for each file of tests.
const file = process.env['MUTANT'] ?? '';
const reached = new Set<number>();
const begun = performance.now();

// Only while the tests are looked for that reach a mutant.
if (file.startsWith('/')) {
  Object.assign(globalThis, { reached: (number: number) => reached.add(number) });
  afterAll(() => {
    appendFileSync(
      file,
      `${JSON.stringify([expect.getState().testPath, performance.now() - begun, [...reached]])}\n`,
    );
  });
}
