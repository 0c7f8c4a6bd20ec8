import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import type { Example } from '../../src/source/mapping/expressions/function-spec.ts';
import { CEL_ROWS, FUNCTIONS, type CelRow } from '../../src/source/mapping/expressions/functions.ts';
import { NOW } from '../source/mapping/map-records.ts';

const FILE = join(new URL('../..', import.meta.url).pathname, 'docs/expressions.md');

const INTRODUCTION = `# Expressions

Made from the functions in [src/source/mapping/expressions](../src/source/mapping/expressions) by \`npm run readme\`; a
test evaluates each example.

\`{ expr: "…" }\` in place of the name of an attribute or column, \`where\` below \`source.units\` and \`source.people\`, and
\`sync.protect.where\` are [CEL](https://cel.dev) over the raw record. Every attribute or column exists, and is text: absent
is \`''\`, of several values it is the one that the RDN of the entry names, else the first in sorted order, and \`all.NAME\` is the
list of all. A field that takes one value keeps the one that was sent, as long as the record has it. A name with other signs
than letters, digits and \`_\` is written \`all['ms-ds-x'][0]\`. Where a field takes several values (positions' \`unit\`, tags,
properties, \`refs\`), a list gives several.

A record on which an expression fails loses that field, and is listed; one on which \`where\` fails is left as it is.
`;

const REST = `
## Tables

\`\`\`yaml
lookups:
  cities: { values: { B: Berlin, M: München } }
  ranks: { file: /config/ranks.csv, key: grade, value: title } # CSV in UTF-8; separator: ";" where it is no comma
\`\`\`

Files are read at each run. A key that is there twice, a column that is not there, and a table that no expression uses
are mistakes of the configuration.

## Days and zones

A day, or a time without a zone, is of \`sync.timezone\`, also in a mapped \`birthday\`; \`date('2026-11-30', 'Asia/Tokyo')\`
names another zone. \`daysBetween\` and \`monthsBetween\` count days of the calendar there, whatever the time of day, and so
do parts of a moment. A text with a zone of its own, as \`20261130000000Z\`, is that moment: if such texts are days of UTC
and \`sync.timezone\` lies west of it, count with \`daysBetween(date(last_day), now, 'UTC')\`.

A two-digit year of a birthday is the last one that has come. A birthday in the future is not sent, and is listed.

## Bounds

An expression reads nothing but the record, its tables and \`now\`. Patterns are those of RE2, whose time grows with the
length of the text alone: there are no back-references and no look-around. Nothing counts the steps of an expression: lists within
lists take as many as the product of their lengths.
`;

function rowOf({ usage, about, example }: CelRow): string {
  const { expr, record } = example;
  const from = Object.entries(record).map(([name, value]) => code(`${name}: ${shown(value)}`));
  return `| ${[code(usage), about, code(expr), from.join(' '), code(gives(example))].join(' | ')} |`;
}

const gives = ({ gives: result }: Example): string => shown(result);
const shown = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : `[${value.join(', ')}]`;
/** A cell ends at a bar, also within code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function made(): string {
  const head = ['| call | what it gives | example | with | result |', '| --- | --- | --- | --- | --- |'];
  return [
    INTRODUCTION,
    `In the examples, \`now\` is ${NOW.toISOString()}.`,
    '',
    '## Functions',
    '',
    '`lower` and those below it are also called on their first argument: `text.lower()`.',
    '',
    ...head,
    ...Object.values(FUNCTIONS).map(rowOf),
    '',
    '## What CEL has itself',
    '',
    ...head,
    ...CEL_ROWS.map(rowOf),
    REST,
  ].join('\n');
}

test('docs/expressions.md is made from the code', async () => {
  const text = await format(made(), { parser: 'markdown', printWidth: 110, singleQuote: true });
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, text);
  expect(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '', 'run `npm run readme`').toBe(text);
});
