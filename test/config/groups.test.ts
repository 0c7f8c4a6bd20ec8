import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';

import { directorySettings } from '../source/directory-settings.ts';
import { load, SERVICE } from './config-file.ts';

const SEARCH = { base: 'dc=x' };
const NAMED = { url: 'ldaps://a', vendor: 'openldap', people: SEARCH };
const GROUPS = { base: 'ou=groups,dc=x', members: 'member' };

const scopeOf = (memberOf: unknown): unknown =>
  directorySettings({ ...NAMED, units: SEARCH, people: { ...SEARCH, memberOf } }).people?.memberOf;

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
