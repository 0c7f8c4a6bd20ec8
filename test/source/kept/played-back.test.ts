import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { SourceSettings } from '../../../src/domain/source-settings.ts';
import { hasServer } from '../../servers/install.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { toLdif } from '../../servers/ldif.ts';
import { startSlapd } from '../../servers/slapd.ts';
import { csvSettings, writeFiles, worldFiles } from '../csv-world.ts';
import { ldapSettings, worldLdif } from '../ldap-world.ts';
import { startScim } from '../scim/scim-server.ts';
import { scimSettings, worldLists } from '../scim/scim-world.ts';
import { readAll } from '../source-contract.ts';
import { worldSettings, worldSql } from '../sql-world.ts';
import { GROUPS, groupDn, PEOPLE, person, PLACES } from '../ldap/group-world.ts';
import { boundTo, directorySettings } from '../directory-settings.ts';
import { broughtBy, keepingLedger, keptSource, readKeeping, READ_AT } from './kept-world.ts';

function folderOf(name: string): string {
  const folder = scratchFolder(name);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

async function ldap(): Promise<SourceSettings> {
  const server = await startSlapd({ ldif: worldLdif() });
  onTestFinished(async () => server.stop());
  return ldapSettings(server);
}

function sqlite(): SourceSettings {
  const path = join(folderOf('kept-sql'), 'hr.db');
  const database = new Database(path);
  for (const sql of worldSql()) database.exec(sql);
  database.close();
  return worldSettings(`sqlite:${path}`);
}

function csv(): SourceSettings {
  const folder = folderOf('kept-csv');
  writeFiles(folder, worldFiles());
  return csvSettings(folder);
}

async function scim(): Promise<SourceSettings> {
  const server = await startScim(worldLists());
  onTestFinished(() => server.close());
  return scimSettings(server.url);
}

test.each([
  ['a directory', hasServer('slapd'), ldap],
  ['a database', true, sqlite],
  ['an export', true, csv],
  ['an identity provider', true, scim],
])('%s is mapped from what was kept as from the source itself', async (_, isThere, settingsOf) => {
  if (!isThere) return;
  const settings = await settingsOf();
  const { ledger } = keepingLedger();
  const read = await readKeeping(ledger, settings);
  const again = await readAll(keptSource(ledger, settings));
  expect(broughtBy(again)).toEqual(broughtBy(read));
  expect(again.evidence).toMatchObject({ recordedAt: READ_AT, type: read.evidence.type, referrals: [] });
  expect(again.evidence.parts.map(({ part, records }) => [part, records])).toEqual(
    read.evidence.parts.map(({ part }) => [
      part,
      { units: read.units.length, people: 1_208, positions: read.rows.length, partners: 0, members: 0 }[part],
    ]),
  );
});

test.skipIf(!hasServer('slapd'))(
  'so are people of groups, and those whom a group cannot tell apart',
  async () => {
    const server = await startSlapd({
      head: 'include /etc/ldap/schema/nis.schema',
      ldif: toLdif([
        ...PLACES,
        person('ann', { mail: 'ann@x' }),
        person('bob', { mail: 'bob@x' }),
        person('bob2', { uid: ['BOB', 'bob2'], mail: 'bob2@x' }),
        person('eve', { mail: 'eve@x' }),
        [
          groupDn('sales'),
          { objectClass: 'posixGroup', cn: 'sales', gidNumber: '1', memberUid: ['ann', 'bob', 'eve'] },
        ],
      ]),
    });
    onTestFinished(async () => server.stop());
    const settings = directorySettings({
      ...boundTo(server),
      units: {
        base: GROUPS,
        filter: '(objectClass=posixGroup)',
        members: 'memberUid',
        fields: { id: 'cn', name: 'cn' },
      },
      people: {
        base: PEOPLE,
        filter: '(objectClass=inetOrgPerson)',
        fields: { id: 'employeeNumber', username: 'mail', name: 'cn' },
      },
    });
    const { ledger } = keepingLedger();
    const read = await readKeeping(ledger, settings);
    const again = await readAll(keptSource(ledger, settings));
    expect(read.people.map(({ id, positions }) => [id, positions.length])).toEqual([
      ['ann', 1],
      ['eve', 1],
    ]);
    expect(read.refusals.map(({ id }) => id)).toEqual(['bob', 'bob2']);
    expect(broughtBy(again)).toEqual(broughtBy(read));
  },
);
