import { describe, expect, test } from 'vitest';

import { ConfigError } from '../../../src/domain/errors.ts';
import { compilePeople } from '../../../src/source/mapping/map-person.ts';
import { DIALECT, mapPerson, personRules } from './map-records.ts';

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

  test('of several values the first in sorted order counts, tags take every one', () => {
    const reading = mapPerson(
      { fields: { mobile: 'tel', tags: 'tags' } },
      { tel: ['2', '1'], tags: ['10', '9', '9'] },
    );
    expect(reading).toMatchObject({ record: { fields: { mobile: '1', tags: ['9', '10'] } } });
  });

  test('keeps every digit of an integer', () => {
    const reading = mapPerson({ fields: { sort_order: 'n' } }, { n: '9007199254740993' });
    expect(reading).toMatchObject({ record: { fields: { sort_order: '9007199254740993' } } });
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
    [{ expr: 'flag' }, 'perhaps', null],
    [{ const: false }, undefined, false],
  ])('by %j of %j is %j', (active, flag, expected) => {
    expect(mapPerson({ active }, { flag })).toMatchObject({ record: { active: expected } });
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
    ['birthday', { born: '1990-02-30' }, '1'],
    ['tags', { tags: ['1', 'x'] }, '1'],
    ['senior', { senior: 'perhaps' }, '1'],
  ])('for its %s', (field, raw, id) => {
    const reading = mapPerson({ fields: { birthday: 'born', tags: 'tags', senior: 'senior' } }, raw);
    expect(reading).toMatchObject({ ok: false, refusal: { subject: 'person', id, field, place: 'here' } });
  });

  test('without the value of a secret, its own or another field’s', () => {
    const fields = { id_card: 'card', sort_order: 'card', rank: { expr: 'int(card) + 1' } };
    for (const only of ['sort_order', 'rank'] as const) {
      const reading = mapPerson(
        { fields: { id_card: fields.id_card, [only]: fields[only] } },
        { card: 'S3CRET' },
      );
      expect(reading).toMatchObject({ ok: false, refusal: { field: only } });
      expect(JSON.stringify(reading)).not.toContain('S3CRET');
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
    [{ active: { expr: 'status != 3' } }, /Every value is text/],
    [{ active: { expr: 'name.matches(pattern)' } }, /takes its pattern as a text/],
    [{ active: { expr: "name.matches('(a+)+$')" } }, /repeats a group/],
    [{ active: { expr: 'size(all) > 1' } }, /all\.NAME/],
  ])('%j', (rules, message) => {
    expect(() => compilePeople(personRules(rules), DIALECT)).toThrow(message);
    expect(() => compilePeople(personRules(rules), DIALECT)).toThrow(ConfigError);
  });
});

describe('expressions', () => {
  test.each([
    ["first + ' ' + last", { first: 'Ann', last: 'Lee' }, 'Ann Lee'],
    ["missing == '' ? 'none' : missing", {}, 'none'],
    ['many', { many: ['b', 'a'] }, 'a'],
    ["all.many.exists(m, m == 'b') ? 'yes' : 'no'", { many: ['b', 'a'] }, 'yes'],
    ["all['ms-ds-x'].size() == 2 ? 'two' : 'other'", { 'ms-ds-x': ['b', 'a'] }, 'two'],
    ['int(n) + 1', { n: '41' }, '42'],
    ["mail.matches('^[a-z]+@') ? 'ok' : 'no'", { mail: 'ann@x' }, 'ok'],
    ["''", {}, null],
  ])('%s gives %j → %j', (expr, raw, expected) => {
    expect(mapPerson({ fields: { label: { expr } } }, raw)).toMatchObject({
      record: { fields: { label: expected } },
    });
  });

  test('ask for the names they use, and nothing else', () => {
    const expr = "all.Groups.exists(g, g == 'x') && cel.bind(y, Mail, y != '')";
    const { names } = compilePeople(personRules({ active: { expr } }), DIALECT);
    expect([...names].toSorted()).toEqual(['Groups', 'Mail', 'id', 'login', 'name']);
  });

  test('that fail refuse the record with the reason; a value too long for matches() fails', () => {
    expect(mapPerson({ fields: { label: { expr: 'int(n)' } } }, { n: 'x' })).toMatchObject({
      ok: false,
      refusal: { field: 'label', reason: expect.stringContaining('the expression failed') as string },
    });
    const expr = "name.matches('^a') ? 'a' : 'b'";
    expect(mapPerson({ fields: { label: { expr } } }, { name: 'a'.repeat(600) })).toMatchObject({
      ok: false,
    });
  });
});
