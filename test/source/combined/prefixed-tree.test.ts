import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../../src/source/open-source.ts';
import { load, SERVICE } from '../../config/config-file.ts';
import { removeFolder, scratchFolder, writeExport } from '../../servers/scratch.ts';
import { readAll } from '../source-contract.ts';

/** The tree of `hr`, whose ids have a prefix, with people of `from`, in one list or two. */
function readWith(from: 'hr' | 'ad', people: readonly string[]): ReturnType<typeof readAll> {
  const folder = scratchFolder('prefixed');
  onTestFinished(() => removeFolder(folder));
  const write = (name: string, rows: readonly string[]): string => {
    writeExport(join(folder, name), `${rows.join('\n')}\n`);
    return join(folder, name);
  };
  const lists = people.map((unit, n) => {
    const file = write(`people${n}.csv`, ['id,dept', `${n},1`, `${n}0,2`, `${n}1,`]);
    return `{ from: ${from}, file: ${file}, fields: { id: id, username: id, name: id, positions: [{ unit: ${unit} }] } }`;
  });
  const { settings } = load(`${SERVICE}sources:
  hr: { type: csv, idPrefix: H- }
${from === 'hr' ? '' : '  ad: { type: csv, idPrefix: A- }\n'}source:
  units: { from: hr, file: ${write('units.csv', ['id,name', '1,Company', '2,Sales'])}, fields: { id: id, name: name } }
  people: [${lists.join(', ')}]
`);
  return readAll(openSource(settings.source, { lookups: settings.lookups }));
}

const unitsOf = ({ people }: Awaited<ReturnType<typeof readAll>>): readonly unknown[] =>
  people.map(({ id, positions }) => `${id}: ${positions.map(({ unit }) => unit).join()}`);

test('people of a source without units name those of another one with its prefix, and get none of their own', async () => {
  const read = await readWith('ad', [`{ expr: "dept == '' ? '' : 'H-' + dept" }`]);
  expect(unitsOf(read)).toEqual(['A-0: H-1', 'A-00: H-2', 'A-01: ']);
});

test('every list of people of the source that has the tree names its units as it calls them itself', async () => {
  const read = await readWith('hr', ['dept', 'dept']);
  const first = ['H-0: H-1', 'H-00: H-2', 'H-01: '];
  expect(unitsOf(read)).toEqual([...first, 'H-1: H-1', 'H-10: H-2', 'H-11: ']);
});
