import { beforeEach, describe, expect, test } from 'vitest';

import type { Source } from '../../../../src/domain/reading/source.ts';
import { openSource } from '../../../../src/source/open-source.ts';
import { ldapmodify } from '../../../servers/daemon.ts';
import { hasServer } from '../../../servers/install.ts';
import { type LdifEntry } from '../../../servers/ldif.ts';
import { startSamba, type Samba } from '../../../servers/samba.ts';
import { throughout } from '../../../servers/throughout.ts';
import { directorySettings } from '../../directory-settings.ts';
import { Follower } from './follower.ts';
import { ldif } from './staff.ts';
import { STORIES, UNTOLD, type Stage } from './stories.ts';

const READER = 'reader';
const READER_PASSWORD = 'Reader-Passw0rd!';

/** An account that may read and not replicate; its password goes over TLS alone. */
function addReader(samba: Samba): void {
  const dn = `CN=${READER},CN=Users,${samba.suffix}`;
  const secret = Buffer.from(`"${READER_PASSWORD}"`, 'utf16le');
  samba.modify(ldif.add([dn, { objectClass: 'user', sAMAccountName: READER }]));
  const change =
    `dn: ${dn}\nchangetype: modify\nreplace: unicodePwd\nunicodePwd:: ${secret.toString('base64')}\n-\n` +
    'replace: userAccountControl\nuserAccountControl: 66048\n\n';
  const { bindDn, password, ldapsUrl: url, caFile } = samba;
  ldapmodify({ url, bindDn, password }, change, { env: { LDAPTLS_CACERT: caFile } });
}

const person = (id: string, at: string): LdifEntry => [
  `CN=${id},${at}`,
  { objectClass: 'user', sAMAccountName: id, displayName: `Name of ${id}` },
];
const unit = (dn: string): LdifEntry => [dn, { objectClass: 'organizationalUnit' }];

describe.skipIf(!hasServer('samba'))('a Samba domain controller', () => {
  const samba = throughout(startSamba, addReader);
  let turn = 0;
  let [base, a, b, c, outside] = ['', '', '', '', ''];
  const id = (name: string): string => `${name}t${turn}`;

  beforeEach(() => {
    turn += 1;
    base = `OU=company${turn},${samba.suffix}`;
    [a, c, outside] = [`OU=a,${base}`, `OU=c,${base}`, `OU=elsewhere${turn},${samba.suffix}`];
    b = `OU=b,${a}`;
    const people = [
      person(id('p1'), a),
      person(id('p2'), a),
      person(id('p3'), b),
      person(id('p4'), c),
      person(id('p5'), outside),
    ];
    samba.modify([...[base, a, b, c, outside].map(unit), ...people].map(ldif.add).join(''));
  });

  const sourceOf = (user?: string): Source => {
    const { url, bindDn, password } = samba;
    const bind =
      user === READER
        ? { bindDn: `${READER}@corp.example.com`, bindPassword: READER_PASSWORD }
        : { bindDn, bindPassword: password };
    const people = { base, filter: '(&(objectCategory=person)(objectClass=user)(!(title=retired)))' };
    return openSource({
      ...directorySettings({ url, ...bind, vendor: 'samba', units: { base }, people }),
      changes: 'auto',
    });
  };

  const stage = (): Stage => ({
    base,
    a,
    b,
    c,
    outside,
    rdn: (name) => `CN=${id(name)}`,
    person: (name, at) => person(id(name), at),
    retired: ['title', 'retired'],
  });

  test.each(Object.entries(STORIES))('tells %s', async (_name, story) => {
    const [change, came, left] = story(stage());
    const source = sourceOf();
    const follower = new Follower();
    expect(await follower.full(source)).toBe('dirsync');
    const keys = new Map(follower.everybody());
    if (change !== '') samba.modify(change);
    const told = await follower.told(source);
    expect(follower.everybody()).toEqual(await Follower.found(source));
    expect(told).toMatchObject({ how: 'dirsync', left, isListed: false });
    expect([told.came.length, keys.size]).toEqual([came.length, 4]);
  });

  test.each(Object.entries(UNTOLD))('asks for a full read after %s', async (_name, story) => {
    const source = sourceOf();
    const follower = await Follower.of(source);
    samba.modify(story(stage()));
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('container') });
  });

  test('finds hundreds of people again', async () => {
    const many = Array.from({ length: 250 }, (_, at) => person(id(`q${at}`), c));
    samba.modify(many.map(ldif.add).join(''));
    const source = sourceOf();
    const follower = await Follower.of(source);
    const wanted = follower.keys;
    samba.modify(ldif.remove(`CN=${id('q7')},${c}`));
    const { came, left } = await follower.told(source, wanted);
    expect([left, came.length, new Set(came).size]).toEqual([1, 253, 253]);
  });

  test('tells an account that may not replicate what it lacks', async () => {
    expect(await new Follower().full(sourceOf(READER))).toContain('Replicating Directory Changes');
  });

  test('tells an account that may replicate and sees no deleted entries that it cannot tell who left', async () => {
    const { suffix } = samba;
    const whose = [`--objectdn=${suffix}`, `--trusteedn=CN=${READER},CN=Users,${suffix}`];
    samba.tool('dsacl', 'set', '--action=allow', '--car=get-changes', ...whose);
    expect(await new Follower().full(sourceOf(READER))).toBe(
      `the account does not see deleted entries: let it read and list CN=Deleted Objects,${suffix}`,
    );
  });

  test('counts the changes of each controller, so that a restored one is behind', async () => {
    const read = await sourceOf().open(AbortSignal.timeout(60_000));
    const [mark, ...others] = await read.marks();
    await read.close();
    expect(others).toEqual([]);
    expect(mark?.name).toMatch(/^highestCommittedUSN of CN=NTDS Settings,CN=/u);
    expect(mark?.behind).toMatch(/is behind the last read \(highestCommittedUSN\)$/u);
  });

  test('asks for a full read where the numbers are of another or of a restored server', async () => {
    const source = sourceOf();
    const follower = await Follower.of(source);
    const { how, text } = follower.mark!;
    const [version, { asked, seen }] = JSON.parse(text);
    const withSeen = (other: object) => ({
      how,
      text: JSON.stringify([version, { asked, seen: { ...seen, at: { ...seen.at, ...other } } }]),
    });
    follower.mark = withSeen({ invocation: 'another' });
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('invocationId') });
    follower.mark = withSeen({ usn: '99999999' });
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('went back') });
    follower.mark = withSeen({ cookie: Buffer.from('no cookie').toString('base64') });
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('does not tell') });
  });
});
