import { describe, expect, test } from 'vitest';

import { ConfigError } from '../../../src/domain/errors.ts';
import { ExpressionCompiler } from '../../../src/source/mapping/expressions/expression.ts';
import { compilePeople } from '../../../src/source/mapping/map-person.ts';
import type { FieldRule } from '../../../src/domain/source-settings.ts';
import { Garbled, Unknown } from '../../../src/source/mapping/values/raw-record.ts';
import { DIALECT, mapPerson, personRules, rowFor } from './map-records.ts';

const notText = (name: string): string => `${name} is no text in UTF-8: write it anew in the directory`;

describe('a person', () => {
  test('has trimmed values, and null where a mapped field is empty or absent', () => {
    const reading = mapPerson(
      { fields: { email: 'mail', tel: 'phone', city: 'town' } },
      { mail: ' a@b ', phone: '  ' },
    );
    expect(reading).toEqual({
      ok: true,
      record: {
        id: '1',
        username: 'ann',
        active: true,
        fields: { name: 'Ann', email: 'a@b', tel: null, city: null },
        secrets: {},
        positions: [],
      },
    });
  });

  test('has values without invisible characters at their ends', () => {
    const raw = { id: '1\u200B', login: '\uFEFFann\u200E', mail: ' a@b\u00A0\u2060', phone: '\u200B \u200B' };
    expect(mapPerson({ fields: { email: 'mail', tel: 'phone' } }, raw)).toMatchObject({
      ok: true,
      record: { id: '1', username: 'ann', fields: { email: 'a@b', tel: null } },
    });
  });

  test.each([
    ['id', { id: '1\u200B1' }, '1U+200B1'],
    ['username', { login: 'an\u{E0001}n' }, 'anU+E0001n'],
  ])('with an invisible character within the %s is refused, and known all the same', (field, raw, shown) => {
    expect(mapPerson({}, raw)).toMatchObject({
      ok: false,
      refusal: {
        id: 'id' in raw ? raw.id : '1',
        field,
        reason: `has an invisible character: "${shown}"; correct it in the source`,
      },
    });
  });

  test('of several values the first in sorted order counts, tags take every one', () => {
    const reading = mapPerson(
      { fields: { mobile: 'tel', tags: 'tags' } },
      { tel: ['2', '1'], tags: ['10', '9', '9'] },
    );
    expect(reading).toMatchObject({ record: { fields: { mobile: '1', tags: ['9', '10'] } } });
  });

  test('with two ids is known by its username alone; the same id twice is one', () => {
    expect(mapPerson({}, { id: ['1', '2'] })).toMatchObject({
      ok: false,
      refusal: {
        id: null,
        label: 'ann',
        field: 'id',
        reason: expect.stringContaining('has 2 values, as "1" and "2"'),
      },
    });
    expect(mapPerson({}, { id: ['1', '1 '] })).toMatchObject({ ok: true, record: { id: '1' } });
    expect(mapPerson({ id: { expr: 'all.id[1]' } }, { id: ['1', '2'] })).toMatchObject({
      record: { id: '2' },
    });
  });

  test('whose text is no UTF-8 loses the field, or is refused where that is its name; nothing of it is shown', () => {
    const mapper = compilePeople(
      personRules({ fields: { email: 'mail', city: { expr: 'lower(town)' } } }),
      DIALECT,
    );
    const map = (...garbled: readonly string[]) =>
      mapper.map(
        rowFor(mapper, (name) => {
          const text = { id: '1', login: 'ann', name: 'Ann', mail: '5GJj', town: '5A==' }[name];
          return garbled.includes(name) ? new Garbled(text) : text;
        }),
      );
    expect(map('mail', 'town')).toMatchObject({
      ok: true,
      record: {
        fields: { name: 'Ann' },
        losses: [
          { field: 'email', reason: notText('mail') },
          { field: 'city', reason: notText('town') },
        ],
      },
    });
    expect(map('name')).toMatchObject({
      refusal: { id: '1', label: 'ann', field: 'name', reason: notText('name') },
    });
    expect(map('id')).toMatchObject({
      refusal: { id: null, label: 'ann', field: 'id', reason: notText('id') },
    });
  });

  test('with neither id nor username is called by its name, beside where it stands', () => {
    const reading = mapPerson({ id: 'none', username: 'none' }, {});
    expect(reading).toMatchObject({ refusal: { id: null, label: null, place: 'Ann, here' } });
  });

  test('properties take every value of each id, none as an empty list; identifiers only those there are', () => {
    const rules = { properties: { a1: 'x', a2: 'y' }, source_identifiers: { hr: 'x', ad: 'y' } };
    expect(mapPerson(rules, { x: ['2', '1'] })).toMatchObject({
      record: {
        fields: { properties: { a1: ['1', '2'], a2: [] } },
        secrets: { source_identifiers: { hr: '1' } },
      },
    });
    expect(mapPerson(rules, {})).toMatchObject({ record: { secrets: { source_identifiers: null } } });
  });

  test('keeps secrets apart from its fields', () => {
    const reading = mapPerson({ fields: { password: 'pw', id_card: 'card' } }, { pw: 'hush', card: '42' });
    expect(reading).toMatchObject({
      record: { fields: { name: 'Ann' }, secrets: { password: 'hush', id_card: '42' } },
    });
  });
});

describe('whether a person is active', () => {
  test.each([
    ['flag', 'yes', true],
    ['flag', '0', false],
    ['flag', undefined, true],
    [{ expr: "flag != 'left'" }, 'left', false],
    [{ expr: "flag != 'left'" }, undefined, true],
    [{ expr: 'int(flag) > 3' }, 'x', null],
    [{ expr: 'int(flag) == 1' }, '1', true],
    [{ expr: 'int(flag) == 1' }, undefined, null],
    [{ expr: 'double(flag) >= 1.0' }, '0x10', null],
    [{ expr: "flag == '' ? false : int(flag) == 1" }, undefined, false],
    [{ expr: 'flag' }, 'perhaps', null],
    [{ const: false }, undefined, false],
  ])('by %j of %j is %j', (active, flag, expected) => {
    expect(mapPerson({ active }, { flag })).toMatchObject({ record: { active: expected } });
  });

  test.each([[['true', 'false']], [['yes', 'maybe']]])(
    'is not known where %j contradict each other, and known where all say the same',
    (flag) => {
      expect(mapPerson({ active: 'flag' }, { flag })).toMatchObject({
        record: { active: null, whyUnknown: expect.stringContaining('contradict') as string },
      });
      expect(mapPerson({ active: 'flag' }, { flag: ['true', 'yes'] })).toMatchObject({
        record: { active: true },
      });
    },
  );

  test.each([
    [['here', 'left'], null],
    [['left', 'zeta'], null],
    [['here', 'ill'], true],
  ])('of %j by an expression that reads one value is %j', (flag, expected) => {
    const reading = mapPerson({ active: { expr: "flag != 'left'" } }, { flag });
    expect(reading).toMatchObject({ record: { active: expected } });
  });

  test('an attribute that is no boolean is refused', () => {
    expect(mapPerson({ active: 'flag' }, { flag: 'perhaps' })).toMatchObject({
      refusal: { field: 'active', reason: expect.stringContaining('"perhaps"') as string },
    });
  });
});

describe('a person is refused', () => {
  test.each([
    ['id', { id: ' ' }, null],
    ['username', { login: undefined }, '1'],
    ['name', { name: '' }, '1'],
  ])('for its %s', (field, raw, id) => {
    const reading = mapPerson({}, raw);
    expect(reading).toMatchObject({ ok: false, refusal: { subject: 'person', id, field, place: 'here' } });
  });

  test.each([
    ['no login', { flag: 'left', login: '' }, { id: '1', label: null, active: false }],
    ['no name', { flag: 'left', name: '' }, { id: '1', label: 'ann', active: false }],
    ['no id', { flag: 'left', id: '' }, { id: null, label: 'ann', active: false }],
    ['nothing to go by', { flag: 'on', id: '', login: '' }, { id: null, label: null, active: true }],
    ['a flag that is none', { flag: '?', name: '' }, { id: '1', label: 'ann', active: null }],
  ])('with %s: who it is and whether they left is told all the same', (_, raw, told) => {
    const active = { expr: "flag == '?' ? 'perhaps' : (flag == 'left' ? 'no' : 'yes')" };
    expect(mapPerson({ active }, raw)).toMatchObject({ ok: false, refusal: told });
  });
});

function born(text: string, rule: FieldRule, timezone = 'UTC') {
  const expressions = new ExpressionCompiler(new Map(), new Set(), undefined, timezone);
  const mapper = compilePeople(personRules({ fields: { name: 'name', birthday: rule } }), DIALECT, {
    expressions,
  });
  const raw: Record<string, string> = { id: '1', login: 'ann', name: 'Ann', born: text };
  const reading = mapper.map(rowFor(mapper, (name) => raw[name]));
  if (!reading.ok) throw new Error(reading.refusal.reason);
  const { fields, losses = [] } = reading.record;
  const ms = fields['birthday'];
  return typeof ms === 'string' ? new Date(Number(ms)).toISOString() : losses[0]?.reason;
}

describe('a number that a spreadsheet has rounded', () => {
  const reason = '"8.6138E+12" is a number that the export has rounded: export the column as text';

  test.each(['mobile', 'tel', 'rank'])('costs the field %s', (field) => {
    const reading = mapPerson({ fields: { [field]: 'x' } }, { x: '8.6138E+12' });
    expect(reading).toMatchObject({ ok: true, record: { losses: [{ field, reason }] } });
  });

  test.each(['id', 'login'])('is no %s', (name) => {
    expect(mapPerson({}, { [name]: '8.6138E+12' })).toMatchObject({ ok: false, refusal: { reason } });
  });
});

describe('a birthday', () => {
  const US = { expr: "date(born, 'MM/dd/yy')" };

  test.each([
    ['09/27/68', US, 'UTC', '1968-09-27T00:00:00.000Z'],
    ['11/23/26', US, 'UTC', '2026-11-23T00:00:00.000Z'],
    ['11/24/26', US, 'UTC', '1926-11-24T00:00:00.000Z'],
    ['09/27/68', US, 'Asia/Shanghai', '1968-09-26T16:00:00.000Z'],
    ['19680927000000Z', 'born', 'Asia/Shanghai', '1968-09-27T00:00:00.000Z'],
  ] as const)('%s by %j in %s is %s', (text, rule, timezone, iso) => {
    expect(born(text, rule, timezone)).toBe(iso);
  });

  test.each([
    ['2068-09-27', 'born'],
    ['09/27/2068', { expr: "date(born, 'MM/dd/yyyy')" }],
    ['4000000000000', 'born'],
  ] as const)('%s in the future costs the field alone', (text, rule) => {
    expect(born(text, rule)).toMatch(/^20\d\d-\d\d-\d\d lies in the future: correct it in the source$/u);
  });
});

describe('an optional field that cannot be read costs itself alone', () => {
  test.each([
    ['birthday', { born: '1990-02-30' }, { tags: null, senior: null }],
    ['tags', { tags: ['1', 'x'] }, { birthday: null, senior: null }],
    ['senior', { senior: 'perhaps' }, { birthday: null, tags: null }],
  ])('its %s', (field, raw, others) => {
    const reading = mapPerson({ fields: { birthday: 'born', tags: 'tags', senior: 'senior' } }, raw);
    expect(reading).toMatchObject({ ok: true, record: { id: '1', losses: [{ field }] } });
    expect(reading.ok && reading.record.fields).toEqual({ name: 'Ann', ...others });
  });

  test('also one property, one field of a position and a secret, which is not shown', () => {
    const bad = { expr: 'string(int(x))' };
    const reading = mapPerson(
      {
        properties: { a1: 'y', a2: bad },
        positions: [{ unit: 'dept', job_title: 'title', chief: 'x' }],
        source_identifiers: { hr: bad },
      },
      { x: 'S3CRET', y: '1', dept: 'A', title: 'Boss' },
    );
    expect(reading).toMatchObject({
      ok: true,
      record: {
        fields: { properties: { a1: ['1'] } },
        positions: [{ unit: 'a', fields: { job_title: 'Boss' } }],
        losses: [
          { field: 'properties.a2' },
          { field: 'source_identifiers.hr' },
          { field: 'positions.chief' },
        ],
      },
    });
    expect(JSON.stringify(reading)).not.toContain('S3CRET');
  });

  test('without the value of a secret, its own or another field’s', () => {
    const fields = { id_card: 'card', sort_order: 'card', rank: { expr: 'int(card) + 1' } };
    for (const only of ['sort_order', 'rank'] as const) {
      const reading = mapPerson(
        { fields: { id_card: fields.id_card, [only]: fields[only] } },
        { card: 'S3CRET' },
      );
      expect(reading).toMatchObject({ ok: true, record: { losses: [{ field: only }] } });
      expect(reading.ok && JSON.stringify(reading.record.losses)).not.toContain('S3CRET');
    }
  });
});

describe('positions', () => {
  const positions = [
    { unit: 'dept', job_title: 'title', primary: { const: true } },
    { unit: 'more', chief: 'head' },
  ];

  test('are one per value of their unit; none without', () => {
    expect(mapPerson({ positions }, { dept: 'A', more: ['C', 'B'], title: 'Boss', head: '1' })).toMatchObject(
      {
        record: {
          positions: [
            { unit: 'a', fields: { job_title: 'Boss', primary: true } },
            { unit: 'b', fields: { chief: true } },
            { unit: 'c', fields: { chief: true } },
          ],
        },
      },
    );
    expect(mapPerson({ positions }, {})).toMatchObject({ record: { positions: [] } });
  });

  test('of two rules that give one unit the first counts, and each may make it the main one', () => {
    const rules = [
      { unit: 'dept', job_title: 'title', primary: { const: false } },
      { unit: 'more', job_title: 'other', primary: { const: true } },
    ];
    const cells = { dept: 'A', more: 'A', title: 'Boss', other: 'Clerk' };
    expect(mapPerson({ positions: rules }, cells)).toMatchObject({
      record: { positions: [{ unit: 'a', fields: { job_title: 'Boss', primary: true } }] },
    });
  });

  test('of one unit are one, of the first rule; the base is the service’s root', () => {
    expect(mapPerson({ positions }, { dept: 'A', more: ['a', 'ROOT'] })).toMatchObject({
      record: { positions: [{ unit: 'a', fields: { primary: true } }, { unit: null }] },
    });
  });
});

describe('rules that are wrong are configuration errors', () => {
  test.each([
    [{ fields: { name: 'name', nope: 'x' } }, /source\.people\.fields\.nope/],
    [{ active: { expr: "status != 'left" } }, /source\.people\.fields\.active.*status/],
    [{ active: { expr: 'size(all) > 1' } }, /all\.NAME/],
  ])('%j', (rules, message) => {
    expect(() => compilePeople(personRules(rules), DIALECT)).toThrow(message);
    expect(() => compilePeople(personRules(rules), DIALECT)).toThrow(ConfigError);
  });
});

describe('expressions', () => {
  test.each([
    ["first + ' ' + last", { first: 'Ann', last: 'Lee' }, 'Ann Lee'],
    ['many', { many: ['b', 'a'] }, 'a'],
    ["all.many.exists(m, m == 'b') ? 'yes' : 'no'", { many: ['b', 'a'] }, 'yes'],
    ["''", {}, null],
  ])('%s gives %j → %j', (expr, raw, expected) => {
    expect(mapPerson({ fields: { label: { expr } } }, raw)).toMatchObject({
      record: { fields: { label: expected } },
    });
  });

  test('ask for the names they use, and nothing else', () => {
    const expr = "all.Groups.exists(g, g == 'x') && cel.bind(y, Mail, y != '')";
    const { columns } = compilePeople(personRules({ active: { expr } }), DIALECT);
    expect(columns.map(({ name }) => name).toSorted()).toEqual(['Groups', 'Mail', 'id', 'login', 'name']);
  });

  test('that fail are told with the reason; a value too long for matches() fails', () => {
    const reason = expect.stringContaining('the expression failed') as string;
    expect(mapPerson({ fields: { label: { expr: 'int(n)' } } }, { n: 'x' })).toMatchObject({
      ok: true,
      record: { losses: [{ field: 'label', reason }] },
    });
    const expr = "name.matches('^a') ? 'a' : 'b'";
    expect(mapPerson({ fields: { label: { expr } } }, { name: 'a'.repeat(10_001) })).toMatchObject({
      record: { losses: [{ field: 'label' }] },
    });
    expect(mapPerson({ fields: { name: { expr: 'string(int(n))' } } }, { n: 'x' })).toMatchObject({
      ok: false,
      refusal: { field: 'name', reason },
    });
  });
});

describe('lists as results', () => {
  test('make several positions, tags, properties and refs', () => {
    const reading = mapPerson(
      {
        positions: [{ unit: { expr: "split(units, ';').filter(u, u != 'X')" } }],
        fields: { tags: { expr: "all.t.map(t, t.replace('T', ''))" } },
        properties: { p: { expr: "split(units, ';')" } },
        tag_names: { Site: { expr: "['here', site]" } },
      },
      { units: 'B;X;A', t: ['T2', 'T1'], site: 'Bonn' },
    );
    expect(reading).toMatchObject({
      record: {
        positions: [{ unit: 'a' }, { unit: 'b' }],
        fields: {
          tags: ['1', '2'],
          properties: { p: ['A', 'B', 'X'] },
          tag_names: { Site: ['Bonn', 'here'] },
        },
      },
    });
  });

  test('of one value the first in sorted order counts', () => {
    expect(mapPerson({ fields: { label: { expr: "split('b,a', ',')" } } }, {})).toMatchObject({
      record: { fields: { label: 'a' } },
    });
  });
});

const mapped = (options: object, raw: Record<string, string | readonly string[]>, more: object = {}) => {
  const mapper = compilePeople(personRules(), DIALECT, options);
  const all: Record<string, string> = { id: '1', login: 'ann', name: 'Ann', ...raw };
  return mapper.map(
    rowFor(mapper, (name) => ('unknown' in more && name === 'kind' ? new Unknown() : all[name])),
  );
};

describe('conditions', () => {
  test.each([
    ['another record is in scope', { where: "kind == 'a'" }, { kind: 'a' }, { username: 'ann' }],
    [
      'out of scope',
      { where: "kind == 'b'" },
      { kind: 'a' },
      { id: '1', fields: {}, outOfScope: "kind == 'b'" },
    ],
    ['protected', { protect: "kind == 'a'" }, { kind: 'a' }, { isProtected: true }],
    [
      'both',
      { where: "kind == 'b'", protect: "kind == 'a'" },
      { kind: 'a' },
      { isProtected: true, fields: {} },
    ],
  ])('%s', (_, options, raw, record) => expect(mapped(options, raw)).toMatchObject({ ok: true, record }));

  test.each([
    [{ where: 'int(kind) > 1' }, { kind: 'x' }, { reason: /int\(\) type error/u }],
    [{ where: "kind == 'a'" }, {}, { unknown: true, reason: /directory does not know/u }],
    [{ where: "kind == 'a'" }, { kind: ['a', 'b'] }, { reason: /contradict/u }],
    [{ where: 'dyn(kind)' }, { kind: 'x' }, { reason: /neither true nor false/u }],
    [{ protect: 'int(kind) > 1' }, { kind: 'x' }, { reason: /sync\.protect\.where/u }],
  ])(
    '%j of %j is unknown: the record is refused, and does not say "left"',
    (options, raw, { reason, ...more }) => {
      const reading = mapped(options, raw, more);
      expect(reading.ok ? null : reading.refusal.active).toBeUndefined();
      expect(reading).toMatchObject({
        ok: false,
        refusal: {
          id: '1',
          label: 'ann',
          field: 'where',
          reason: expect.stringMatching(reason) as string,
        },
      });
    },
  );

  test('that reads a secret does not show it', () => {
    const rules = personRules({ fields: { name: 'name', id_card: 'card' } });
    const mapper = compilePeople(rules, DIALECT, {
      where: 'int(card) > 1 || lookup("t", card) == ""',
      expressions: new ExpressionCompiler(new Map([['t', new Map()]])),
    });
    const raw: Record<string, string> = { id: '1', login: 'ann', name: 'Ann', card: 'S3CRET' };
    const reading = mapper.map(rowFor(mapper, (name) => raw[name]));
    expect(reading.ok).toBe(false);
    expect(JSON.stringify(reading)).not.toContain('S3CRET');
  });

  test.each(['kind', 'size(all.kind)', 'now', "'true'"])(
    '%s is neither true nor false, and refused',
    (where) => {
      expect(() => compilePeople(personRules(), DIALECT, { where })).toThrow(
        /source\.people\.where: .* gives \S+, and not true or false/u,
      );
    },
  );
});

describe('tags by name', () => {
  const rules = { tag_names: { Staff: 'kind', Site: 'site' } };

  test('take every value of each group once; nothing is null, which clears them', () => {
    const reading = mapPerson(rules, { kind: ['VIP', 'Board', 'VIP'] });
    expect(reading).toMatchObject({ record: { fields: { tag_names: { Staff: ['Board', 'VIP'] } } } });
    expect(mapPerson(rules, { kind: ' ' })).toMatchObject({ record: { fields: { tag_names: null } } });
  });

  test('are lost as a whole where one group cannot be read, and not mapped without rules', () => {
    const reading = mapPerson(
      { tag_names: { Staff: 'kind', Site: { expr: 'int(kind) + 1' } } },
      { kind: 'VIP' },
    );
    expect(reading).toMatchObject({ ok: true, record: { losses: [{ field: 'tag_names.Site' }] } });
    expect(reading.ok && 'tag_names' in reading.record.fields).toBe(false);
    const plain = mapPerson({}, {});
    expect(plain.ok && 'tag_names' in plain.record.fields).toBe(false);
  });
});
