import type { LdapSettings } from '../../src/source/ldap/settings/ldap-settings.ts';
import { escapeRdn, toLdif, type LdifEntry } from '../servers/ldif.ts';
import type { Slapd } from '../servers/slapd.ts';
import { NO_MAPS, PEOPLE, UNITS, type Whole, type WorldPerson } from './world.ts';

export const BASE = 'ou=company,dc=example,dc=com';

/** OpenLDAP's mdb keeps RDNs of about 240 bytes at most: longer names stand in `description` alone. */
const rdnOf = (name: string): string => (name.length > 100 ? 'long name' : name);

const UNIT_DNS: ReadonlyMap<string, string> = new Map(
  UNITS.map((unit) => [unit.id, unitDn(unit.id)] as const),
);

export function dnOf(unit: string): string {
  return UNIT_DNS.get(unit)!;
}

function unitDn(id: string): string {
  const unit = UNITS.find((candidate) => candidate.id === id)!;
  return `ou=${escapeRdn(rdnOf(unit.name))},${unit.parent === null ? BASE : unitDn(unit.parent)}`;
}

/** The world as a directory: the first unit of a person is where the entry stands, others are `departmentNumber`. */
export function worldLdif(): string {
  const base: LdifEntry = [
    BASE,
    { objectClass: 'organizationalUnit', ou: 'company', description: 'The base itself' },
  ];
  const units = UNITS.map((unit): LdifEntry => {
    const names = { ou: rdnOf(unit.name), description: unit.name, businessCategory: unit.id };
    return [dnOf(unit.id), { objectClass: 'organizationalUnit', ...names }];
  });
  return toLdif([base, ...units, ...PEOPLE.map(personEntry)]);
}

function personEntry(person: WorldPerson): LdifEntry {
  const [first, ...others] = person.units;
  const optional = Object.entries({
    uid: person.username,
    displayName: person.name,
    mail: person.email,
    title: person.title,
    description: person.born,
    roomNumber: person.order,
    employeeType: person.active ? null : 'left',
    departmentNumber: others.length === 0 ? null : others,
  }).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const required = { objectClass: 'inetOrgPerson', cn: person.id, sn: 'x', employeeNumber: person.id };
  return [`cn=${person.id},${dnOf(first)}`, { ...required, ...Object.fromEntries(optional) }];
}

type Changes = Partial<Omit<LdapSettings, 'units' | 'people'>> & {
  readonly units?: Partial<Whole<LdapSettings>['units']>;
  readonly people?: Partial<Whole<LdapSettings>['people']>;
};

export function ldapSettings(server: Slapd, changes: Changes = {}): Whole<LdapSettings> {
  const { units, people, ...rest } = changes;
  return {
    type: 'ldap',
    url: server.url,
    bindDn: server.bindDn,
    bindPassword: server.password,
    tls: { insecure: false },
    pageSize: 500,
    units: {
      bases: [BASE],
      scope: 'sub',
      filter: '(objectClass=organizationalUnit)',
      rules: { id: 'BusinessCategory', fields: { name: 'DESCRIPTION' } },
      ...units,
    },
    people: {
      bases: [BASE],
      scope: 'sub',
      filter: '(objectClass=inetOrgPerson)',
      rules: {
        id: 'employeeNumber',
        username: 'UID',
        active: { expr: "employeetype != 'left'" },
        fields: { name: 'displayName', email: 'mail', birthday: 'description', sort_order: 'roomNumber' },
        ...NO_MAPS,
        positions: [
          { unit: 'parentDn', job_title: 'title', primary: { const: true } },
          { unit: 'departmentNumber' },
        ],
      },
      ...people,
    },
    ...rest,
  };
}
