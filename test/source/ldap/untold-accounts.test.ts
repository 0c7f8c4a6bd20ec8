import { afterEach, expect, test } from 'vitest';

import type { Source } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { never, readAll } from '../source-contract.ts';
import { startFakeLdap, type FakeLdap, type FakePage } from './fake-ldap.ts';

const BASE = 'dc=example,dc=com';
const EMPTY: FakePage = { dns: [], cookie: '' };

let server: FakeLdap | null = null;
afterEach(() => server?.stop());

/** Opens a directory with one account; `first`: the pages before that. */
async function sourceWith(
  account: FakePage['attributes'],
  active: unknown = 'account_active',
  first: readonly FakePage[] = [EMPTY],
): Promise<Source> {
  const person = { sAMAccountName: ['ann'], cn: ['Ann'], objectGUID: ['0123456789abcdef'], ...account };
  server = await startFakeLdap([...first, { dns: [`cn=ann,${BASE}`], attributes: person, cookie: '' }]);
  const names = { id: 'sAMAccountName', username: 'sAMAccountName', name: 'cn' };
  const people = { base: BASE, fields: { ...names, positions: [{ unit: 'parentDn' }], active } };
  const settings = { url: server.url, vendor: 'activeDirectory', units: { base: BASE }, people };
  return openSource(directorySettings(settings));
}

test('a sample of an account has what says whether it is active', async () => {
  const account = { userAccountControl: ['514'], accountExpires: ['0'] };
  const [sample] = await (await sourceWith(account, undefined, [])).find('person', ['ann'], never);
  expect(sample?.raw).toMatchObject({ account_active: ['false'], ...account });
});

const UNKNOWN = 'it reads account_active, which is unknown: the record ';
const isTrue = { expr: "account_active == 'true'" };

test.each<[FakePage['attributes'], unknown, boolean | null, string]>([
  [{ userAccountControl: ['512'], accountExpires: ['0'] }, undefined, true, ''],
  [{ userAccountControl: ['514'] }, undefined, false, ''],
  [{ userAccountControl: ['512'] }, undefined, null, `${UNKNOWN}does not show accountExpires: give the`],
  [{ userAccountControl: ['512'] }, isTrue, null, `${UNKNOWN}does not show accountExpires: give the`],
  [{}, undefined, null, `${UNKNOWN}does not show userAccountControl and accountExpires: give`],
  [
    { userAccountControl: ['on'], accountExpires: ['0'] },
    undefined,
    null,
    `${UNKNOWN}has something else than expected in userAccountControl or accountExpires: correct it there`,
  ],
  [
    { userAccountControl: ['on'] },
    { expr: 'int(userAccountControl) > 0' },
    null,
    'the expression failed at column 5 of source.people.fields.active: int()',
  ],
  [
    { userAccountControl: ['on'] },
    { expr: "userAccountControl + '?'" },
    null,
    'it says "on?", neither true nor false',
  ],
])('an account with %j, by the rule %j, is active: %s', async (account, rule, active, why) => {
  const [person] = (await readAll(await sourceWith(account, rule))).people;
  expect([person?.active, person?.whyUnknown ?? '']).toEqual([active, expect.stringContaining(why)]);
});
