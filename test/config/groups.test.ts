import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';

import { directorySettings } from '../source/directory-settings.ts';
import { load, problemsOf, SERVICE } from './config-file.ts';

const SEARCH = { base: 'dc=x' };
const NAMED = { url: 'ldaps://a', vendor: 'openldap', people: SEARCH };
const GROUPS = { base: 'ou=groups,dc=x', members: 'member' };

const problems = (source: object): string =>
  problemsOf(SERVICE + stringify({ source: { type: 'ldap', ...NAMED, units: GROUPS, ...source } }));

const AD = { ad: { type: 'ldap', url: 'ldaps://a', vendor: 'openldap' } };
const HR = { hr: { type: 'sql', url: 'sqlite:hr.db' } };
const ofHr = { from: 'hr', query: 'select 1', fields: { id: 'id', username: 'login', name: 'name' } };

const scopeOf = (memberOf: unknown): unknown =>
  directorySettings({ ...NAMED, units: SEARCH, people: { ...SEARCH, memberOf } }).people?.memberOf;

test('one of several sources with a certificate without its key is refused', () => {
  const [ad, source] = [{ ...AD.ad, tls: { certFile: 'a.pem' } }, { units: { from: 'ad', ...SEARCH } }];
  const people = { from: 'ad', ...SEARCH };
  expect(problemsOf(SERVICE + stringify({ sources: { ad }, source: { ...source, people } }))).toContain(
    'sources.ad.tls.certFile: stands without keyFile; add keyFile, or remove certFile',
  );
});

describe('groups in the configuration', () => {
  test.each([
    ['openldap', 'member', '(objectClass=groupOfNames)', 'entryUUID'],
    ['openldap', 'memberUid', '(objectClass=posixGroup)', 'entryUUID'],
    ['389', 'uniqueMember', '(objectClass=groupOfUniqueNames)', 'nsUniqueId'],
    ['freeipa', 'member', '(objectClass=ipaUserGroup)', 'nsUniqueId'],
    [
      'activeDirectory',
      'member',
      String.raw`(&(objectClass=group)(!(isCriticalSystemObject=TRUE))(!(name=*\0ACNF:*)))`,
      'objectGUID',
    ],
  ])(
    'of %s with %s have a filter, an id and a name, and positions are in them',
    (vendor, members, filter, id) => {
      const { units, people } = directorySettings({ ...NAMED, vendor, units: { ...GROUPS, members } });
      expect(units).toMatchObject({
        filter,
        members: { by: members, nested: 'units' },
        rules: { id, refs: ['dn', id], parent: 'parent_group', fields: { name: 'cn' } },
      });
      expect(people?.rules.positions).toEqual([{ unit: 'unit_groups', job_title: 'title' }]);
    },
  );

  test('that do not nest as units stand where their entries do, and are always found by DN', () => {
    const { units } = directorySettings({
      ...NAMED,
      units: { ...GROUPS, members: { by: 'member', nested: 'people' }, fields: { refs: ['cn'] } },
    });
    expect(units?.rules).toMatchObject({ parent: 'parentDn', refs: ['dn', 'cn'] });
  });

  test('as the scope are one, or a list', () => {
    expect(scopeOf('cn=a,dc=x')).toEqual(['cn=a,dc=x']);
    expect(scopeOf(['cn=a,dc=x', 'cn=b,dc=x'])).toEqual(['cn=a,dc=x', 'cn=b,dc=x']);
  });

  test('may have other positions beside them', () => {
    const positions = [{ unit: 'unit_groups' }, { unit: 'parentDn' }];
    const { people } = directorySettings({
      ...NAMED,
      units: GROUPS,
      people: { ...SEARCH, fields: { positions } },
    });
    expect(people?.rules.positions).toEqual(positions);
  });

  test.each([
    [
      { units: { ...GROUPS, members: 'membr' } },
      'source.units.members: is no way to tell members; write member, uniqueMember, memberUid, or { by: member, nested: units | people }',
    ],
    [
      { people: { ...SEARCH, memberOf: [] } },
      'source.people.memberOf: is an empty list; give it at least one entry',
    ],
    [
      { people: { ...SEARCH, memberOf: 'staff' } },
      'source.people.memberOf: is no DN of a group; write it whole, as in cn=staff,ou=groups,dc=example,dc=com',
    ],
    [
      { people: { ...SEARCH, fields: { positions: [{ unit: 'parentDn' }] } } },
      'source.people.fields.positions: none is in a group, though source.units has members; add { unit: unit_groups }, or remove positions',
    ],
  ])('that contradict are told: %j', (source, told) => expect(problems(source)).toContain(told));

  test('of one directory with the people of another are told', () => {
    const source = { units: { from: 'ad', ...GROUPS }, people: ofHr };
    expect(problemsOf(SERVICE + stringify({ sources: { ...AD, ...HR }, source }))).toContain(
      'source.units.members: names people of this directory, and source.people reads none of them; read the people from the same source, and complete them by a join',
    );
  });

  test('of one directory stand in one entry', () => {
    const groups = { from: 'ad', ...GROUPS };
    const source = { units: [groups, groups], people: { from: 'ad', base: 'dc=x' } };
    expect(problemsOf(SERVICE + stringify({ sources: AD, source }))).toContain(
      'source.units[1].members: stands a second time for one directory; write one entry with a list of bases',
    );
  });

  test('of a named source place its people, without a vendor too', () => {
    const fields = { id: 'uid', username: 'uid', name: 'cn' };
    const units = { from: 'ad', ...GROUPS, filter: '(cn=*)', fields: { id: 'cn', name: 'cn' } };
    const people = { from: 'ad', base: 'dc=x', filter: '(uid=*)', fields };
    const { settings } = load(
      SERVICE + stringify({ sources: { ad: { type: 'ldap', url: 'ldaps://a' } }, source: { units, people } }),
    );
    const [member] = settings.source.members;
    expect(member?.source.people?.rules.positions).toEqual([{ unit: 'unit_groups' }]);
  });
});
