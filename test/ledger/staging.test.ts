import { expect, test } from 'vitest';
import { atOnce } from '../../src/lib/in-steps.ts';
import type { Refusal } from '../../src/domain/records/records.ts';
import { plannedOf } from '../../src/plan/changes/change-digest.ts';
import { listed } from '../doubles/listed.ts';
import { openScene } from './ledger-file.ts';
import { employee, LONG, personChange, staged, unitChange, type Scene } from './records.ts';

const ALL = { after: '', limit: 1_000 };

/** Reads `ID`, `ID=USERNAME`, `ID#HASH`, `ID*PASSWORD`, `ID!` with a problem, and `~ID` as it was at the last read. */
function read({ ledger }: Scene, records: string): void {
  for (const one of records.split(' ').filter(Boolean)) {
    const {
      seen,
      id = '',
      username,
      hash,
      password,
      bad,
    } = /^(?<seen>~?)(?<id>\w+)(?:=(?<username>[^#]+))?(?:#(?<hash>\w+))?(?:\*(?<password>\w+))?(?<bad>!?)$/u.exec(
      one,
    )?.groups ?? {};
    if (seen !== '') ledger.staging.seen(ledger.staging.known(id)?.row ?? -1, { print: null, has: null });
    else
      ledger.staging.person(
        staged(id, {
          ...(username !== undefined && { username }),
          ...(hash !== undefined && { hash }),
          ...(bad !== '' && { problem: 'bad' }),
        }),
        password === undefined ? {} : { password },
      );
  }
  atOnce(ledger.staging.finish());
}

const refusal = (subject: Refusal['subject'], id: string | null): Refusal => ({
  subject,
  id,
  place: 'row 1',
  field: 'name',
  reason: 'is empty',
});

/** `known`: people who are managed; `owners`: who of those to be decided has the username that another one wants. */
interface Read {
  readonly known?: string;
  readonly read: string;
  readonly refused?: string;
  readonly todo: string;
  readonly owners?: string;
}

test.each<readonly [string, Read]>([
  ['people who share an id', { read: '1=a 1=b#b 2 3 3!', refused: '1 id, 3 id', todo: '2' }],
  ['equal records, but secrets that differ', { read: '1*1 1*1 2*1 2*2 3 3', refused: '2 id', todo: '1 3' }],
  ['one as it was, and another with its id', { known: '1 2', read: '1 ~1 ~2 ~2', refused: '1 id', todo: '' }],
  [
    'people who share a username, in any case',
    { read: '1=Ann 2=aNN 3=ÄÖ 4=äö 5', refused: '1 username, 2 username, 3 username, 4 username', todo: '5' },
  ],
  [
    'the username of somebody in the read who has the account',
    {
      known: '1 3',
      read: '2=U1 4=U3 3#new ~1',
      todo: '2 3 4',
      owners: '2 wants that of 1 (yes), 4 wants that of 3 (yes)',
    },
  ],
  [
    'the username of somebody who is not in the read',
    { known: '1', read: '2=u1', todo: '1 2', owners: '2 wants that of 1 (no)' },
  ],
  [
    'another username of a known person',
    { known: '1 2', read: '1=U2#x', todo: '1 2', owners: '1 wants that of 2 (no)' },
  ],
  ['somebody changed, somebody new, somebody missing', { known: 'a b c', read: 'a#x n ~c', todo: 'a b n' }],
])('staging of %s', (_, { known = '', read: records, refused = '', todo, owners = '' }) => {
  const scene = openScene();
  if (known !== '') scene.managed(...known.split(' '));
  read(scene, records);
  const { refusals } = scene.ledger.staging.bad();
  expect(Array.from(refusals, ({ id, field }) => `${id} ${field}`).join(', ')).toBe(refused);
  expect(scene.todo().join(' ')).toBe(todo);
  const rows = scene.ledger.people.rows(ALL).filter(({ owner }) => owner !== null);
  expect(rows.map(({ id, owner }) => `${id} wants that of ${owner?.id} (${owner?.isHere})`).join(', ')).toBe(
    owners,
  );
});

test('a row to be decided has the record, the ledger’s and the service’s', () => {
  const scene = openScene().managed('changed', 'missing', 'open');
  const { view, people } = scene.ledger;
  view.saveEmployees(['uopen'], listed([employee('uopen', { fields: { name: 'edited' } })]));
  read(scene, 'changed#other new ~open');
  scene.todo();
  expect(people.rows(ALL)).toMatchObject([
    {
      id: 'changed',
      record: staged('changed', { hash: 'other' }),
      employee: { username: 'uchanged', locked: false },
    },
    { id: 'missing', record: null },
    { id: 'new', entry: null, employee: null, owner: null },
    { id: 'open', record: 'unchanged' },
  ]);
});

test('whom a refusal names is not decided, but for a unit of the same id, nor for a mere row of positions', () => {
  const scene = openScene().managed('1', '2', '3', '4');
  const refused = [
    refusal('person', '1'),
    refusal('position', '2'),
    refusal('position', '4'),
    refusal('unit', '3'),
    refusal('person', null),
  ];
  for (const one of refused) scene.ledger.staging.note({ is: 'refused', refusal: one });
  read(scene, '4');
  expect(scene.todo()).toEqual(['2', '3']);
});

test('misses are forgotten when the person is back, in whatever way', () => {
  const scene = openScene().managed('seen', 'staged', 'refused', 'missing');
  const { people, staging } = scene.ledger;
  for (const id of ['seen', 'staged', 'refused', 'missing'])
    people.note(id, { is: 'missing', misses: 1, at: 5 });
  staging.note({ is: 'refused', refusal: refusal('person', 'refused') });
  staging.note({ is: 'refused', refusal: refusal('unit', 'missing') });
  read(scene, 'staged#x ~seen');
  people.cancelMisses();
  const misses = ['seen', 'staged', 'refused', 'missing'].map((id) => people.entry(id));
  expect(misses.map((one) => [one?.misses, one?.missedAt])).toEqual([
    [0, null],
    [0, null],
    [0, null],
    [1, 5],
  ]);
});

test('who is missing and waits is counted by misses and time, the first ten with names', () => {
  const scene = openScene().managed('new', 'near', 'due', 'here');
  const { people } = scene.ledger;
  const miss = (id: string, misses: number, at: number) => people.note(id, { is: 'missing', misses, at });
  miss('new', 1, 5);
  miss('near', 2, 7);
  miss('due', 3, 7);
  expect(people.waiting(3)).toEqual([
    { misses: 2, missedAt: 7, count: 1, first: [{ id: 'near', username: 'unear', name: 'Ann' }] },
    { misses: 1, missedAt: 5, count: 1, first: [{ id: 'new', username: 'unew', name: 'Ann' }] },
  ]);
  const more = Array.from({ length: 11 }, (_, n) => `m${n}`);
  scene.managed(...more);
  for (const id of more) miss(id, 2, 5);
  expect(people.waiting(3)[0]).toMatchObject({ count: 12, first: { length: 10 } });
});

test('secrets are for their person, and for nobody after the read', () => {
  const { staging } = openScene().ledger;
  const secrets = { password: 'pässword', source_identifiers: { A: LONG } };
  staging.person(staged('1'), secrets);
  staging.person(staged('2'), {});
  expect(['1', '2'].map((id) => staging.secretsOf(id))).toEqual([secrets, {}]);
  staging.end();
  staging.begin();
  expect(staging.secretsOf('1')).toEqual({});
});

test('changes come back by kind, page by page, in the order they came', () => {
  const { plan } = openScene().ledger;
  const changes = ['c', 'a', 'b'].map((id) => personChange(id));
  for (const change of [unitChange('u'), ...changes, personChange('x', { kind: 'disable' })])
    plan.add(plannedOf(change));
  const query = { subject: 'person', kinds: ['create', 'update'], limit: 2 } as const;
  const first = plan.changes({ ...query, after: 0 });
  expect(first).toHaveLength(2);
  const second = plan.changes({ ...query, after: first[1]!.seq });
  expect([...first, ...second].map(({ change }) => change)).toEqual(changes);
});
