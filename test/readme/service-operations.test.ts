import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { groupBy } from '../../src/domain/text/group-by.ts';
import { OPERATION_NAMES, OPERATIONS } from '../../src/interface/operations/operations.ts';
import type { Operation } from '../../src/interface/operation.ts';

const FILE = join(new URL('../..', import.meta.url).pathname, 'docs/service-operations.md');

const INTRODUCTION = `# Operations of the service

This page lists the 39 operations of the service's interface, as \`rollcall call\` takes them.

\`\`\`sh
rollcall call listEmployees --param type=username --param query=ann,bob --param matching=true
rollcall call enableEmployee --param employeeId=4711 --write
\`\`\`

\`rollcall call NAME --help\` shows the parameters and the fields of the body, with types and limits. The table is made from
[src/interface](../src/interface) by \`npm run readme\`.

- **changes**: if the cell is filled, the call needs \`--write\`; \`directory\` is a change of units or people.
- **repeats**: the call may be sent again if its result is unknown.
- **token**: \`application\` needs \`service.appToken\`; the others take any token.

Files are uploaded and downloaded in parts: 200 MB need less than 100 MB of memory. A download is saved under a
temporary name and renamed when it is whole. A file may take as long as its bytes move.
`;

const CHANGES = { nothing: '', directory: 'directory', other: 'yes' } as const;

function rowOf(name: string, row: Operation): string {
  const cells = [
    `\`${name}\``,
    `${row.method} \`${row.path}\`${row.older === undefined ? '' : `, older: \`${row.older}\``}`,
    CHANGES[row.changes],
    row.repeatable ? 'yes' : '',
    row.identity === 'application' ? 'application' : '',
  ];
  return `| ${cells.join(' | ')} |`;
}

function made(): string {
  const rows = OPERATION_NAMES.map((name) => rowOf(name, OPERATIONS[name]));
  const points = OPERATION_NAMES.flatMap((name) =>
    (OPERATIONS[name] as Operation).open.map((point) => ({ name: `\`${name}\``, point })),
  );
  const open = [...groupBy(points, ({ point }) => point)].map(
    ([point, of]) => `- ${of.map(({ name }) => name).join(', ')}: ${point}`,
  );
  return [
    INTRODUCTION,
    '| name | method and path | changes | repeats | token |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## Limits',
    '',
    "The service's document leaves these points open. The text after the colon is what rollcall does.",
    '',
    ...open,
    '',
    'See also: [command line](cli.md), [readings of the service](service-readings.md).',
    '',
  ].join('\n');
}

test('docs/service-operations.md is made from the rows', async () => {
  const text = await format(made(), { parser: 'markdown', printWidth: 110, singleQuote: true });
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, text);
  expect(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '', 'run `npm run readme`').toBe(text);
});
