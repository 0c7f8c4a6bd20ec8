import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';

import { secretsOf } from '../../src/config/load-settings.ts';
import { load, SERVICE } from './config-file.ts';
import { directorySettings } from '../source/directory-settings.ts';

const SEARCH = { base: 'dc=x' };
const NAMED = { url: 'ldaps://a', vendor: 'openldap', units: SEARCH, people: SEARCH };

describe('a directory in the configuration', () => {
  test('has the defaults of its named vendor where the file has none, and the file’s own else', () => {
    const { units, people } = directorySettings({
      ...NAMED,
      people: { ...SEARCH, fields: { username: 'mail', mobile: 'mobile' } },
    });
    expect(units).toMatchObject({
      filter: '(objectClass=organizationalUnit)',
      rules: { id: 'entryUUID', refs: ['dn', 'entryUUID'], parent: 'parentDn', fields: { name: 'ou' } },
    });
    expect(people).toMatchObject({
      filter: '(objectClass=inetOrgPerson)',
      rules: {
        id: 'entryUUID',
        username: 'mail',
        active: 'account_active',
        fields: { mobile: 'mobile', email: 'mail' },
      },
    });
  });

  test('of several servers and bases keeps their order, and hides each password', () => {
    const settings = directorySettings({
      ...NAMED,
      url: ['ldaps://a', 'ldaps://b', 'ldaps://c'],
      people: { base: ['dc=x', 'dc=y'], exclude: ['ou=no,dc=x'] },
    });
    expect([settings.url, settings.otherUrls]).toEqual(['ldaps://a', ['ldaps://b', 'ldaps://c']]);
    expect(settings.people).toMatchObject({
      bases: ['dc=x', 'dc=y'],
      scope: 'sub',
      exclude: ['ou=no,dc=x'],
    });
    const text =
      SERVICE + stringify({ source: { type: 'ldap', ...NAMED, bindDn: 'cn=r', bindPassword: 's3cret-pw' } });
    expect(secretsOf(load(text).settings)).toContain('s3cret-pw');
  });
});
