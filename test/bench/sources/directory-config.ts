import { scriptOf, type ReadFloor } from './bench-source.ts';
import { personFields } from './bench-source.ts';
import { SHARED_ATTRIBUTES } from './directory-ldif.ts';

export interface DirectoryLogin {
  readonly url: string;
  readonly bindDn: string;
  readonly password: string;
}

export interface DirectoryNames {
  readonly base: string;
  readonly filter: string;
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** Returns the section `source` for a directory, whose units and people stand below one base. */
export function directoryConfig(
  login: DirectoryLogin,
  names: DirectoryNames,
): Readonly<Record<string, unknown>> {
  const { base, filter, id, username, name } = names;
  return {
    type: 'ldap',
    url: login.url,
    bindDn: login.bindDn,
    bindPassword: login.password,
    units: {
      base,
      filter: '(objectClass=organizationalUnit)',
      fields: { id: 'businessCategory', refs: ['dn', 'businessCategory'], name: 'ou' },
    },
    people: {
      base,
      filter,
      fields: personFields({
        id,
        username,
        name,
        email: 'mail',
        mobile: 'mobile',
        sn: 'employeeNumber',
        tel: 'telephoneNumber',
        unit: 'parentDn',
        second: 'departmentNumber',
      }),
    },
  };
}

/** Returns bare reads of the same entries with the same attributes, in pages of 500: ldapts, and ldapsearch. */
export function directoryFloors(login: DirectoryLogin, names: DirectoryNames): readonly ReadFloor[] {
  const { base, filter, id, username, name } = names;
  const attributes = [id, username, name, ...SHARED_ATTRIBUTES];
  const bind = ['-x', '-H', login.url, '-D', login.bindDn, '-w', login.password];
  const search = ['-b', base, '-E', 'pr=500/noprompt', '-LLL', filter, ...attributes];
  const bare = [scriptOf('floors/ldapts-read'), login.url, login.bindDn, login.password, base, filter];
  return [
    { name: 'bare driver', command: 'node', args: [...bare, ...attributes] },
    { name: 'ldapsearch', command: 'ldapsearch', args: [...bind, ...search] },
  ];
}
