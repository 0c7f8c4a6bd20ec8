import { describe, expect, test } from 'vitest';
import type { LdapSettings } from '../../src/source/ldap/settings/ldap-settings.ts';
import type { SqlSettings } from '../../src/source/sql/kind.ts';
import { sourceChange, spellIdentity } from '../../src/domain/reading/source-identity.ts';
import { openSource } from '../../src/source/open-source.ts';
import { worldSettings } from './sql-world.ts';
import type { Whole } from './world.ts';
import { directorySettings } from './directory-settings.ts';

const DATABASE = 'postgres://hr:topsecret@db/hr';

const sql = (
  url: string,
  change: (settings: Whole<SqlSettings>) => Whole<SqlSettings> = (same) => same,
): string => openSource(change(worldSettings(url))).identity;

const COMPANY = 'ou=company,dc=example,dc=com';
const LDAP = directorySettings({
  url: 'ldap://ldap.example.com',
  units: {
    base: COMPANY,
    filter: '(objectClass=organizationalUnit)',
    fields: { id: 'entryUUID', name: 'ou' },
  },
  people: {
    base: COMPANY,
    filter: '(objectClass=inetOrgPerson)',
    fields: { id: 'entryUUID', username: 'uid', name: 'cn', positions: [{ unit: 'parentDn' }] },
  },
});

const ldap = (change: Partial<Whole<LdapSettings>> = {}): string =>
  openSource({ ...LDAP, ...change }).identity;

const withQuery = (query: string) => (settings: Whole<SqlSettings>) => ({
  ...settings,
  people: { ...settings.people, query },
});

const idOfPeople = (settings: Whole<SqlSettings>): Whole<SqlSettings> => ({
  ...settings,
  people: { ...settings.people, rules: { ...settings.people.rules, id: 'login' } },
});

describe('the same source', () => {
  const people = LDAP.people;

  test.each([
    [
      'another join',
      sql(DATABASE),
      sql(DATABASE, withQuery('select e.* from employee e left join x using (y)')),
    ],
    ['a comment', sql(DATABASE), sql(DATABASE, withQuery('select * from employee -- of HR'))],
    ['another table', sql(DATABASE), sql(DATABASE, withQuery('select * from staff'))],
    ['another user and password', sql(DATABASE), sql('postgres://other:p@db/hr')],
    ['the usual port', sql(DATABASE), sql('postgresql://hr:topsecret@DB:5432/hr?sslmode=require')],
    ['another spelling of the file', sql('sqlite:data/hr.db'), sql('sqlite:./data//hr.db')],
    ['a wider base', ldap(), ldap({ people: { ...people, bases: ['dc=example,dc=com'] } })],
    ['another filter', ldap(), ldap({ people: { ...people, filter: '(uid=*)' } })],
    ['LDAPS instead of StartTLS', ldap(), ldap({ url: 'ldaps://LDAP.example.com:636' })],
    [
      'attributes in another case',
      ldap(),
      ldap({ people: { ...people, rules: { ...people.rules, id: 'entryuuid' } } }),
    ],
  ])('has %s', (_, known, now) => {
    expect(sourceChange(known, now)).toBeNull();
  });

  test('is any, where the ledger knows none', () => {
    expect(sourceChange(null, ldap())).toBeNull();
  });
});

const spelled = (unitId: string, personId: string): string =>
  spellIdentity({ kind: 'combined', place: 'x', unitId, personId });

describe('another source', () => {
  test.each([
    [
      'server',
      sql(DATABASE),
      sql('postgres://hr:topsecret@db2/hr'),
      /server or database was db\/hr and is db2\/hr/u,
    ],
    ['database', sql(DATABASE), sql('postgres://hr:topsecret@db/hr2'), /is db\/hr2 now/u],
    ['file', sql('sqlite:a.db'), sql('sqlite:b.db'), /was a\.db and is b\.db now/u],
    ['port', ldap(), ldap({ url: 'ldap://ldap.example.com:3890' }), /is ldap\.example\.com:3890 now/u],
    ['kind', sql(DATABASE), ldap(), /kind was postgres and is ldap now/u],
    [
      'id rule, where units were made from values',
      spelled('', 'emp_no'),
      spelled('id', 'emp_no'),
      /^the id of units was the value of people \(units\.distinct\) and is id now$/u,
    ],
    [
      'id rule, where units are made from values of several sources',
      spelled('a: id, b: ', 'a: , b: nr'),
      spelled('a: , b: ', 'a: , b: no'),
      /units was a: id, b: none and is the value of people \(units\.distinct\) now, .* was a: none, b: nr and is a: none, b: no now/u,
    ],
    ['id rule', sql(DATABASE), sql(DATABASE, idOfPeople), /id of people was emp_no and is login now/u],
  ])('has another %s', (_, known, now, words) => {
    expect(sourceChange(known, now)).toMatch(words);
  });

  test('is told without passwords', () => {
    expect(sourceChange(sql(DATABASE), sql('mysql://hr:topsecret@db/hr'))).not.toMatch(/topsecret|hr:/u);
  });
});
