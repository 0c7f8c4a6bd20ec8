import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';

import { secretsOf } from '../../src/config/load-settings.ts';
import { load, problemsOf, SERVICE } from './config-file.ts';
import { directorySettings } from '../source/directory-settings.ts';

const SEARCH = { base: 'dc=x' };
const NAMED = { url: 'ldaps://a', vendor: 'openldap', units: SEARCH, people: SEARCH };

const problems = (source: object): string =>
  problemsOf(SERVICE + stringify({ source: { type: 'ldap', ...NAMED, ...source } }));

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

  test('needs every filter and field without a vendor', () => {
    const told = problems({ vendor: undefined });
    for (const path of [
      'units.filter',
      'units.fields.id',
      'units.fields.name',
      'people.filter',
      'people.fields.username',
    ])
      expect(told).toContain(`source.${path}: is missing; add it, or name the vendor of the directory`);
  });

  test('has a misspelled vendor told alone', () => {
    expect(problems({ vendor: 'activedirectory' })).toMatch(/^FILE: 1 problem\n/u);
  });

  test('a password in the address of a directory is not repeated', () => {
    expect(problems({ url: 'ldaps://bob:pa55word@b' })).not.toContain('pa55word');
  });

  test.each([
    [
      { vendor: 'activedirectory' },
      'source.vendor: "activedirectory" is not one of 389, activeDirectory, samba, openldap, freeipa; did you mean activeDirectory?',
    ],
    [{ url: ['ldaps://a', 'http://b'] }, 'source.url[1]: has the scheme http:'],
    [{ url: 'ldap://a/dc=x' }, 'source.url: has more than a server, which is not taken from there'],
    [
      { url: ['ldap://a', 'ldaps://bob:secret@b'] },
      'source.url[1]: has a user or a password, which are not taken from there',
    ],
    [{ startTls: true }, 'source.startTls: is not false; remove it: ldap:// is encrypted without it'],
    [{ tls: { certFile: 'c' } }, 'source.tls.certFile: stands without keyFile'],
    [{ bindDn: 'cn=x', bindPassword: { command: [] } }, 'source.bindPassword'],
    [{ referrals: 'ignore' }, 'source.referrals: is gone; remove it: zones of an Active Directory'],
    [{ units: { base: ['dc=x', { base: 'dc=y', scope: 'all' }] } }, 'source.units.base'],
  ])('%j is told', (source, words) => {
    expect(problems(source)).toContain(words);
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
