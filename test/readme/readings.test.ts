import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { READINGS } from '../../src/sandbox/options/readings.ts';
import { ROOT, tableOf, withTables } from './page.ts';

const FILE = 'docs/service-readings.md';

test('docs/service-readings.md has the readings of the sandbox', async () => {
  const rows = Object.entries(READINGS).map(([name, { values, byDefault, about }]) => [
    `\`${name}=${(byDefault === false ? 'off|on' : values).replaceAll('|', '\\|')}\``,
    about,
  ]);
  const tables = { 'readings table': tableOf(['reading', 'what it is about'], rows) };
  const { is, made } = await withTables(FILE, tables);
  expect(is, 'run `npm run readme`').toBe(made);
});

test('the table of what rollcall does names readings that there are', () => {
  const [, page = ''] = readFileSync(join(ROOT, FILE), 'utf8').split('## What rollcall does');
  const [table = ''] = page.split('## Readings');
  const named = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`(?<name>\w+)/gu)])
    .map(({ groups }) => groups?.['name']);
  expect(named.length).toBeGreaterThan(20);
  expect(Object.keys(READINGS)).toEqual(expect.arrayContaining(named));
});
