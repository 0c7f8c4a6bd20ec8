import { expect, test } from 'vitest';
import type { Person } from '../../../src/domain/records/records.ts';
import type { JoinSettings } from '../../../src/domain/source-settings.ts';
import { Join } from '../../../src/source/combined/join.ts';
import { PartnerStore } from '../../../src/source/combined/partner-store.ts';
import { ExpressionCompiler } from '../../../src/source/mapping/expressions/expression.ts';
import { compilePeople } from '../../../src/source/mapping/map-person.ts';
import type { Mapper } from '../../../src/source/mapping/mapper.ts';
import { Unknown, type Cell, type Value } from '../../../src/source/mapping/values/raw-record.ts';
import { DIALECT, rowFor } from '../mapping/map-records.ts';
import { NO_MAPS } from '../world.ts';

/** Returns how a record is read whose partners have the numbers 1 and 2; the first has left. */
function readerOf(
  active: string,
): (own: Readonly<Record<string, Cell>>, unknown?: readonly string[]) => string {
  const settings: JoinSettings = {
    from: 'hr',
    on: [['no', 'no']],
    missing: 'block',
    partner: () => {
      throw new Error('no source is opened');
    },
  };
  const join = new Join(settings);
  const expressions = new ExpressionCompiler(new Map(), new Set(['hr']));
  const rules = { ...NO_MAPS, id: 'id', username: 'id', fields: { name: 'id' }, active: { expr: active } };
  const mapper: Mapper<Person> = join.joined(compilePeople(rules, DIALECT, { expressions }));
  const store = new PartnerStore(join.hasSecrets);
  const partner = (no: Cell, gone: string) => join.keyed({ values: new Map(Object.entries({ no, gone })) });
  store.add([...partner('1', 'yes'), ...partner('2', 'no'), ...partner(['3', '4', '4 '], 'yes')]);
  join.use(store);
  return (own, unknown = []) => {
    const valueOf = (name: string): Value => (unknown.includes(name) ? new Unknown() : own[name]);
    const reading = mapper.map(rowFor(mapper, valueOf));
    return reading.ok
      ? `active: ${String(reading.record.active)}`
      : `${String(reading.refusal.active)}: ${reading.refusal.reason}`;
  };
}

const NOBODY =
  'no record of hr belongs to it (hr.no = no): compare both, with their blanks and leading zeros; missing: empty takes it without one';
const BOTH = "status != 'left' && hr.gone != 'yes'";

test.each([
  ['says "left" itself: it has left whatever the partner says', BOTH, 'left', `false: ${NOBODY}`],
  ['says nothing itself: nobody knows', BOTH, 'staff', `null: ${NOBODY}`],
  ['says it in the other order', "hr.gone != 'yes' && status != 'left'", 'left', `false: ${NOBODY}`],
  ['says it by an or', "!(hr.gone == 'yes' || status == 'left')", 'left', `false: ${NOBODY}`],
  ['is asked whether there is a partner', 'has(hr.gone)', 'staff', `null: ${NOBODY}`],
  ['is asked for the partner alone', "hr.gone == 'no'", 'left', `null: ${NOBODY}`],
])('a record without a partner that %s', (_, active, status, told) => {
  expect(readerOf(active)({ id: 'ann', no: '9', status })).toBe(told);
});

test('a partner is found by one value; several are none, even where each has a partner', () => {
  const read = readerOf(BOTH);
  expect(read({ id: 'ann', no: '1', status: 'staff' })).toBe('active: false');
  expect(read({ id: 'ann', no: ['2', '2 '], status: 'staff' })).toBe('active: true');
  const several = 'what it is found by in hr has several values (hr.no = no): keep one of them';
  expect(read({ id: 'ann', no: ['1', '2'], status: 'staff' })).toBe(`null: ${several}`);
  expect(read({ id: 'ann', no: ['1', '2'], status: 'left' })).toBe(`false: ${several}`);
});

test('a partner with several values in the key belongs to no person', () => {
  const read = readerOf(BOTH);
  const unclear =
    'several records of hr belong to it, or one that has several values there (hr.no = no): keep one of them';
  for (const no of ['3', '4']) expect(read({ id: 'ann', no, status: 'staff' })).toBe(`null: ${unclear}`);
});

test('a record whose key nobody shows any more is left as it is, and not taken for one without a partner', () => {
  const read = readerOf(BOTH);
  const hidden = 'what it is found by in hr cannot be read (hr.no = no)';
  expect(read({ id: 'ann', status: 'staff' }, ['no'])).toBe(`null: ${hidden}`);
  expect(read({ id: 'ann', no: '2' }, ['status'])).toBe('active: null');
  expect(read({ id: 'ann', no: '1' }, ['status'])).toBe('active: false');
});
