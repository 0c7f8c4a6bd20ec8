import { beforeEach, describe, expect, test } from 'vitest';

import { ldapmodify } from '../../../servers/daemon.ts';
import { hasServer } from '../../../servers/install.ts';
import { added } from '../../../servers/ldif.ts';
import { startSamba, type Samba } from '../../../servers/samba.ts';
import { throughout } from '../../../servers/throughout.ts';
import { boundTo } from '../../directory-settings.ts';
import { problem } from '../../problem.ts';
import { never } from '../../source-contract.ts';
import { Follower } from './follower.ts';
import { KINDS, ldif, Stage } from './stage.ts';

/** What happens, who comes then, and how many left; only a full read tells without these. */
type Story = readonly [change: string, came?: readonly string[], left?: number];

const STORIES: Readonly<Record<string, (stage: Stage) => Story>> = {
  'nothing at all': () => ['', [], 0],
  'a value that is mapped': (s) => [s.set('p1', s.a, 'Another'), ['p1'], 0],
  'somebody new': (s) => [s.add(['p6', s.c]), ['p6'], 0],
  'somebody removed': (s) => [s.remove('p2', s.a), [], 1],
  'somebody who leaves the filter': (s) => [s.set('p1', s.a, 'retired', 'title'), [], 1],
  'an entry with another name': (s) => [ldif.rename(s.dn('p1', s.a), 'cn=another'), ['p1'], 0],
  'an entry moved within the base': (s) => [s.move('p1', s.a, s.b), ['p1'], 0],
  'an entry moved out of the base': (s) => [s.move('p1', s.a, s.outside), [], 1],
  'an entry moved into the base': (s) => [s.move('p5', s.outside, s.c), ['p5'], 0],
  'an entry changed twice': (s) => [s.set('p1', s.a, 'One') + s.set('p1', s.a, 'Two'), ['p1'], 0],
  'a unit that gets another description': (s) => [ldif.set(s.a, 'description', 'x'), [], 0],
  'several at once': (s) => [
    s.move('p4', s.c, s.a) + s.remove('p2', s.a) + s.add(['p2', s.c]) + s.set('p1', s.a, 'One'),
    ['p1', 'p2', 'p4'],
    1,
  ],
  'a new unit with a new person': (s) => [s.addUnit(`ou=n,${s.base}`) + s.add(['p6', `ou=n,${s.base}`])],
  'a unit renamed with its people': (s) => [ldif.rename(s.a, 'ou=renamed')],
  'a unit moved within the base with its people': (s) => [ldif.rename(s.b, 'ou=b', s.c)],
  'a unit moved out of the base with its people': (s) => [ldif.rename(s.b, 'ou=b', s.outside)],
  'a unit moved into the base with its people': (s) => [ldif.rename(s.outside, 'ou=moved', s.base)],
};

describe.each(['slapd', 'samba'] as const)('%s', (kind) => {
  describe.skipIf(!hasServer(kind))('tells', () => {
    const { how, start } = KINDS[kind];
    const server = throughout(start);
    let turn = 0;
    let stage: Stage;
    beforeEach(() => {
      turn += 1;
      stage = new Stage(kind, server, turn);
    });

    test.each(Object.entries(STORIES))('%s', async (_name, story) => {
      const [change, came, left] = story(stage);
      const source = stage.source();
      const follower = new Follower();
      expect(await follower.full(source)).toBe(how);
      if (change !== '') server.modify(change);
      const told = await follower.increment(source);
      const ids = came?.map((name) => stage.id(name));
      expect(told).toEqual(
        ids === undefined ? problem('full-container') : { how, came: ids, left, isListed: false },
      );
      if (came === undefined) await follower.full(source);
      expect(follower.everybody()).toEqual(await Follower.found(source));
    });

    test('those of two bases from mark to mark, without what is excluded', async () => {
      const { a, b, c } = stage;
      const source = stage.source({ base: [a, c], exclude: [b, '(title=none)'] });
      server.modify(stage.add(['p9', c]));
      const follower = await Follower.of(source);
      for (const change of [
        stage.move('p1', a, c),
        stage.move('p1', c, b),
        stage.move('p1', b, a) + stage.set('p4', c, 'none', 'title'),
        stage.remove('p1', a) + stage.add(['p1', b]),
        stage.set('p4', c, 'some', 'title'),
      ]) {
        server.modify(change);
        expect(await follower.increment(source)).toMatchObject({ how });
        expect(follower.everybody()).toEqual(await Follower.found(source));
      }
    });

    test('hundreds of people by their keys, and who of them is gone', async () => {
      const { c, outside } = stage;
      server.modify(stage.add(...Array.from({ length: 250 }, (_, at) => [`q${at}`, c] as const)));
      const source = stage.source();
      const follower = await Follower.of(source);
      const wanted = follower.keys;
      server.modify(stage.remove('q7', c) + stage.move('q8', c, outside));
      const { came, left } = await follower.told(source, wanted);
      expect([left, came.length, new Set(came).size]).toEqual([2, 252, 252]);
    });
  });
});

const READER = { user: 'reader', secret: 'Reader-Passw0rd!' };

/** An account that may read and not replicate; its password goes over TLS alone. */
function addReader(samba: Samba): void {
  const { suffix, bindDn, password, ldapsUrl: url, caFile } = samba;
  const dn = `CN=${READER.user},CN=Users,${suffix}`;
  const secret = Buffer.from(`"${READER.secret}"`, 'utf16le');
  samba.modify(added([[dn, { objectClass: 'user', sAMAccountName: READER.user }]]));
  const change =
    `dn: ${dn}\nchangetype: modify\nreplace: unicodePwd\nunicodePwd:: ${secret.toString('base64')}\n-\n` +
    'replace: userAccountControl\nuserAccountControl: 66048\n\n';
  ldapmodify({ url, bindDn, password }, change, { env: { LDAPTLS_CACERT: caFile } });
}

describe.skipIf(!hasServer('samba'))('a Samba domain controller', () => {
  const samba = throughout(startSamba, addReader);
  let stage: Stage;
  let turn = 0;
  beforeEach(() => {
    turn += 1;
    stage = new Stage('samba', samba, turn);
  });

  test('tells an account what it lacks: to replicate, then to see deleted entries', async () => {
    const { suffix } = samba;
    const bound = boundTo({
      ...samba,
      url: samba.url,
      bindDn: `${READER.user}@corp.example.com`,
      password: READER.secret,
    });
    const source = stage.source({}, bound);
    expect(await new Follower().full(source)).toContain('DirSync');
    const whose = [`--objectdn=${suffix}`, `--trusteedn=CN=${READER.user},CN=Users,${suffix}`];
    samba.tool('dsacl', 'set', '--action=allow', '--car=get-changes', ...whose);
    expect(await new Follower().full(source)).toContain(`CN=Deleted Objects,${suffix}`);
  });

  test('counts the changes of each controller, so that a restored one is behind', async () => {
    const read = await stage.source().open(never);
    const marks = await read.marks();
    await read.close();
    expect(marks.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^highestCommittedUSN .*CN=NTDS /u),
    ]);
  });

  test.each([
    [{ invocation: 'another' }, 'full-restored'],
    [{ usn: '99999999' }, 'full-restored'],
    [{ suffix: 'DC=other' }, 'full-restored'],
    [{ cookie: Buffer.from('no cookie').toString('base64') }, 'full-refused'],
  ])('asks for a full read where the last one was up to %j', async (other, code) => {
    const source = stage.source();
    const follower = await Follower.of(source);
    follower.mark = markWith(follower.mark, other);
    expect(await follower.increment(source)).toEqual(problem(code));
  });
});

/** Returns a mark with another position. */
function markWith(mark: Follower['mark'], other: object): Follower['mark'] {
  const [version, { asked, seen }] = JSON.parse(mark?.text ?? '');
  const text = JSON.stringify([version, { asked, seen: { ...seen, at: { ...seen.at, ...other } } }]);
  return { how: 'dirsync', text };
}
