import { afterEach, expect, test } from 'vitest';

import type { Source } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { readAll } from '../source-contract.ts';
import { startFakeLdap, type FakeLdap, type FakePage } from './fake-ldap.ts';

const BASE = 'dc=example,dc=com';

let server: FakeLdap | null = null;
afterEach(() => server?.stop());

/** Opens a directory with one person; `first`: the pages before that. */
async function sourceWith(
  account: FakePage['attributes'],
  active: unknown = 'account_active',
  first: readonly FakePage[] = [{ dns: [], cookie: '' }],
): Promise<Source> {
  const person = { sAMAccountName: ['ann'], cn: ['Ann'], objectGUID: ['0123456789abcdef'], ...account };
  const pages = [...first, { dns: [`cn=ann,${BASE}`], attributes: person, cookie: '' }];
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
  return openSource(directorySettings(settings));
}

/** Returns whether the only person is active, and why nobody knows. */
async function toldOf(
  account: FakePage['attributes'],
  active?: unknown,
): Promise<readonly [active: boolean | null | undefined, why: string | undefined]> {
  const { people: found } = await readAll(await sourceWith(account, active));
  return [found[0]?.active, found[0]?.whyUnknown];
}

test('a sample of an account has what tells whether it is active', async () => {
  const account = { userAccountControl: ['514'], accountExpires: ['0'] };
  const source = await sourceWith(account, undefined, []);
  const [sample] = await source.find('person', ['ann'], new AbortController().signal);
  expect(sample?.raw).toMatchObject({ account_active: ['false'], ...account });
});

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
