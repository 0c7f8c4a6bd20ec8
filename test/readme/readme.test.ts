import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './page.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the README is short, and leads to each page of the docs', () => {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = files.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  expect(README.split('\n').length).toBeLessThanOrEqual(220);
  expect(README.split(/\s+/u).length).toBeLessThanOrEqual(1_550);
  expect(pages.filter((page) => !README.includes(`(${page})`))).toEqual([]);
});
