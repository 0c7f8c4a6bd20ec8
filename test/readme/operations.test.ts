import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { OPERATION_NAMES, OPERATIONS } from '../../src/interface/operations/operations.ts';
import { namesOf } from '../../src/interface/requests/check-request.ts';
import type { Operation } from '../../src/interface/operation.ts';

const FILE = join(new URL('../..', import.meta.url).pathname, 'docs/operations.md');

const INTRODUCTION = `# Operations of the interface

Made from the rows in [src/interface](../src/interface) by \`npm run readme\`. \`rollcall call NAME --help\` tells more
of each: the fields of its body, their types and limits.

**repeats**: whether a call whose outcome nobody knows may be sent again. **token**: whose it is.
`;

const CHANGES = { nothing: '', directory: 'directory', other: 'yes' } as const;

function rowOf(name: string, row: Operation): string {
  const cells = [
    `\`${name}\``,
    row.title,
    `${row.method} \`${row.path}\`${row.older === undefined ? '' : `, older: \`${row.older}\``}`,
    namesOf(row)
      .map((param) => `\`${param}\``)
      .join(', '),
    row.body.kind === 'none' ? '' : row.body.kind === 'form' ? `form, part \`${row.body.part}\`` : 'JSON',
    CHANGES[row.changes],
    row.repeatable ? 'yes' : 'no',
    row.identity === 'application' ? 'application' : 'any',
  ];
  return `| ${cells.join(' | ')} |`;
}

function made(): string {
  const rows = OPERATION_NAMES.map((name) => rowOf(name, OPERATIONS[name]));
  const open = OPERATION_NAMES.flatMap((name) =>
    (OPERATIONS[name] as Operation).open.map((point) => `- \`${name}\`: ${point}`),
  );
  return [
    INTRODUCTION,
    '| name | in the document | method and path | parameters | body | changes | repeats | token |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## What the document leaves open',
    '',
    ...open,
    '',
  ].join('\n');
}

test('docs/operations.md is made from the rows', async () => {
  const text = await format(made(), { parser: 'markdown', printWidth: 110, singleQuote: true });
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, text);
  expect(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '', 'run `npm run readme`').toBe(text);
});
