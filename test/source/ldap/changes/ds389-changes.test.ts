import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Source } from '../../../../src/domain/reading/source.ts';
import { openSource } from '../../../../src/source/open-source.ts';
import { startDs389, type Ds389 } from '../../../servers/ds389.ts';
import { hasServer } from '../../../servers/install.ts';
import type { LdifEntry } from '../../../servers/ldif.ts';
import { directorySettings } from '../../directory-settings.ts';
import { Follower, later } from './follower.ts';
import { ldif, person } from './staff.ts';

const unit = (dn: string): LdifEntry => [dn, { objectClass: 'organizationalUnit' }];

describe.skipIf(!hasServer('ds389'))('a 389 Directory Server', () => {
  let server: Ds389;
  let turn = 0;
  let [base, a, b, c, outside] = ['', '', '', '', ''];

  beforeAll(async () => {
    server = await startDs389();
  }, 60_000);
  afterAll(async () => server?.stop());

  beforeEach(() => {
    turn += 1;
    base = `ou=company${turn},${server.suffix}`;
    [a, c, outside] = [`ou=a,${base}`, `ou=c,${base}`, `ou=elsewhere${turn},${server.suffix}`];
    b = `ou=b,${a}`;
    const people = [
      person('p1', a),
      person('p2', a),
      person('p3', b),
      person('p4', c),
      person('p5', outside),
    ];
    server.modify([...[base, a, b, c, outside].map(unit), ...people].map(ldif.add).join(''));
  });

  const sourceOf = (): Source => {
    const { url, bindDn, password: bindPassword } = server;
    const people = { base, filter: '(&(objectClass=inetOrgPerson)(!(employeeType=retired)))' };
    const settings = { url, bindDn, bindPassword, vendor: '389', units: { base }, people };
    return openSource({ ...directorySettings(settings), changes: 'auto' });
  };

  const stories = (): Readonly<Record<string, string>> => ({
    'nothing at all': '',
    'a value that is mapped': ldif.set(`cn=p1,${a}`, 'displayName', 'Another'),
    'somebody new': ldif.add(person('p6', c)),
    'somebody removed': ldif.remove(`cn=p2,${a}`),
    'somebody who leaves the filter': ldif.set(`cn=p1,${a}`, 'employeeType', 'retired'),
    'an entry with another name': ldif.rename(`cn=p1,${a}`, 'cn=another'),
    'an entry moved within the base': ldif.rename(`cn=p1,${a}`, 'cn=p1', b),
    'an entry moved out of the base': ldif.rename(`cn=p1,${a}`, 'cn=p1', outside),
    'an entry moved into the base': ldif.rename(`cn=p5,${outside}`, 'cn=p5', c),
  });

  test.each(Object.keys(stories()))('tells %s', async (name) => {
    const source = sourceOf();
    const [follower, oracle] = [new Follower(), new Follower()];
    expect(await follower.full(source)).toBe('timestamps');
    if (name !== 'nothing at all') server.modify(stories()[name]!);
    expect(await follower.increment(source)).toMatchObject({ how: 'timestamps', isListed: true });
    await oracle.full(source);
    expect(follower.everybody()).toEqual(oracle.everybody());
  });

  test('asks for a full read where a unit was renamed with its people', async () => {
    const source = sourceOf();
    const follower = new Follower();
    await follower.full(source);
    server.modify(ldif.rename(a, 'ou=renamed'));
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('container') });
  });

  test('tells those alone who were changed, renamed or moved since', async () => {
    const source = sourceOf();
    const follower = new Follower();
    await setTimeout(1_100);
    await follower.full(source);
    follower.mark = later(follower.mark!, 300);
    await setTimeout(1_100);
    server.modify(
      ldif.set(`cn=p1,${a}`, 'displayName', 'x') +
        ldif.rename(`cn=p2,${a}`, 'cn=p2 b') +
        ldif.rename(`cn=p4,${c}`, 'cn=p4', a),
    );
    expect((await follower.told(source)).came.length).toBe(3);
  });

  test('asks for a full read where its clock went back', async () => {
    const source = sourceOf();
    const follower = new Follower();
    await follower.full(source);
    follower.mark = later(follower.mark!, 1_800);
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('clock') });
  });
});
