import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../../src/source/open-source.ts';
import { load, SERVICE } from '../../config/config-file.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { never, readAll, type ReadResult } from '../source-contract.ts';

/** An account: id, number of the partner, and how it stands. */
type Account = readonly [id: string, number: string, status?: 'left' | 'robot'];

interface World {
  readonly accounts: readonly Account[];
  readonly partners: readonly string[];
  /** More of the join. */
  readonly join?: string;
  /** More fields of people. */
  readonly fields?: string;
  /** Expression for `active`. */
  readonly active?: string;
}

const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `${n + 1}`);

/** Accounts with one partner each. */
const alone = (count: number): readonly Account[] => numbers(count).map((n) => [`p${n}`, n] as const);

function sourceOf({
  accounts,
  partners,
  join: more = '',
  fields = '',
  active = "status != 'left'",
}: World): ReturnType<typeof openSource> {
  const folder = scratchFolder('shared');
  onTestFinished(() => removeFolder(folder));
  const write = (name: string, rows: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${rows.join('\n')}\n`);
    return path;
  };
  const units = write('units.csv', ['id,name', 'd1,Company']);
  const people = write('people.csv', [
    'id,no,status',
    ...accounts.map(([id, no, status = '']) => `${id},${no},${status}`),
  ]);
  const staff = write('staff.csv', ['no,desk', ...partners.map((no) => `${no},desk ${no}`)]);
  const { settings } = load(`${SERVICE}sources:
  ad: { type: csv, complete: { quietSeconds: 0 } }
  hr: { type: csv, complete: { quietSeconds: 0 } }
source:
  units: { from: ad, file: ${units}, fields: { id: id, name: name } }
  people:
    from: ad
    file: ${people}
    where: "status != 'robot'"
    fields:
      id: id
      username: id
      name: id
      label: hr.desk
      active: { expr: "${active}" }
      positions: [{ unit: { const: d1 } }]
      ${fields}
    join: { from: hr, file: ${staff}, on: { no: no }${more} }
`);
  return openSource(settings.source, { lookups: settings.lookups });
}

const refused = ({ refusals }: ReadResult): readonly string[] =>
  refusals.map(({ id, field, reason }) => `${id ?? '?'}: ${field}: ${reason}`).toSorted();

const SHARES =
  'it shares its record of hr with somebody else (hr.no = no); shared: allow takes it all the same';

test('a few people who share a partner are told, with the first and the key; all go on', async () => {
  const world = {
    accounts: [...alone(8), ['ann', '3'], ['bob', '3'], ['cyd', '5']] as const,
    partners: numbers(9),
  };
  const read = await readAll(sourceOf(world));
  expect(read.refusals).toEqual([]);
  expect(read.people).toHaveLength(11);
  expect(read.evidence.warnings).toEqual([
    '5 people share 2 records of hr, where nearly everybody has one of their own: the key may have been given twice. ' +
      'The first: ann (ann), with no "3", whose record somebody before has as well. Correct it there; join.shared: block leaves such people as they are',
  ]);
});

test.each([
  [
    'a table of places, which nearly all share',
    { accounts: numbers(40).map((n) => [`p${n}`, n.slice(-1)] as const), partners: numbers(9).concat('0') },
  ],
  ['one each', { accounts: alone(5), partners: numbers(5) }],
  [
    'a colleague who has left, by the own record',
    { accounts: [...alone(5), ['old', '3', 'left']] as const, partners: numbers(5) },
  ],
  [
    'an account that is out of scope',
    { accounts: [...alone(5), ['bot', '3', 'robot']] as const, partners: numbers(5) },
  ],
] as const)('nobody is told of %s, nor blocked', async (_, world) => {
  expect((await readAll(sourceOf(world))).evidence.warnings).toEqual([]);
  if (world.partners.includes('0')) return;
  const blocking = await readAll(sourceOf({ ...world, join: ', shared: block' }));
  expect(blocking.refusals).toEqual([]);
});

test('shared: block leaves them as they are, the first as well, and says nothing of the partner', async () => {
  const world = {
    accounts: [...alone(4), ['ann', '3'], ['old', '3', 'left']] as const,
    partners: numbers(4),
    join: ', shared: block',
  };
  const source = sourceOf(world);
  const read = await readAll(source);
  expect(refused(read)).toEqual([`ann: join: ${SHARES}`, `old: join: ${SHARES}`, `p3: join: ${SHARES}`]);
  expect(read.refusals.map(({ id, active }) => [id, active])).toEqual([
    ['p3', true],
    ['ann', true],
    ['old', false],
  ]);
  expect(read.people.map(({ id }) => id)).toEqual(['p1', 'p2', 'p4']);
  expect(read.evidence.warnings).toEqual([]);
  expect(read.evidence.parts.filter(({ part }) => part === 'people')).toMatchObject([{ records: 6 }]);
  const [found] = await source.find('person', ['p3'], never);
  expect(found?.reading).toMatchObject({ ok: false, refusal: { reason: SHARES } });
});

test('who leaves by the word of a shared partner is left as is: shared: block', async () => {
  const world = {
    accounts: [...alone(4), ['ann', '3']] as const,
    partners: numbers(4),
    active: "hr.desk != 'desk 3'",
  };
  const allowed = await readAll(sourceOf(world));
  expect(allowed.people.filter(({ active }) => active === false).map(({ id }) => id)).toEqual(['p3', 'ann']);
  expect(allowed.evidence.warnings).toHaveLength(1);
  const { refusals } = await readAll(sourceOf({ ...world, join: ', shared: block' }));
  expect(refusals.map(({ id, active }) => [id, active])).toEqual([
    ['p3', null],
    ['ann', null],
  ]);
});

test('a key that is a secret is not shown', async () => {
  const world = {
    accounts: [...alone(4), ['ann', '3']] as const,
    partners: numbers(4),
    fields: 'id_card: hr.no',
  };
  const { evidence } = await readAll(sourceOf(world));
  expect(evidence.warnings?.[0]).toContain(
    'The first: ann (ann), whose record somebody before has as well. Correct',
  );
});

test('partners of whom nobody can be found are an incomplete read', async () => {
  const accounts = alone(3);
  const none = sourceOf({ accounts, partners: [] });
  await expect(readAll(none)).rejects.toThrow(
    'source: sources.hr brought no record for source.people.join; the read is taken as incomplete and nothing is sent',
  );
  expect((await readAll(sourceOf({ accounts, partners: [], join: ', missing: empty' }))).people).toHaveLength(
    3,
  );
  const keyless = sourceOf({ accounts, partners: ['', ''], join: ', missing: empty' });
  await expect(readAll(keyless)).rejects.toThrow(
    'none of the 2 records that sources.hr brought for source.people.join has no;',
  );
});
