import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { VARIABLE } from './sites.ts';

const file = process.env[VARIABLE] ?? '';
const reached = new Set<number>();

// Only while the tests are looked for that reach a mutant.
if (file.startsWith('/')) {
  Object.assign(globalThis, { reached: (number: number) => reached.add(number) });
  afterAll(() => {
    appendFileSync(file, `${JSON.stringify([expect.getState().testPath, [...reached]])}\n`);
  });
}
