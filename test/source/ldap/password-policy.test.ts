import { BerReader } from 'ldapts';
import { describe, expect, test } from 'vitest';

import { wordsOf } from '../../../src/domain/errors.ts';
import { PasswordPolicy } from '../../../src/source/ldap/wire/password-policy.ts';
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

/** Returns the warnings of a read by this account, or the error that ends it. */
async function readAs(url: string, name: string): Promise<readonly string[]> {
  const source = openSource(
    directorySettings({
      ...boundTo({ url, bindDn: `cn=${name},${SUFFIX}`, password: PASSWORD }),
      units: { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } },
      people: {
        base: PEOPLE,
        filter: '(objectClass=inetOrgPerson)',
        fields: { id: 'uid', username: 'uid', name: 'cn', positions: [{ unit: 'parentDn' }] },
      },
    }),
  );
  return readAll(source).then(
    ({ evidence }) => evidence.warnings ?? [],
    (error: unknown) => [wordsOf(error)],
  );
}

const REMEDY = 'and write the new one where source.bindPassword has it';
const RESET = `: its password has to be changed first: do that as this account, ${REMEDY}.`;
const EXPIRED = `: its password has expired: set another one, ${REMEDY}`;
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
    ['fresh', []],
    ['reset', [`binding as cn=reset,${SUFFIX}${RESET}`]],
    ['ending', [`the password of cn=ending,${SUFFIX} expires within 3 days: set another one, ${REMEDY}`]],
    ['today', [`the password of cn=today,${SUFFIX} expires within 1 day: set another one, ${REMEDY}`]],
    ['expired', [`binding as cn=expired,${SUFFIX}${EXPIRED}.`]],
    [
      'grace',
      [
        `the password of cn=grace,${SUFFIX} has expired, and is taken 8 more times: set another one, ${REMEDY}`,
      ],
    ],
    ['locked', [`binding as cn=locked,${SUFFIX}: the account is locked: unlock it in the directory`]],
  ])('that is %s', async (name, said) => {
    expect(await readAs(server.url, name)).toEqual(said.map((words) => expect.stringContaining(words)));
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
    ['reset', [`binding as cn=reset,${SUFFIX}${RESET}`]],
    ['ending', [`the password of cn=ending,${SUFFIX} expires within 10 days: set another one, ${REMEDY}`]],
    ['expired', [`binding as cn=expired,${SUFFIX}${EXPIRED}`]],
    ['locked', [`binding as cn=locked,${SUFFIX}: the account is locked: unlock it in the directory`]],
  ])('that is %s', async (name, said) => {
    expect(await readAs(server.url, name)).toEqual(said.map((words) => expect.stringContaining(words)));
  });
});

const POLICY = '1.3.6.1.4.1.42.2.27.8.5.1';
const [OF_389_EXPIRED, OF_389_EXPIRING] = ['2.16.840.1.113730.3.4.4', '2.16.840.1.113730.3.4.5'];

/** What an answer says with these controls: why it refuses, why the bind is useless, and whether it warns. */
function saidBy(controls: Readonly<Record<string, Buffer | string>>): readonly (boolean | undefined)[] {
  const heard = new PasswordPolicy();
  for (const control of heard.controls) {
    const value = controls[control.type];
    if (value !== undefined) control.parse(new BerReader(Buffer.from(value)));
  }
  const [refused, useless] = [heard.whyRefused(), heard.whyUseless()];
  return [refused?.includes('has expired'), useless?.includes('changed first'), heard.warning !== undefined];
}

test.each<readonly [string, Parameters<typeof saidBy>[0], ReturnType<typeof saidBy>]>([
  ['nothing', {}, [undefined, undefined, false]],
  ['389’s own alone: it has expired or was reset', { [OF_389_EXPIRED]: '0' }, [true, true, false]],
  ['389’s own alone: it expires tomorrow', { [OF_389_EXPIRING]: '86400' }, [undefined, undefined, true]],
  ['389’s own alone: it expires in a year', { [OF_389_EXPIRING]: '31536000' }, [undefined, undefined, false]],
  ['something else', { [OF_389_EXPIRING]: 'soon', [POLICY]: 'x' }, [undefined, undefined, false]],
  [
    'that it has expired, and may be used',
    { [POLICY]: Buffer.from('3003810100', 'hex') },
    [true, undefined, true],
  ],
])('an answer says of the password %s', (_, controls, said) => {
  expect(saidBy(controls)).toEqual(said);
});
