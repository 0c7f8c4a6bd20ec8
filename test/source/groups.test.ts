import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError } from '../../src/domain/errors.ts';
import { openSource } from '../../src/source/open-source.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { directorySettings } from './directory-settings.ts';
import {
  added,
  group,
  groupDn,
  GROUPS,
  PEOPLE,
  person,
  personDn,
  PLACES,
  placesOf,
  SUFFIX,
  treeOf,
} from './ldap/group-world.ts';
import { readAll, type ReadResult } from './source-contract.ts';

const OVERLAY = 'overlay memberof\nmemberof-refint true\nmemberof-dangling ignore';

const remove = (...dns: readonly string[]): string =>
  dns.map((dn) => `dn: ${dn}\nchangetype: delete\n`).join('\n');

describe.skipIf(!hasServer('slapd'))('groups of OpenLDAP', () => {
  let server: Slapd;
  beforeAll(async () => {
    const head = 'include /etc/ldap/schema/nis.schema\nmoduleload memberof';
    server = await startSlapd({ ldif: toLdif(PLACES), head, config: OVERLAY });
    // The overlay keeps memberOf of what is changed while the server runs.
    server.modify(
      added([
        person('ann', { title: 'Boss' }),
        person('bob'),
        person('Cyd, the 1st'.replace(',', '\\,')),
        person('dan'),
        [`ou=roles,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'roles' }],
        [
          `cn=helpers,ou=roles,${SUFFIX}`,
          { objectClass: 'groupOfNames', cn: 'helpers', member: personDn('dan') },
        ],
        group('company', [groupDn('sales'), groupDn('lab'), personDn('ann')]),
        group('sales', [`UID=BOB,  OU=people, ${SUFFIX}`, groupDn('emea'), `cn=computer,${SUFFIX}`]),
        group('emea', [personDn('bob'), personDn('Cyd\\2C the 1st')]),
        group('lab', [`cn=helpers,ou=roles,${SUFFIX}`, personDn('ann')]),
      ]),
    );
  }, 60_000);
  afterAll(async () => server?.stop());

  const settings = (members: unknown, more: { units?: object; people?: object } = {}): object => ({
    url: server.url,
    bindDn: server.bindDn,
    bindPassword: server.password,
    units: {
      base: GROUPS,
      filter: '(objectClass=groupOfNames)',
      members,
      fields: { id: 'cn', name: 'cn' },
      ...more.units,
    },
    people: {
      base: PEOPLE,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'employeeNumber', username: 'uid', name: 'cn' },
      ...more.people,
    },
  });
  const read = async (members: unknown, more = {}): Promise<ReadResult> =>
    readAll(openSource(directorySettings(settings(members, more))));

  test('are units, with the groups in them below', async () => {
    const found = await read('member');
    expect(found.refusals).toEqual([]);
    expect(treeOf(found)).toEqual(['company', 'emea in sales', 'lab in company', 'sales in company']);
    expect(placesOf(found)).toEqual([
      'Cyd, the 1st: emea',
      'ann: company lab',
      'bob: emea sales',
      'dan: lab',
    ]);
  });
});
