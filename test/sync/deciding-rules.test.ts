import { expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { decidingRules } from '../../src/sync/state/deciding-rules.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { SYNC } from '../plan/build.ts';

const PEOPLE = '{ base: "ou=a,dc=x" }';
const directory = (url: string, people = PEOPLE): string =>
  `type: ldap, vendor: openldap, url: ${url}, bindDn: cn=reader, bindPassword: secret, units: { base: "ou=a,dc=x" }, people: ${people}`;
const alone = (url: string, people?: string): string => `source: { ${directory(url, people)} }`;
const together = (url: string): string =>
  `sources: { ad: { ${directory(url).replace(/, units.*/u, '')} }, hr: { type: csv } }
source:
  units: { from: ad, base: "ou=a,dc=x" }
  people: { from: hr, file: p.csv, fields: { id: id, username: id, name: n, positions: [{ unit: u }] } }`;

function rulesOf(source: string): string {
  const { settings } = load(`${SERVICE}${source}\n`);
  return decidingRules(openSource(settings.source), SYNC);
}

test.each([
  ['alone', alone],
  ['with another source', together],
])('which server of a list answers is no rule: %s', (_, written) => {
  const rules = ['ldaps://a', '[ldaps://a, ldaps://b]', '[ldaps://b, ldaps://a]', '[ldaps://b, ldaps://c]'];
  expect(new Set(rules.map((url) => rulesOf(written(url)))).size).toBe(1);
});

test('a filter, and the id of people, are rules', () => {
  const people = [
    PEOPLE,
    '{ base: "ou=a,dc=x", where: "sn != \'\'" }',
    '{ base: "ou=a,dc=x", fields: { id: uid } }',
  ];
  expect(new Set(people.map((one) => rulesOf(alone('ldaps://a', one)))).size).toBe(3);
});
