import { afterEach, expect, test } from 'vitest';

import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { readAll } from '../source-contract.ts';
import { startFakeLdap, type FakeLdap, type FakePage } from './fake-ldap.ts';

const BASE = 'dc=example,dc=com';

let server: FakeLdap | null = null;
afterEach(() => server?.stop());

/** Returns whether the only person is active, and why nobody knows. */
async function toldOf(
  account: FakePage['attributes'],
  active: unknown = 'account_active',
): Promise<readonly [active: boolean | null | undefined, why: string | undefined]> {
  const person = { sAMAccountName: ['ann'], cn: ['Ann'], objectGUID: ['0123456789abcdef'], ...account };
  const pages = [
    { dns: [], cookie: '' },
    { dns: [`cn=ann,${BASE}`], attributes: person, cookie: '' },
  ];
  server?.stop();
  server = await startFakeLdap(pages, {});
  const fields = {
    id: 'sAMAccountName',
    username: 'sAMAccountName',
    name: 'cn',
    positions: [{ unit: 'parentDn' }],
    active,
  };
  const people = { base: BASE, fields };
  const settings = { url: server.url, vendor: 'activeDirectory', units: { base: BASE }, people };
  const { people: found } = await readAll(openSource(directorySettings(settings)));
  return [found[0]?.active, found[0]?.whyUnknown];
}

async function whyUnknown(account: FakePage['attributes'], active?: unknown): Promise<string | undefined> {
  const [is, why] = await toldOf(account, active);
  expect(is).toBeNull();
  return why;
}

test.each([
  [{ userAccountControl: ['512'], accountExpires: ['0'] }, true],
  [{ userAccountControl: ['514'] }, false],
])('an account with %j is active: %s', async (account, active) => {
  expect((await toldOf(account))[0]).toBe(active);
});

test.each<[string, FakePage['attributes'], string]>([
  [
    'accountExpires',
    { userAccountControl: ['512'] },
    'does not show accountExpires: give the reading account',
  ],
  ['userAccountControl', { accountExpires: ['0'] }, 'does not show userAccountControl: give the'],
  ['either', {}, 'does not show userAccountControl and accountExpires: give the'],
  [
    'a number',
    { userAccountControl: ['on'], accountExpires: ['0'] },
    'has something else than expected in userAccountControl or accountExpires: correct it there',
  ],
])('an account without %s names it where it cannot be told whether it is active', async (_, account, why) => {
  const said = `it reads account_active, which is unknown: the record ${why}`;
  expect(await whyUnknown(account)).toContain(said);
  expect(await whyUnknown(account, { expr: "account_active == 'true'" })).toContain(said);
});

test('an expression that fails says where', async () => {
  const account = { userAccountControl: ['on'], accountExpires: ['0'] };
  expect(await whyUnknown(account, { expr: 'int(userAccountControl) > 0' })).toMatch(
    /^the expression failed at column 5 of source\.people\.fields\.active: int\(\)/u,
  );
  expect(await whyUnknown(account, { expr: "userAccountControl + '?'" })).toBe(
    'it says "on?", neither true nor false',
  );
});
