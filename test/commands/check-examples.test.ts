import { expect, test } from 'vitest';
import { shownIn, type Shown } from '../../src/commands/check/examples.ts';
import type { PersonChange } from '../../src/domain/changes.ts';
import type { Fields } from '../../src/domain/records/fields.ts';

/** A person who would be created in these units, with these fields beside a name. */
function joiner(username: string, units: readonly string[], more: Fields = {}, title = ''): PersonChange {
  const positions = units.map((unit) => ({ unit, fields: { job_title: title } }));
  return {
    subject: 'person',
    kind: 'create',
    id: username,
    username,
    payload: { fields: { name: username, email: `${username}@example.com`, ...more }, positions },
    fields: [],
    why: { code: 'new' },
    employeeId: null,
    cause: null,
    guard: null,
  } as unknown as PersonChange;
}

const shown = (...changes: readonly PersonChange[]): Shown => shownIn(changes.map((change) => ({ change })));
const labels = ({ examples }: Shown): readonly string[] =>
  [...examples].map(([kind, change]) => `${change.username} ${kind}`.trim());

test('the examples are different people, one of each kind', () => {
  const all = shown(
    joiner('ann', ['lab']),
    joiner('eve', ['lab'], { email: null }),
    joiner('fay', ['lab', 'sales'], { email: null }),
    joiner('bob', ['sales']),
    joiner('zoë', ['lab']),
    joiner('lin', ['lab'], { name: '林' }),
    joiner('gus', ['lab'], { email: '' }),
  );
  // Who has several positions is in another unit already.
  expect(labels(all)).toEqual([
    'ann',
    'eve without mail',
    'fay with several positions',
    'zoë with unusual characters',
  ]);
});

test('somebody in another unit is an example only if no other example is there', () => {
  const odd = joiner('eve', ['lab'], { name: 'Eve\u200B' });
  const all = [joiner('ann', ['lab']), odd, joiner('bob', ['sales']), joiner('cat', ['sales'])];
  expect(labels(shown(...all))).toEqual(['ann', 'eve with unusual characters', 'bob of another unit']);
});

test('nobody lacks a mail address that no rule reads', () => {
  const { email: _, ...fields } = joiner('x', []).payload.fields;
  const people = ['ann', 'bob'].map((name): PersonChange => {
    const change = joiner(name, ['lab']);
    return { ...change, payload: { ...change.payload, fields: { ...fields, name } } };
  });
  expect(labels(shown(...people))).toEqual(['ann']);
  expect(labels(shown())).toEqual([]);
});

test.each([
  ['svc-backup', true],
  ['SVC_mail', true],
  ['admin2', true],
  ['hr.test', true],
  ['scan', true],
  ['administer', false],
  ['testa', false],
  ['latest', false],
  ['ascanio', false],
])('%s looks like a service: %s', (username, looks) => {
  expect(shown(joiner(username, ['lab'], { email: null })).services.count).toBe(looks ? 1 : 0);
});

test('a mail address or a title speaks against a service, and ten are named', () => {
  expect(
    shown(joiner('svc1', ['lab']), joiner('svc2', ['lab'], { email: null }, 'Head')).services.count,
  ).toBe(0);
  const many = Array.from({ length: 12 }, (_, index) => joiner(`svc${index}`, ['lab'], { email: null }));
  const { services } = shown(...many);
  expect([services.count, services.first.length]).toEqual([12, 10]);
});
