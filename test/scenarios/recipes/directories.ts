import type { Ds389 } from '../../servers/ds389.ts';
import { added, modified, moved, type LdifEntry } from '../../servers/ldif.ts';
import type { Slapd } from '../../servers/slapd.ts';
import type { Kitchen } from './company.ts';
import type { Filling } from './recipe.ts';

const SUFFIX = 'dc=example,dc=com';

const folder = (cn: string, dn: string): LdifEntry => [dn, { objectClass: 'nsContainer', cn }];

const unit = (dn: string): LdifEntry => [dn, { objectClass: 'organizationalUnit' }];

function person(dn: string, name: string, more: Record<string, string | readonly string[]> = {}): LdifEntry {
  const [, family = name] = name.split(' ');
  return [dn, { objectClass: 'inetOrgPerson', cn: name, sn: family, ...more }];
}

const overTls = (server: Slapd, from: string): readonly Filling[] => [
  [from, from.startsWith('ldaps:') ? server.ldapsUrl : server.url],
  ['/etc/ssl/corp.pem', server.caFile],
  ['cn=reader,dc=example,dc=com', server.bindDn],
];

/** The server of the tests has no certificate. */
const inClear = (server: Ds389, from: string, caFile: string, reader: string): readonly Filling[] => [
  [from, server.url],
  [`{ caFile: ${caFile} }`, '{}'],
  [reader, server.bindDn],
];

const withoutMember = (group: string, member: string): string =>
  modified(group, { member }).replace('replace: member', 'delete: member');

const COMPANY = `ou=company,${SUFFIX}`;
const GROUP = `cn=messenger,ou=groups,${SUFFIX}`;

export const OPENLDAP_TREE: Kitchen = {
  recipe: 'openldap-tree',
  needs: ['slapd'],
  async open(servers) {
    const server = await servers.slapd();
    const lab = String.raw`ou=R+D\, Labs,${COMPANY}`.replace('R+D', String.raw`R\+D`);
    const staff = [
      person(`uid=ann,ou=Sales,${COMPANY}`, 'Ann Ash', { title: 'Seller', mail: 'ann@example.com' }),
      person(`uid=bob,ou=EMEA,ou=Sales,${COMPANY}`, 'Bob Birch'),
      person(`uid=cyd,${lab}`, 'Cyd Čapek', { displayName: 'Cyd Čapek, Dr.' }),
      person(`uid=dee,${lab}`, 'Dee Doe'),
    ];
    const member = staff.map(([dn]) => dn);
    server.modify(
      added([
        unit(COMPANY),
        unit(`ou=Sales,${COMPANY}`),
        unit(`ou=EMEA,ou=Sales,${COMPANY}`),
        unit(lab),
        ...staff,
        person(`uid=scanner,ou=Sales,${COMPANY}`, 'Scanner'),
        unit(`ou=groups,${SUFFIX}`),
        [GROUP, { objectClass: 'groupOfNames', cn: 'messenger', member }],
      ]),
    );
    return {
      fillings: [
        ...overTls(server, 'ldap://ldap.example.com'),
        [COMPANY, COMPANY],
        ['cn=messenger', 'cn=messenger'],
      ],
      secrets: { 'ldap-password': server.password },
      loaded: [
        'ann, Ann Ash: Sales Seller',
        'bob, Bob Birch: Sales/EMEA',
        'cyd, Cyd Čapek, Dr.: R+D, Labs',
        'dee, Dee Doe: R+D, Labs',
      ],
      leavings: [
        {
          what: 'an account is locked for good',
          who: 'bob',
          happens: () =>
            server.modify(
              modified(`uid=bob,ou=EMEA,ou=Sales,${COMPANY}`, { pwdAccountLockedTime: '000001010000Z' }),
            ),
        },
        {
          what: 'somebody is taken out of the group',
          who: 'dee',
          isMissing: true,
          happens: () => server.modify(withoutMember(GROUP, `uid=dee,${lab}`)),
        },
      ],
      change: {
        what: 'a title changes',
        happens: () => server.modify(modified(`uid=ann,ou=Sales,${COMPANY}`, { title: 'Head of Sales' })),
        shows: ['ann, Ann Ash: Sales Head of Sales'],
      },
    };
  },
};

const group = (dn: string, ...member: readonly string[]): LdifEntry => [
  dn,
  { objectClass: 'groupOfNames', cn: dn.slice(3, dn.indexOf(',')), member },
];

/** The other directories of this server have people and groups as well. */
const CLUB = `ou=club,${SUFFIX}`;
const ROLE = `cn=messenger,ou=roles,${CLUB}`;

export const OPENLDAP_GROUPS: Kitchen = {
  recipe: 'openldap-groups',
  init: {
    flags: async (servers) => {
      const { url, bindDn } = await servers.slapd();
      return `--url ${url} --bind-dn '${bindDn}' --base '${CLUB}'`;
    },
    differs: ['ann, Ann Ash: Sales Seller + Sales/EMEA Seller + mail-all Seller', 'dee, Dee Doe: Sales'],
  },
  needs: ['slapd'],
  async open(servers) {
    const server = await servers.slapd();
    const account = (uid: string): string => `uid=${uid},ou=people,${CLUB}`;
    const sales = `cn=Sales,ou=groups,${CLUB}`;
    const emea = `cn=EMEA,ou=groups,${CLUB}`;
    server.modify(
      added([
        unit(CLUB),
        ...['groups', 'people', 'roles'].map((ou) => unit(`ou=${ou},${CLUB}`)),
        person(account('ann'), 'Ann Ash', { title: 'Seller' }),
        person(account('bob'), 'Bob Birch'),
        person(account('cyd'), 'Cyd Čapek'),
        person(account('dee'), 'Dee Doe'),
        group(emea, account('bob'), account('ann')),
        group(sales, account('ann'), emea, account('cyd'), account('dee')),
        group(`cn=mail-all,ou=groups,${CLUB}`, account('ann')),
        group(ROLE, account('ann'), account('cyd'), emea),
      ]),
    );
    return {
      fillings: [
        ...overTls(server, 'ldap://ldap.example.com'),
        ['ou=groups,dc=example,dc=com', `ou=groups,${CLUB}`],
        ['ou=people,dc=example,dc=com', `ou=people,${CLUB}`],
        ['cn=messenger,ou=roles,dc=example,dc=com', ROLE],
      ],
      secrets: { 'ldap-password': server.password },
      loaded: [
        'ann, Ann Ash: Sales Seller + Sales/EMEA Seller',
        'bob, Bob Birch: Sales/EMEA',
        'cyd, Cyd Čapek: Sales',
      ],
      leavings: [
        {
          what: 'somebody is taken out of the group of those in scope',
          who: 'cyd',
          isMissing: true,
          happens: () => server.modify(withoutMember(ROLE, account('cyd'))),
        },
      ],
      change: {
        what: 'somebody leaves a group, and stays in another one',
        happens: () => server.modify(withoutMember(emea, account('ann'))),
        shows: ['ann, Ann Ash: Sales Seller'],
      },
    };
  },
};

export const FLAT_DIRECTORY: Kitchen = {
  recipe: 'flat-directory',
  needs: ['slapd'],
  async open(servers) {
    const server = await servers.slapd();
    const base = `ou=people,${SUFFIX}`;
    const flat = (login: string, name: string, department: string): LdifEntry =>
      person(`uid=${login},${base}`, name, { departmentNumber: department, employeeType: 'staff' });
    server.modify(
      added([
        unit(base),
        flat('eva', 'Eva Elm', 'Sales'),
        flat('flo', 'Flo Fir', 'Sales/EMEA/North'),
        flat('gus', 'Gus Gum', 'sales / EMEA'),
      ]),
    );
    return {
      fillings: [
        ...overTls(server, 'ldaps://ldap.example.com'),
        ['vendor: openldap', 'vendor: openldap'],
        [base, base],
        ["employeeType != 'left'", "employeeType != 'left'"],
      ],
      secrets: { 'ldap-password': server.password },
      loaded: ['eva, Eva Elm: Sales', 'flo, Flo Fir: Sales/EMEA/North', 'gus, Gus Gum: Sales/EMEA'],
      leavings: [
        {
          what: 'the state of an employee is "left"',
          who: 'flo',
          happens: () => server.modify(modified(`uid=flo,${base}`, { employeeType: 'left' })),
        },
      ],
      change: {
        what: 'somebody changes the department and the title',
        happens: () =>
          server.modify(modified(`uid=gus,${base}`, { departmentNumber: 'Lab', title: 'Chemist' })),
        shows: ['gus, Gus Gum: Lab Chemist'],
        calls: ['importOrganizations', 'importEmployees'],
      },
    };
  },
};

export const TREE_389: Kitchen = {
  recipe: '389-tree',
  init: {
    flags: async (servers) => {
      const { url, bindDn } = await servers.ds389();
      return `--url ${url} --bind-dn '${bindDn}'`;
    },
    differs: ['old, Old Oak: former'],
  },
  needs: ['ds389'],
  async open(servers) {
    const server = await servers.ds389();
    server.modify(
      added([
        unit(COMPANY),
        unit(`ou=Ärzte,${COMPANY}`),
        unit(`ou=Pflege,${COMPANY}`),
        unit(`ou=former,${COMPANY}`),
        person(`uid=ann,ou=Ärzte,${COMPANY}`, 'Ann Ash', { uid: 'ann', title: 'Ärztin' }),
        person(`uid=bob,ou=Pflege,${COMPANY}`, 'Bob Birch', { uid: 'bob' }),
        person(`uid=cyd,ou=Pflege,${COMPANY}`, 'Cyd Cedar', { uid: 'cyd' }),
        person(`uid=old,ou=former,${COMPANY}`, 'Old Oak', { uid: 'old' }),
      ]),
    );
    return {
      fillings: [
        ...inClear(server, 'ldaps://ldap.example.com', '/etc/ssl/corp.pem', 'cn=reader,dc=example,dc=com'),
        [COMPANY, COMPANY],
      ],
      secrets: { 'ldap-password': server.password },
      loaded: ['ann, Ann Ash: Ärzte Ärztin', 'bob, Bob Birch: Pflege', 'cyd, Cyd Cedar: Pflege'],
      leavings: [
        {
          what: 'an account is locked',
          who: 'bob',
          happens: () => server.modify(modified(`uid=bob,ou=Pflege,${COMPANY}`, { nsAccountLock: 'true' })),
        },
        {
          what: 'an entry is moved into the excluded OU',
          who: 'cyd',
          isMissing: true,
          happens: () => server.modify(moved(`uid=cyd,ou=Pflege,${COMPANY}`, `ou=former,${COMPANY}`)),
        },
      ],
      change: {
        what: 'a title changes',
        happens: () => server.modify(modified(`uid=ann,ou=Ärzte,${COMPANY}`, { title: 'Oberärztin' })),
        shows: ['ann, Ann Ash: Ärzte Oberärztin'],
      },
    };
  },
};

/** What FreeIPA adds to the schema of 389 for its accounts, as far as the recipe reads it. */
const IPA_SCHEMA = `dn: cn=schema
changetype: modify
add: attributeTypes
attributeTypes: ( 2.16.840.1.113730.3.8.3.1 NAME 'ipaUniqueID' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributeTypes: ( 2.16.840.1.113719.1.301.4.4.1 NAME 'krbPrincipalExpiration' EQUALITY generalizedTimeMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.24 SINGLE-VALUE )
-
add: objectClasses
objectClasses: ( 2.16.840.1.113730.3.8.4.1 NAME 'ipaObject' SUP top AUXILIARY MUST ipaUniqueID MAY krbPrincipalExpiration )

`;

export const FREEIPA: Kitchen = {
  recipe: 'freeipa',
  needs: ['ds389'],
  async open(servers) {
    const server = await servers.ds389();
    const base = `cn=users,cn=accounts,${SUFFIX}`;
    const user = (login: string, name: string, ou: string): LdifEntry =>
      person(`uid=${login},${base}`, name, {
        objectClass: ['inetOrgPerson', 'ipaObject'],
        uid: login,
        ipaUniqueID: `${login}-0000`,
        ou,
      });
    server.modify(IPA_SCHEMA);
    server.modify(
      added([
        folder('accounts', `cn=accounts,${SUFFIX}`),
        folder('users', base),
        user('ida', 'Ida Ivy', 'Netz'),
        user('jim', 'Jim Jasmin', 'Netz'),
        user('kai', 'Kai Kiwi', 'Betrieb'),
        person(`uid=admin,${base}`, 'Administrator', { uid: 'admin' }),
      ]),
    );
    return {
      fillings: [
        ...inClear(
          server,
          'ldaps://ipa.example.com',
          '/etc/ipa/ca.crt',
          'uid=rollcall,cn=sysaccounts,cn=etc,dc=example,dc=com',
        ),
        [base, base],
      ],
      secrets: { 'ipa-password': server.password },
      loaded: ['ida, Ida Ivy: Netz', 'jim, Jim Jasmin: Netz', 'kai, Kai Kiwi: Betrieb'],
      leavings: [
        {
          what: 'an account is disabled',
          who: 'jim',
          happens: () => server.modify(modified(`uid=jim,${base}`, { nsAccountLock: 'TRUE' })),
        },
        {
          what: 'a principal ends',
          who: 'kai',
          happens: () =>
            server.modify(modified(`uid=kai,${base}`, { krbPrincipalExpiration: '20200101000000Z' })),
        },
      ],
      change: {
        what: 'a title changes',
        happens: () => server.modify(modified(`uid=ida,${base}`, { title: 'Leitung' })),
        shows: ['ida, Ida Ivy: Netz Leitung'],
      },
    };
  },
};
