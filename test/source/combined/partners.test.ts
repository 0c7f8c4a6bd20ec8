import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../../src/source/open-source.ts';
import { load, SERVICE } from '../../config/config-file.ts';
import { removeFolder, scratchFolder, writeExport } from '../../servers/scratch.ts';
import { readAll } from '../source-contract.ts';
import { problem } from '../problem.ts';

/** Accounts, each with the number of its partner. */
type Accounts = readonly (readonly [id: string, number: string])[];

const ALONE: Accounts = [
  ['ann', '1'],
  ['bob', '2'],
];

/**
 * Returns accounts that are completed by these partners.
 *
 * @param more more of the join
 */
function sourceOf(accounts: Accounts, partners: readonly string[], more = ''): ReturnType<typeof openSource> {
  const folder = scratchFolder('partners');
  onTestFinished(() => removeFolder(folder));
  const write = (name: string, rows: readonly string[]): string => {
    const path = join(folder, name);
    writeExport(path, `${rows.join('\n')}\n`);
    return path;
  };
  const units = write('units.csv', ['id,name', 'd1,Company']);
  const people = write('people.csv', ['id,no', ...accounts.map((row) => row.join())]);
  const staff = write('staff.csv', ['no,desk', ...partners.map((no) => `${no},desk ${no}`)]);
  const { settings } = load(`${SERVICE}sources:
  ad: { type: csv }
  hr: { type: csv }
source:
  units: { from: ad, file: ${units}, fields: { id: id, name: name } }
  people:
    from: ad
    file: ${people}
    fields: { id: id, username: id, name: id, label: hr.desk, positions: [{ unit: { const: d1 } }] }
    join: { from: hr, file: ${staff}, on: { no: no }${more} }
`);
  return openSource(settings.source, { lookups: settings.lookups });
}

test('several people share a partner: each of them takes its values', async () => {
  const read = await readAll(sourceOf([...ALONE, ['cyd', '1']], ['1', '2', '3']));
  expect(read.people.map(({ id, fields }) => [id, fields['label']])).toEqual([
    ['ann', 'desk 1'],
    ['bob', 'desk 2'],
    ['cyd', 'desk 1'],
  ]);
  expect([read.refusals, read.evidence.warnings]).toEqual([[], []]);
});

test('partners of whom nobody can be found are an incomplete read', async () => {
  const none = sourceOf(ALONE, []);
  await expect(readAll(none)).rejects.toThrow(
    problem('source-no-partner', 'sources.hr', 'source.people.join'),
  );
  expect((await readAll(sourceOf(ALONE, [], ', missing: empty'))).people).toHaveLength(2);
  const keyless = sourceOf(ALONE, ['', ''], ', missing: empty');
  await expect(readAll(keyless)).rejects.toThrow(
    problem('source-no-partner', '2 records', 'sources.hr', ' no; '),
  );
});
