import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../../src/source/open-source.ts';
import { load, SERVICE } from '../../config/config-file.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { readAll } from '../source-contract.ts';

/** The tree of `hr`, whose ids have a prefix, with people of `from`, in one list or two. */
function readWith(from: 'hr' | 'ad', people: readonly string[]): ReturnType<typeof readAll> {
  const folder = scratchFolder('prefixed');
  onTestFinished(() => removeFolder(folder));
  const write = (name: string, rows: readonly string[]): string => {
    writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
    return join(folder, name);
  };
  const lists = people.map((unit, n) => {
    const file = write(`people${n}.csv`, ['id,dept', `${n},1`, `${n}0,H-1`, `${n}1,`]);
    return `{ from: ${from}, file: ${file}, fields: { id: id, username: id, name: id, positions: [{ unit: ${unit} }] } }`;
  });
  const { settings } = load(`${SERVICE}sources:
  hr: { type: csv, complete: { quietSeconds: 0 }, idPrefix: H- }
${from === 'hr' ? '' : '  ad: { type: csv, complete: { quietSeconds: 0 } }\n'}source:
  units: { from: hr, file: ${write('units.csv', ['id,name', '1,Company'])}, fields: { id: id, name: name } }
  people: [${lists.join(', ')}]
`);
  return readAll(openSource(settings.source, { lookups: settings.lookups }));
}

const unitsOf = ({ people }: Awaited<ReturnType<typeof readAll>>): readonly unknown[] =>
  people.map(({ id, positions }) => `${id}: ${positions.map(({ unit }) => unit).join()}`);

test('people of another source who name a unit without its prefix are told, with what to write', async () => {
  const read = await readWith('ad', ['dept']);
  expect(unitsOf(read)).toEqual(['0: 1', '00: H-1', '01: ']);
  expect(read.evidence.warnings).toEqual([
    `ad: one position names a unit that is unknown, as "1": the ids of all units begin with "H-" (sources.hr.idPrefix), and people of another source have to name them so: unit: { expr: "'H-' + …" }`,
  ]);
  const expression = `{ expr: "dept == '' ? '' : dept.startsWith('H-') ? dept : 'H-' + dept" }`;
  expect((await readWith('ad', [expression])).evidence.warnings).toEqual([]);
});

test('every list of people of the source that has the tree names its units as it calls them itself', async () => {
  const read = await readWith('hr', ['dept', 'dept']);
  expect(
    read.people.map(({ positions }) => positions[0]?.unit).filter((unit) => unit === 'H-1'),
  ).toHaveLength(2);
  expect(read.evidence.warnings).toEqual([]);
});
