import { describe, expect, test } from 'vitest';

import { wordsOf } from '../../../src/domain/errors.ts';
import { POLICY, policyOf } from '../../../src/source/ldap/wire/password-policy.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { startDs389 } from '../../servers/ds389.ts';
import { hasServer } from '../../servers/install.ts';
import { added, modified, toLdif, type LdifEntry } from '../../servers/ldif.ts';
import { startSlapd } from '../../servers/slapd.ts';
import { throughout } from '../../servers/throughout.ts';
import { boundTo, directorySettings } from '../directory-settings.ts';
import { readAll } from '../source-contract.ts';
import { PEOPLE, person, PLACES, SUFFIX } from './group-world.ts';

const PASSWORD = 'the-first-one-1';
const reader = (name: string, more: LdifEntry[1] = {}): LdifEntry => [
  `cn=${name},${SUFFIX}`,
  {
    objectClass: ['organizationalRole', 'simpleSecurityObject'],
    cn: name,
    userPassword: PASSWORD,
    ...more,
  },
];

/** Returns the warning of a read by this account, or the error that ends it; empty: nothing. */
async function readAs(url: string, name: string): Promise<string> {
  const bound = boundTo({ url, bindDn: `cn=${name},${SUFFIX}`, password: PASSWORD });
  const units = { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } };
  const fields = { id: 'uid', username: 'uid', name: 'cn', positions: [{ unit: 'parentDn' }] };
  const people = { base: PEOPLE, filter: '(objectClass=inetOrgPerson)', fields };
  return readAll(openSource(directorySettings({ ...bound, units, people }))).then(
    ({ evidence }) => (evidence.warnings ?? []).join(' '),
    (error: unknown) => wordsOf(error),
  );
}

const ago = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/gu, '');

const policy = (name: string, more: LdifEntry[1]): LdifEntry => [
  `cn=${name},${SUFFIX}`,
  { objectClass: ['device', 'pwdPolicy'], cn: name, pwdAttribute: 'userPassword', ...more },
];
const under = (name: string): LdifEntry[1] => ({ pwdPolicySubentry: `cn=${name},${SUFFIX}` });

describe.skipIf(!hasServer('slapd'))('a password under the policy of OpenLDAP', () => {
  const server = throughout(() =>
    startSlapd({
      head: 'moduleload ppolicy',
      config: `overlay ppolicy\nppolicy_default "cn=default,${SUFFIX}"\nppolicy_use_lockout`,
      ldif: toLdif([
        ...PLACES,
        person('ann'),
        policy('default', {
          pwdMustChange: 'TRUE',
          pwdLockout: 'TRUE',
          pwdMaxAge: '8640000',
          pwdExpireWarning: '8640000',
        }),
        policy('graceful', { pwdMaxAge: '86400', pwdGraceAuthNLimit: '9' }),
        reader('fresh', { pwdChangedTime: ago(1) }),
        reader('reset', { pwdReset: 'TRUE' }),
        reader('ending', { pwdChangedTime: ago(97.5) }),
        reader('today', { pwdChangedTime: ago(99.9) }),
        reader('expired', { pwdChangedTime: ago(101) }),
        reader('grace', { pwdChangedTime: ago(2), ...under('graceful') }),
        reader('locked', { pwdAccountLockedTime: '000001010000Z' }),
      ]),
    }),
  );

  test.each([
    ['fresh', /^$/u],
    ['reset', /binding as cn=reset.*: its password has to be changed first: do that/u],
    ['ending', /the password of cn=ending.* expires within 3 days: set another one/u],
    ['today', /the password of cn=today.* expires within 1 day: set/u],
    ['expired', /binding as cn=expired.*: its password has expired: set/u],
    ['grace', /the password of cn=grace.* has expired, and is taken 8 more times: set/u],
    ['locked', /binding as cn=locked.*: the account is locked: unlock it/u],
  ])('that is %s', async (name, said) => {
    expect(await readAs(server.url, name)).toMatch(said);
  });
});

describe.skipIf(!hasServer('ds389'))('a password under the policy of 389', () => {
  const server = throughout(startDs389, (started) => {
    const config = {
      passwordMustChange: 'on',
      passwordExp: 'on',
      passwordMaxAge: '8640000',
      passwordWarning: '864000',
      passwordLockout: 'on',
    };
    started.modify(modified('cn=config', config));
    const aci = `(targetattr="*")(version 3.0; acl "all"; allow (read, search, compare) userdn="ldap:///all";)`;
    started.modify(modified(SUFFIX, { aci }));
    const names = ['reset', 'ending', 'expired', 'locked'];
    started.modify(added([...PLACES, person('ann'), ...names.map((name) => reader(name))]));
    const ends = { reset: ago(0), ending: ago(-2.5), expired: ago(1), locked: ago(-90) };
    for (const [name, end] of Object.entries(ends))
      if (name !== 'reset') started.modify(modified(`cn=${name},${SUFFIX}`, { passwordExpirationTime: end }));
    started.modify(modified(`cn=locked,${SUFFIX}`, { nsAccountLock: 'true' }));
  });

  // At the first warning, 389 makes the password last as long as it warns.
  test.each([
    ['reset', /its password has to be changed first/u],
    ['ending', /expires within 10 days/u],
    ['expired', /its password has expired/u],
    ['locked', /the account is locked/u],
  ])('that is %s', async (name, said) => {
    expect(await readAs(server.url, name)).toMatch(said);
  });
});

test.each([
  ['nothing', '3000'],
  ['what is none', '78'],
  ['that it expires in a year', '3008a006800401e13380'],
])('an answer with %s means nothing', (_, hex) => {
  const state = policyOf(new Map([[POLICY, Buffer.from(hex, 'hex')]]));
  expect(Object.values(state).filter((text) => text !== undefined)).toEqual([]);
});
