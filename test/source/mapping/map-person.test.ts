import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import type { Person, Reading, Unit } from '../../../src/domain/records/records.ts';
import type { FieldRule, PersonRules, UnitRules } from '../../../src/domain/source-settings.ts';
import { ExpressionCompiler } from '../../../src/source/mapping/expressions/expression.ts';
import { compilePeople } from '../../../src/source/mapping/map-person.ts';
import { Garbled, Unknown } from '../../../src/source/mapping/values/raw-record.ts';
import { DIALECT, mapPerson, mapUnit, personRules, rowFor, type Raw } from './map-records.ts';

/** Rules, and raw records that each stand beside id 1, login ann and name Ann; what they map to is in the golden file. */
type Situations<R> = Readonly<
  Record<string, readonly (readonly [rules: Partial<R>, ...raw: readonly Raw[]])[]>
>;

const active = (rule: FieldRule): Partial<PersonRules> => ({ active: rule });
const label = (expr: string): Partial<PersonRules> => ({ fields: { label: { expr } } });
const TWO_PLACES = [
  { unit: 'dept', job_title: 'title', primary: { const: true } },
  { unit: 'more', chief: 'head' },
];
const BAD = { expr: 'string(int(x))' };
const REFUSED = active({ expr: "flag == '?' ? 'perhaps' : (flag == 'left' ? 'no' : 'yes')" });
const OPTIONAL = { fields: { birthday: 'born', tags: 'tags', senior: 'senior' } };

const PEOPLE: Situations<PersonRules> = {
  'values are trimmed, also of invisible characters; a mapped field without one is null': [
    [{ fields: { email: 'mail', tel: 'phone', city: 'town' } }, { mail: ' a@b ', phone: '  ' }],
    [
      { fields: { email: 'mail', tel: 'phone' } },
      { id: '1\u200B', login: '\uFEFFann\u200E', mail: ' a@b\u00A0\u2060', phone: '\u200B \u200B' },
    ],
  ],
  'an invisible character within id or username is refused, and the person known all the same': [
    [{}, { id: '1\u200B1' }, { login: 'an\u{E0001}n' }],
  ],
  'of several values the first in sorted order counts; tags, properties and groups of tags take every one': [
    [{ fields: { mobile: 'tel', tags: 'tags' } }, { tel: ['2', '1'], tags: ['10', '9', '9'] }],
    [{ properties: { a1: 'x', a2: 'y' }, source_identifiers: { hr: 'x', ad: 'y' } }, { x: ['2', '1'] }, {}],
    [{ tag_names: { Staff: 'kind', Site: 'site' } }, { kind: ['VIP', 'Board', 'VIP'] }, { kind: ' ' }],
    [label("split('b,a', ',')"), {}],
  ],
  'two ids are none, the same twice is one, and an expression chooses': [
    [{}, { id: ['1', '2'] }, { id: ['1', '1 '] }],
    [{ id: { expr: 'all.id[1]' } }, { id: ['1', '2'] }],
  ],
  'without id and username it is called by its name': [[{ id: 'none', username: 'none' }, {}]],
  'secrets are apart from fields': [
    [{ fields: { password: 'pw', id_card: 'card' } }, { pw: 'hush', card: '42' }],
  ],
  'who is active': [
    [
      active('flag'),
      ...['yes', '0', undefined, 'perhaps', ['true', 'false'], ['yes', 'maybe'], ['true', 'yes']].map(
        (flag) => ({
          flag,
        }),
      ),
    ],
    [
      active({ expr: "flag != 'left'" }),
      { flag: 'left' },
      {},
      ...[
        ['here', 'left'],
        ['left', 'zeta'],
        ['here', 'ill'],
      ].map((flag) => ({ flag })),
    ],
    [active({ expr: 'int(flag) > 3' }), { flag: 'x' }],
    [active({ expr: 'int(flag) == 1' }), { flag: '1' }, {}],
    [active({ expr: 'double(flag) >= 1.0' }), { flag: '0x10' }],
    [active({ expr: "flag == '' ? false : int(flag) == 1" }), {}],
    [active({ expr: 'flag' }), { flag: 'perhaps' }],
    [active({ const: false }), {}],
  ],
  'a person who is refused, with who it is and whether they left': [
    [{}, { id: ' ' }, { login: undefined }, { name: '' }],
    [
      REFUSED,
      { flag: 'left', login: '' },
      { flag: 'left', name: '' },
      { flag: 'left', id: '' },
      { flag: 'on', id: '', login: '' },
      { flag: '?', name: '' },
    ],
  ],
  'a number that a spreadsheet has rounded costs its field; an id or login the person': [
    ...['mobile', 'tel', 'rank'].map((field) => [{ fields: { [field]: 'x' } }, { x: '8.6138E+12' }] as const),
    [{}, { id: '8.6138E+12' }, { login: '8.6138E+12' }],
  ],
  'an optional field that cannot be read costs itself alone': [
    [OPTIONAL, { born: '1990-02-30' }, { tags: ['1', 'x'] }, { senior: 'perhaps' }],
    [
      {
        properties: { a1: 'y', a2: BAD },
        positions: [{ unit: 'dept', job_title: 'title', chief: 'x' }],
        source_identifiers: { hr: BAD },
      },
      { x: 'S3CRET', y: '1', dept: 'A', title: 'Boss' },
    ],
    [{ fields: { id_card: 'card', sort_order: 'card' } }, { card: 'S3CRET' }],
    [{ fields: { id_card: 'card', rank: { expr: 'int(card) + 1' } } }, { card: 'S3CRET' }],
    [{ tag_names: { Staff: 'kind', Site: { expr: 'int(kind) + 1' } } }, { kind: 'VIP' }],
  ],
  'positions are one for each unit, of the first rule that names it; the base is the root': [
    [
      { positions: TWO_PLACES },
      { dept: 'A', more: ['C', 'B'], title: 'Boss', head: '1' },
      {},
      { dept: 'A', more: ['a', 'ROOT'] },
    ],
    [
      {
        positions: [
          { unit: 'dept', job_title: 'title', primary: { const: false } },
          { unit: 'more', job_title: 'other', primary: { const: true } },
        ],
      },
      { dept: 'A', more: 'A', title: 'Boss', other: 'Clerk' },
    ],
  ],
  expressions: [
    [label("first + ' ' + last"), { first: 'Ann', last: 'Lee' }],
    [label('many'), { many: ['b', 'a'] }],
    [label("all.many.exists(m, m == 'b') ? 'yes' : 'no'"), { many: ['b', 'a'] }],
    [label("''"), {}],
    [label('int(n)'), { n: 'x' }],
    [{ fields: { name: { expr: 'string(int(n))' } } }, { n: 'x' }],
    [
      {
        positions: [{ unit: { expr: "split(units, ';').filter(u, u != 'X')" } }],
        fields: { tags: { expr: "all.t.map(t, t.replace('T', ''))" } },
        properties: { p: { expr: "split(units, ';')" } },
        tag_names: { Site: { expr: "['here', site]" } },
      },
      { units: 'B;X;A', t: ['T2', 'T1'], site: 'Bonn' },
    ],
  ],
};

const NAMED = { refs: ['id', 'code', 'names'] };
const NEEDED = {
  fields: { serial_no: { expr: "serial == '' ? '1' : string(int(serial))" } },
  refs: ['code'],
};

const UNITS: Situations<UnitRules> = {
  'a unit is named by its refs in canonical text, each once': [
    [NAMED, { code: 'u1', names: ['B', 'A'] }, {}],
  ],
  'the unit above it; neither itself nor the base is one': [
    [{ parent: 'up' }, { up: 'U2' }, {}, { up: 'u1' }, { up: 'Root' }, { up: ['b', 'a'] }],
  ],
  'a name stays as it is, with all its characters': [
    [{}, { name: '  R+D / "Lab" \\ 研发部 🚀\u0000e\u0301 ' }],
  ],
  'a unit that is refused': [
    [
      NEEDED,
      ...[{ id: undefined }, { id: ['U1', 'U2'] }, { name: ' ' }, { serial: 'x' }].map((raw) => ({
        code: 'C1',
        ...raw,
      })),
    ],
  ],
  'a field that it does not need costs itself alone': [
    [
      { fields: { sort_order: 'sort', tel: 'tel', type: 'kind' } },
      { sort: '1.5', tel: '7', kind: 'Department' },
      { kind: 'CORP' },
      { kind: 'dept' },
    ],
  ],
};

/** Returns what a reading has besides what nearly all of them have. */
function told(reading: Reading<Person | Unit>): string {
  if (!reading.ok) return `refused ${JSON.stringify(reading.refusal)}`;
  const usual: Readonly<Record<string, unknown>> = { active: true, secrets: {}, positions: [] };
  const parts = Object.entries(reading.record).flatMap(([key, value]) => {
    const text = JSON.stringify(value);
    return value === undefined || text === JSON.stringify(usual[key]) ? [] : [`${key} ${text}`];
  });
  return parts.join('  ');
}

function golden<R>(situations: Situations<R>, map: (rules: Partial<R>, raw: Raw) => Reading<Person | Unit>) {
  return Object.entries(situations).map(([rule, all]) => {
    const lines = all.flatMap(([rules, ...raws]) => [
      `  ${JSON.stringify(rules)}`,
      ...raws.map((raw) => `    ${JSON.stringify(raw)}\n      ${told(map(rules, raw))}`),
    ]);
    return [rule, ...lines].join('\n');
  });
}

test('records map to what the golden file says', async () => {
  const all = [...golden(PEOPLE, mapPerson), ...golden(UNITS, mapUnit)];
  const visible = (sign: string): string => String.raw`\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`;
  const text = `${all.join('\n\n')}\n`.replaceAll(/\p{Cf}/gu, visible);
  await expect(text).toMatchFileSnapshot('mapped.txt');
  const losses = text.split('\n').filter((line) => /^ {6}.*S3CRET/u.test(line));
  expect(losses.map((line) => line.replace(/ {2}secrets \S+/u, '')).join()).not.toContain('S3CRET');
});

test('a person whose text is no UTF-8 loses the field, or is refused; nothing of it is shown', () => {
  const rules = personRules({ fields: { email: 'mail', city: { expr: 'lower(town)' } } });
  const mapper = compilePeople(rules, DIALECT);
  const texts: Raw = { id: '1', login: 'ann', name: 'Ann', mail: '5GJj', town: '5A==' };
  const map = (...garbled: readonly string[]) =>
    mapper.map(
      rowFor(mapper, (name) => (garbled.includes(name) ? new Garbled(String(texts[name])) : texts[name])),
    );
  const reason = (name: string): string => `${name} is no text in UTF-8: write it anew in the directory`;
  const losses = [
    { field: 'email', reason: reason('mail') },
    { field: 'city', reason: reason('town') },
  ];
  expect(map('mail', 'town')).toMatchObject({ ok: true, record: { fields: { name: 'Ann' }, losses } });
  expect(map('name')).toMatchObject({ refusal: { id: '1', label: 'ann', reason: reason('name') } });
  expect(map('id')).toMatchObject({ refusal: { id: null, label: 'ann', reason: reason('id') } });
});

function born(text: string, rule: FieldRule, timezone = 'UTC') {
  const expressions = new ExpressionCompiler(new Map(), new Set(), undefined, timezone);
  const rules = personRules({ fields: { name: 'name', birthday: rule } });
  const mapper = compilePeople(rules, DIALECT, { expressions });
  const raw: Raw = { id: '1', login: 'ann', name: 'Ann', born: text };
  const reading = mapper.map(rowFor(mapper, (name) => raw[name]));
  if (!reading.ok) throw new Error(reading.refusal.reason);
  const { fields, losses = [] } = reading.record;
  const ms = fields['birthday'];
  return typeof ms === 'string' ? new Date(Number(ms)).toISOString() : losses[0]?.reason;
}

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
    expect(born(text, rule)).toMatch(/^20\d\d-\d\d-\d\d .* future:/u);
  });
});

const NO_CONDITION = /source\.people\.where: .* gives \S+, and not true or false/u;

test.each<[Partial<PersonRules>, { readonly where?: string }, RegExp]>([
  [{ fields: { name: 'name', nope: 'x' } }, {}, /source\.people\.fields\.nope/],
  [{ active: { expr: "status != 'left" } }, {}, /source\.people\.fields\.active.*status/],
  [{ active: { expr: 'size(all) > 1' } }, {}, /all\.NAME/],
  [{}, { where: 'kind' }, NO_CONDITION],
  [{}, { where: 'size(all.kind)' }, NO_CONDITION],
  [{}, { where: 'now' }, NO_CONDITION],
  [{}, { where: "'true'" }, NO_CONDITION],
])('%j with %j is a mistake of the configuration', (rules, options, message) => {
  expect(() => compilePeople(personRules(rules), DIALECT, options)).toThrow(message);
  expect(() => compilePeople(personRules(rules), DIALECT, options)).toThrow(ConfigError);
});

test('expressions ask for the names they use, and nothing else', () => {
  const expr = "all.Groups.exists(g, g == 'x') && cel.bind(y, Mail, y != '')";
  const { columns } = compilePeople(personRules({ active: { expr } }), DIALECT);
  expect(columns.map(({ name }) => name).toSorted()).toEqual(['Groups', 'Mail', 'id', 'login', 'name']);
});

test('a value too long for matches() costs the field', () => {
  const raw = { name: 'a'.repeat(10_001) };
  expect(mapPerson(label("name.matches('^a') ? 'a' : 'b'"), raw)).toMatchObject({
    record: { losses: [{ field: 'label' }] },
  });
});

const mapped = (options: object, raw: Raw, isUnknown = false) => {
  const mapper = compilePeople(personRules(), DIALECT, options);
  const all: Raw = { id: '1', login: 'ann', name: 'Ann', ...raw };
  return mapper.map(rowFor(mapper, (name) => (isUnknown && name === 'kind' ? new Unknown() : all[name])));
};

describe('conditions', () => {
  const [IS_A, IS_B] = ["kind == 'a'", "kind == 'b'"];

  test.each([
    [{ where: IS_A }, { username: 'ann' }],
    [{ where: IS_B }, { id: '1', fields: {}, outOfScope: IS_B }],
    [{ protect: IS_A }, { isProtected: true }],
    [
      { where: IS_B, protect: IS_A },
      { isProtected: true, fields: {} },
    ],
  ])('%j', (options, record) => expect(mapped(options, { kind: 'a' })).toMatchObject({ ok: true, record }));

  test.each([
    [{ where: 'int(kind) > 1' }, { kind: 'x' }, /int\(\) type error/u, false],
    [{ where: IS_A }, {}, /source does not know/u, true],
    [{ where: IS_A }, { kind: ['a', 'b'] }, /contradict/u, false],
    [{ where: 'dyn(kind)' }, { kind: 'x' }, /neither true nor false/u, false],
    [{ protect: 'int(kind) > 1' }, { kind: 'x' }, /sync\.protect\.where/u, false],
  ] as const)(
    '%j of %j is unknown: the record is refused, and does not say "left"',
    (options, raw, why, isUnknown) => {
      const reading = mapped(options, raw, isUnknown);
      const reason = expect.stringMatching(why) as string;
      const refusal = { id: '1', label: 'ann', field: 'where', reason };
      expect(reading).toMatchObject({ ok: false, refusal });
      expect(reading.ok ? null : reading.refusal.active).toBeUndefined();
    },
  );

  test('that read a secret do not show it', () => {
    const rules = personRules({ fields: { name: 'name', id_card: 'card' } });
    const expressions = new ExpressionCompiler(new Map([['t', new Map()]]));
    const where = 'int(card) > 1 || lookup("t", card) == ""';
    const mapper = compilePeople(rules, DIALECT, { where, expressions });
    const raw: Raw = { id: '1', login: 'ann', name: 'Ann', card: 'S3CRET' };
    const reading = mapper.map(rowFor(mapper, (name) => raw[name]));
    expect(reading.ok).toBe(false);
    expect(JSON.stringify(reading)).not.toContain('S3CRET');
  });
});
