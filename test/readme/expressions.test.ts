import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Example } from '../../src/source/mapping/expressions/function-spec.ts';
import { CEL_ROWS, FUNCTIONS, type CelRow } from '../../src/source/mapping/expressions/functions.ts';
import { emptied } from '../source/mapping/expressions/evaluate.ts';
import { ROOT, tableOf, withTables } from './page.ts';

const HEAD = ['call', 'what it gives', 'example', 'of', 'result'];

/** A cell ends at a bar, also within code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function rowOf({ usage, about, example }: CelRow): readonly string[] {
  const { expr, record, gives } = example;
  const from = Object.entries(record).map(([name, value]) => code(`${name}: ${shown(value)}`));
  return [code(usage), about, code(expr), from.join(' '), `${code(shown(gives))}${ifEmpty(example)}`];
}

/** What the example gives on a record without these values, if it is not empty as well. */
function ifEmpty({ expr }: Example): string {
  const given = emptied(expr);
  if (given === null) return '; it fails';
  return given.join('').trim() === '' ? '' : `; ${code(given.join(', '))}`;
}

const shown = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : `[${value.join(', ')}]`;

test('docs/sources/expressions.md has the functions of the code', async () => {
  const { is, made } = await withTables('docs/sources/expressions.md', {
    functions: tableOf(HEAD, Object.values(FUNCTIONS).map(rowOf)),
    cel: tableOf(HEAD, CEL_ROWS.map(rowOf)),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});

/** Files that have expressions as administrators copy them. */
const FILES = ['docs', 'config'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|yaml)$/u.test(name))
    .map((name) => join(folder, name)),
);

/** Returns the expressions in the examples of a page, or in a file of YAML. */
function expressionsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks = file.endsWith('.md')
    ? Array.from(
        text.matchAll(/^( *)```yaml\n(?<yaml>.*?)^\1```/gmsu),
        ({ groups }) => groups?.['yaml'] ?? '',
      )
    : [text];
  const values = blocks.flatMap((yaml) => parseAllDocuments(yaml).map((one): unknown => one.toJS()));
  return [...new Set(values.filter((one) => !isOfPrometheus(one)).flatMap(within))];
}

const isOfPrometheus = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'groups' in value;

function within(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    (key === 'expr' || key === 'where') && typeof one === 'string' ? [one] : within(one),
  );
}

const WRITTEN = FILES.flatMap((file) => expressionsOf(file).map((expr) => [file, expr] as const));

/** They decide who is a leaver: what an account does not show is unknown. */
const UNKNOWN = /\bbit\(userAccountControl, \d+\)/u;
/** Values of a joined source. */
const JOINED = /\bhr\.\w+/u;

describe('an expression of the examples', () => {
  test.each(WRITTEN.filter(([, expr]) => !UNKNOWN.test(expr) && !JOINED.test(expr)))(
    '%s: %s does not fail of empty values',
    (_file, expr) => expect(emptied(expr)).not.toBeNull(),
  );
});
