import { afterEach, describe, expect, test } from 'vitest';

import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { startFakeLdap, type FakeLdap, type FakePage } from './fake-ldap.ts';

const BASE = 'dc=example,dc=com';
const [SCOPE, TEAM] = [`cn=messenger,${BASE}`, `cn=team,${BASE}`];
const ANN = `uid=ann,${BASE}`;

let server: FakeLdap | null = null;
afterEach(() => server?.stop());

const page = (dns: readonly string[], attributes: FakePage['attributes'] = {}): FakePage => {
  return { dns, attributes, cookie: '' };
};

interface Asked {
  readonly vendor: string;
  readonly root: FakePage['attributes'];
}

/** Reads people in the scope of a group in which there is another one, from a server that shows no schema. */
async function read(
  team: FakePage['attributes'],
  { vendor, root }: Asked = { vendor: 'openldap', root: {} },
): Promise<ReadResult> {
  const person = { uid: ['ann'], cn: ['Ann'], mail: ['ann@x'], entryUUID: ['1'], nsUniqueId: ['1'] };
  const groups = [page([SCOPE], { member: [ANN, TEAM] }), page([SCOPE, TEAM]), page([TEAM], team)];
  server = await startFakeLdap([...groups, page([]), page([ANN], person)], root);
  const people = { base: BASE, memberOf: SCOPE };
  return readAll(openSource(directorySettings({ url: server.url, vendor, units: { base: BASE }, people })));
}

describe('a group in the group of those in scope', () => {
  test.each([
    ['groupOfNames', 'member'],
    ['groupOfUniqueNames', 'uniqueMember'],
  ])('that is a %s and shows no %s makes the read incomplete', async (objectClass, attribute) => {
    await expect(read({ objectClass: ['top', objectClass] })).rejects.toThrow(
      new RegExp(
        `cn=team.* shows no ${attribute}, which every ${objectClass} has; the read is incomplete`,
        'u',
      ),
    );
  });

  test.each([
    ['posixGroup', 'openldap', {}],
    ['groupOfNames', '389', { vendorName: ['389 Project'] }],
  ])('that may be empty, as %s of %s, is', async (objectClass, vendor, root) => {
    const { people } = await read({ objectClass: [objectClass] }, { vendor, root });
    expect(people.map(({ username }) => username)).toEqual(['ann']);
  });

  test('that shows members is read', async () => {
    const { people } = await read({ objectClass: ['groupOfNames'], member: [`uid=ben,${BASE}`] });
    expect(people).toHaveLength(1);
  });
});
