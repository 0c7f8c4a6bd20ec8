import { added, modified, moved, type LdifEntry } from '../../servers/ldif.ts';
import type { Samba } from '../../servers/samba.ts';
import type { Kitchen } from './company.ts';
import { withoutPassword } from './databases.ts';
import type { Filling } from './recipe.ts';

const DAY_MS = 86_400_000;
/** FILETIME of a moment: 100 ns from 1601. */
const fileTime = (ms: number): string => String((BigInt(ms) + 11_644_473_600_000n) * 10_000n);

const SUFFIX = 'DC=corp,DC=example,DC=com';
const COMPANY = `OU=Company,${SUFFIX}`;
const SOUTH = String.raw`OU=Büro\, Süd`;

const unit = (dn: string, more: Record<string, string> = {}): LdifEntry => [
  dn,
  { objectClass: 'organizationalUnit', ...more },
];

function account(dn: string, login: string, more: Record<string, string> = {}): LdifEntry {
  const [, name = ''] = /^CN=([^,]*)/u.exec(dn) ?? [];
  return [
    dn,
    { objectClass: 'user', sAMAccountName: login, userAccountControl: '544', displayName: name, ...more },
  ];
}

const bindings = (server: Samba, from: string): readonly Filling[] => [
  [from, server.ldapsUrl],
  ['CN=rollcall,OU=Service accounts,DC=example,DC=com', server.bindDn],
];

const expired = (): Record<string, string> => ({ accountExpires: fileTime(Date.now() - DAY_MS) });

const TREE: readonly LdifEntry[] = [
  unit(COMPANY),
  unit(`OU=Sales,${COMPANY}`),
  unit(`OU=EMEA,OU=Sales,${COMPANY}`),
  unit(`${SOUTH},${COMPANY}`),
  unit(`OU=Computers,${COMPANY}`),
  unit(`OU=Disabled,${COMPANY}`),
  account(`CN=Ann Ash,OU=Sales,${COMPANY}`, 'ann', {
    title: 'Head of Sales',
    mobile: '0171 2345678',
    mail: 'ann@example.com',
  }),
  account(`CN=Fay Fir,OU=Sales,${COMPANY}`, 'fay'),
  account(`CN=Bob Birch,OU=EMEA,OU=Sales,${COMPANY}`, 'bob', { title: 'Seller' }),
  account(`CN=Cyd Cedar,OU=EMEA,OU=Sales,${COMPANY}`, 'cyd', {
    accountExpires: fileTime(Date.now() + 30 * DAY_MS),
  }),
  account(`CN=Dee Döring,${SOUTH},${COMPANY}`, 'dee'),
  account(`CN=Eli Elm,${SOUTH},${COMPANY}`, 'eli'),
  account(`CN=Gus Gum,${SOUTH},${COMPANY}`, 'gus'),
  account(`CN=Ivo Ilex,${SOUTH},${COMPANY}`, 'ivo'),
  account(`CN=Backup,OU=Sales,${COMPANY}`, 'svc-backup'),
  account(`CN=Old Oak,OU=Disabled,${COMPANY}`, 'old', { userAccountControl: '546' }),
  [
    `CN=PC1,OU=Computers,${COMPANY}`,
    { objectClass: 'computer', sAMAccountName: 'PC1$', userAccountControl: '4096' },
  ],
];

const managedBy = (name: string): string =>
  modified(`OU=Sales,${COMPANY}`, { managedBy: `CN=${name},OU=Sales,${COMPANY}` });

export const ACTIVE_DIRECTORY: Kitchen = {
  recipe: 'active-directory',
  init: {
    flags: async (servers) => {
      const { ldapsUrl, caFile, bindDn } = await servers.samba();
      return `--url ${ldapsUrl} --ca-file ${caFile} --bind-dn '${bindDn}'`;
    },
    differs: ['svc-backup, Backup: Sales'],
  },
  needs: ['samba'],
  async open(servers) {
    const server = await servers.samba();
    server.modify(added(TREE) + managedBy('Ann Ash'));
    return {
      fillings: [
        ...bindings(server, 'ldaps://dc1.example.com'),
        ['ldaps://dc2.example.com', server.url.replace('ldap:', 'ldaps:')],
        ['/etc/ssl/corp.pem', server.caFile],
        ['OU=Company,DC=example,DC=com', COMPANY],
        ['DE', 'DE'],
      ],
      secrets: { 'ad-password': server.password },
      loaded: [
        'ann, Ann Ash: Sales Head of Sales (head)',
        'bob, Bob Birch: Sales/EMEA Seller',
        'cyd, Cyd Cedar: Sales/EMEA',
        'dee, Dee Döring: Büro, Süd',
        'eli, Eli Elm: Büro, Süd',
        'fay, Fay Fir: Sales',
        'gus, Gus Gum: Büro, Süd',
        'ivo, Ivo Ilex: Büro, Süd',
      ],
      leavings: [
        {
          what: 'an account is disabled',
          who: 'bob',
          happens: () =>
            server.modify(
              modified(`CN=Bob Birch,OU=EMEA,OU=Sales,${COMPANY}`, { userAccountControl: '546' }),
            ),
        },
        {
          what: 'an account expires',
          who: 'cyd',
          happens: () => server.modify(modified(`CN=Cyd Cedar,OU=EMEA,OU=Sales,${COMPANY}`, expired())),
        },
        {
          what: 'an account is moved into the excluded OU',
          who: 'dee',
          isMissing: true,
          happens: () => server.modify(moved(`CN=Dee Döring,${SOUTH},${COMPANY}`, `OU=Disabled,${COMPANY}`)),
        },
      ],
      change: {
        what: 'the OU gets another manager',
        happens: () => server.modify(managedBy('Fay Fir')),
        shows: ['ann, Ann Ash: Sales Head of Sales', 'fay, Fay Fir: Sales (head)'],
      },
    };
  },
};

const ACCOUNTS = `OU=Accounts,${SUFFIX}`;

const HR = `
  create table department (id text, parent_id text, name text, closed_on date, head_no text);
  insert into department values ('10', '0', 'Company', null, '1001'), ('20', '10', 'Werk Süd', null, '1002'),
    ('30', '10', 'Archive', '2020-01-01', null);
  create table employee (employee_no text, full_name text, department_id text, job_title text, left_on date);
  insert into employee values ('1001', 'Gil Grün', '10', 'Boss', null), ('1002', 'Hal Heath', '20', null, null),
    ('1003', 'Ida Ivy', '20', 'Fitter', current_date + 30), ('1004', 'Jon Juniper', '20', null, null);
`;

const employed = (name: string, login: string, number: string): LdifEntry =>
  account(`CN=${name},${ACCOUNTS}`, login, { employeeID: number });

export const ACTIVE_DIRECTORY_AND_HR: Kitchen = {
  recipe: 'active-directory-and-hr',
  needs: ['samba', 'postgres'],
  async open(servers) {
    const [server, hr] = [await servers.samba(), await servers.postgres()];
    await hr.exec(HR);
    const people = [
      employed('G. Gruen', 'gil', '1001'),
      employed('H. Heath', 'hal', '1002'),
      employed('I. Ivy', 'ida', '1003'),
      employed('J. Juniper', 'jon', '1004'),
    ];
    server.modify(added([unit(ACCOUNTS), ...people]));
    const { url, password } = withoutPassword(hr);
    return {
      fillings: [
        ...bindings(server, 'ldaps://dc1.example.com'),
        ['postgres://reader@hr.example.com/hr', url],
        ['/etc/ssl/hr-ca.pem', hr.caFile],
        ['/etc/ssl/ad-ca.pem', server.caFile],
        ['OU=Accounts,DC=example,DC=com', ACCOUNTS],
        ['query:', 'query:'],
      ],
      secrets: { 'hr-password': password, 'ad-password': server.password },
      loaded: [
        'gil, Gil Grün: Company Boss (head)',
        'hal, Hal Heath: Company/Werk Süd (head)',
        'ida, Ida Ivy: Company/Werk Süd Fitter',
        'jon, Jon Juniper: Company/Werk Süd',
      ],
      leavings: [
        {
          what: 'an account is disabled',
          who: 'jon',
          happens: () => server.modify(modified(`CN=J. Juniper,${ACCOUNTS}`, { userAccountControl: '546' })),
        },
        {
          what: 'a contract has ended in HR',
          who: 'ida',
          happens: () => hr.exec(`update employee set left_on = current_date - 1 where employee_no = '1003'`),
        },
      ],
      change: {
        what: 'HR enters another head',
        happens: () => hr.exec(`update department set head_no = '1001' where id = '20'`),
        shows: ['hal, Hal Heath: Company/Werk Süd'],
      },
    };
  },
};
