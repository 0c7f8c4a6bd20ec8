import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { SYNC } from '../plan/build.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { scratchDatabase } from '../servers/scratch-database.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { PEOPLE, person, personDn, PLACES } from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/stage.ts';
import { loadedWorld, workingIn, type World } from './world.ts';

/** Attributes of other vendors, so that slapd can have them. */
const HIDDEN = ['userAccountControl', 'accountExpires'] as const;
const SCHEMA = [...HIDDEN, 'supportedCapabilities']
  .map(
    (name, at) => `attributetype ( 1.3.6.1.4.1.99999.1.${at} NAME '${name}' EQUALITY caseIgnoreMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )`,
  )
  .concat(
    `objectclass ( 1.3.6.1.4.1.99999.2.1 NAME 'testAccount' SUP top AUXILIARY
  MAY ( ${HIDDEN.join(' $ ')} ) )`,
  )
  .join('\n');
const ACCESS = HIDDEN.map((name) => `access to filter=(description=no-${name}) attrs=${name} by * none`).join(
  '\n',
);

const NAMES = Array.from({ length: 16 }, (_, at) => `p${at}`);
const account = (name: string): LdifEntry =>
  person(name, {
    objectClass: ['inetOrgPerson', 'testAccount'],
    userAccountControl: '512',
    accountExpires: '0',
  });

let server: Slapd;
const folder = scratchFolder('root');
afterAll(async () => {
  await server?.stop();
  removeFolder(folder);
});

const set = (names: readonly string[], attribute: string, value: string): void =>
  server.modify(names.map((name) => ldif.set(personDn(name), attribute, value)).join(''));
const hide = (names: readonly string[], attribute: string): void =>
  set(names, 'description', `no-${attribute}`);

/** People of HR, whose accounts of a directory, which says that it is Active Directory, say who has left. */
async function openStage(): Promise<World> {
  const root = join(folder, 'root.ldif');
  writeFileSync(root, 'dn:\nsupportedCapabilities: 1.2.840.113556.1.4.800\n\n');
  const entries = toLdif([...PLACES, ...NAMES.map((name) => account(name))]);
  server = await startSlapd({ head: `${SCHEMA}\nrootDSE ${root}`, access: ACCESS, ldif: entries });
  const { file, sql } = scratchDatabase('hr');
  sql(`create table staff (no text, login text);
    insert into staff values ${NAMES.map((name) => `('${name}', '${name}')`).join(', ')}`);
  const { settings } = load(`${SERVICE}sources:
  hr: { type: sql, url: 'sqlite:${file}' }
  ad: { type: ldap, url: '${server.url}', bindDn: '${server.bindDn}', bindPassword: '${server.password}', vendor: activeDirectory }
source:
  units: { from: hr, query: "select 'u' as id, 'Unit' as name", fields: { id: id, name: name } }
  people:
    from: hr
    query: select no, login from staff
    fields: { id: no, username: login, name: login, positions: [{ unit: { const: u } }], active: { expr: "ad.account_active == 'true'" } }
    join: { from: ad, base: '${PEOPLE}', filter: (objectClass=inetOrgPerson), on: { no: employeeNumber } }
`);
  return loadedWorld({ from: () => openSource(settings.source), sync: { guard: SYNC.guard } });
}

test.skipIf(!hasServer('slapd'))(
  'what tells of the account of a partner locks nobody where it is hidden of some',
  async () => {
    const world = await openStage();
    for (const name of HIDDEN) {
      hide(NAMES.slice(0, 2), name);
      for (let times = 1; times <= 3; times += 1) {
        const { listed } = await world.run({ later: 10 }, { exit: 4, planned: '' });
        expect([listed.length, listed[0]?.includes(`the record does not show ${name}`)]).toEqual([2, true]);
      }
    }
    set(NAMES.slice(0, 2), 'description', 'x');
    set(NAMES.slice(1, 2), 'userAccountControl', '514');
    await world.run({ later: 10 }, { planned: 'disable p1' });
    expect(workingIn(world)).toHaveLength(15);
  },
);
