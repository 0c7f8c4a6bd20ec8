import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../vitest.config.ts';
import { sampled } from './sample.ts';
import { ROOT, siteOf, VARIABLE, type Site } from './sites.ts';

const wanted = process.env[VARIABLE] ?? '';
const sites = sampled().flatMap((mutant, number) => {
  const site = siteOf(mutant);
  return site === undefined || (/^\d+$/u.test(wanted) && number !== Number(wanted)) ? [] : [{ number, site }];
});

/** Returns a text with the mutant in its place, or with a call that says that its place was reached. */
function edited(
  text: string,
  { number, site: { mutant, start, end } }: { number: number; site: Site },
): string {
  const reached = `globalThis.reached?.(${number})`;
  const isStatement = mutant.to === '';
  const watched = isStatement
    ? `{ ${reached}; ${text.slice(start, end)} }`
    : `(${reached}, (${text.slice(start, end)}))`;
  const faulty = isStatement ? '{}' : `(${mutant.to})`;
  return text.slice(0, start) + (/^\d+$/u.test(wanted) ? faulty : watched) + text.slice(end);
}

const plugin = {
  name: 'mutants',
  enforce: 'pre' as const,
  transform(_: string, id: string) {
    const here = sites.filter(({ site }) => join(ROOT, site.mutant.file) === id.split('?')[0]);
    if (here.length === 0) return null;
    const fromTheEnd = here.toSorted((a, b) => b.site.start - a.site.start);
    return {
      code: fromTheEnd.reduce(edited, readFileSync(join(ROOT, here[0]?.site.mutant.file ?? ''), 'utf8')),
      map: null,
    };
  },
};

export default mergeConfig(
  base,
  defineConfig({ plugins: [plugin], test: { setupFiles: [join(ROOT, 'test/mutants/watch.ts')] } }),
);
