import type { LdapSettings } from '../../../../src/source/ldap/settings/ldap-settings.ts';
import { added, toLdif, type LdifEntry } from '../../../servers/ldif.ts';
import type { Slapd } from '../../../servers/slapd.ts';
import type { Whole } from '../../world.ts';
import { ldapSettings } from '../../ldap-world.ts';

export const SUFFIX = 'dc=example,dc=com';
export const BASE = `ou=company,${SUFFIX}`;
export const OUTSIDE = `ou=elsewhere,${SUFFIX}`;

const unit = (dn: string): LdifEntry => [dn, { objectClass: 'organizationalUnit' }];

export function person(id: string, at: string, type = 'staff'): LdifEntry {
  const names = {
    cn: id,
    sn: 'x',
    uid: id,
    employeeNumber: id,
    displayName: `Name of ${id}`,
    employeeType: type,
  };
  return [`cn=${id},${at}`, { objectClass: 'inetOrgPerson', ...names }];
}

/** Two units with two people each, one below the other, and a place outside with one person. */
export const STAFF: readonly LdifEntry[] = [
  unit(BASE),
  unit(`ou=a,${BASE}`),
  unit(`ou=b,ou=a,${BASE}`),
  unit(`ou=c,${BASE}`),
  unit(OUTSIDE),
  person('p1', `ou=a,${BASE}`),
  person('p2', `ou=a,${BASE}`),
  person('p3', `ou=b,ou=a,${BASE}`),
  person('p4', `ou=c,${BASE}`),
  person('p5', OUTSIDE),
];

export const staffLdif = (): string => toLdif(STAFF);

/** Settings of a source that reads those of the staff who are not retired. */
export function staffSettings(
  server: Slapd,
  {
    people: more,
    ...others
  }: { readonly people?: Partial<Whole<LdapSettings>['people']> } & Partial<
    Omit<LdapSettings, 'people' | 'units'>
  > = {},
): Whole<LdapSettings> {
  const settings = ldapSettings(server, { changes: 'auto' });
  const { people } = settings;
  const rules = { ...people.rules, positions: [{ unit: 'parentDn', job_title: 'title' }] };
  const filter = '(&(objectClass=inetOrgPerson)(!(employeeType=retired)))';
  return { ...settings, people: { ...people, bases: [BASE], filter, rules, ...more }, ...others };
}

/** What ldapmodify does to one entry. */
export const ldif = {
  add: (entry: LdifEntry): string => added([entry]),
  remove: (dn: string): string => `dn: ${dn}\nchangetype: delete\n\n`,
  set: (dn: string, name: string, value: string): string =>
    `dn: ${dn}\nchangetype: modify\nreplace: ${name}\n${name}: ${value}\n\n`,
  rename: (dn: string, rdn: string, above?: string): string =>
    `dn: ${dn}\nchangetype: modrdn\nnewrdn: ${rdn}\ndeleteoldrdn: 1\n${above === undefined ? '' : `newsuperior: ${above}\n`}\n`,
} as const;
