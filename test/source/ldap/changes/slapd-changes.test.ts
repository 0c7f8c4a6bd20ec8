import { beforeEach, describe, expect, test } from 'vitest';

import { openSource } from '../../../../src/source/open-source.ts';
import { hasServer } from '../../../servers/install.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../../../servers/slapd.ts';
import { Follower } from './follower.ts';
import { BASE, ldif, OUTSIDE, person, staffLdif, staffSettings } from './staff.ts';
import { STORIES, UNTOLD, type Stage } from './stories.ts';

const SYNCED: SlapdOptions = {
  head: 'moduleload syncprov',
  config: 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 1000',
};

const A = `ou=a,${BASE}`;
const B = `ou=b,${A}`;
const C = `ou=c,${BASE}`;

const STAGE: Stage = {
  base: BASE,
  a: A,
  b: B,
  c: C,
  outside: OUTSIDE,
  person,
  rdn: (id) => `cn=${id}`,
  retired: ['employeeType', 'retired'],
};

describe.skipIf(!hasServer('slapd'))('a slapd with a session log', () => {
  const how = 'syncrepl';
  let server: Slapd;
  beforeEach(async () => {
    server = await startSlapd({ ...SYNCED, ldif: staffLdif() });
    return async () => server.stop();
  });

  test.each(Object.entries(STORIES))('tells %s', async (_name, story) => {
    const [change, came, left] = story(STAGE);
    const source = openSource(staffSettings(server));
    const follower = new Follower();
    expect(await follower.full(source)).toBe(how);
    server.modify(change);
    const told = await follower.increment(source);
    expect(follower.everybody()).toEqual(await Follower.found(source));
    expect(told).toMatchObject({ how, came, left, isListed: false });
  });

  test.each(Object.entries(UNTOLD))('asks for a full read after %s', async (_name, story) => {
    const source = openSource(staffSettings(server));
    const follower = await Follower.of(source);
    server.modify(story(STAGE));
    expect(await follower.outcome(source)).toMatch(/container/u);
  });

  test('asks for a full read where a person who has people below was renamed', async () => {
    server.modify(ldif.add(person('p7', `cn=p1,${A}`)));
    const source = openSource(staffSettings(server));
    const follower = await Follower.of(source);
    server.modify(ldif.set(`cn=p7,cn=p1,${A}`, 'displayName', 'Another'));
    expect(await follower.increment(source)).toMatchObject({ left: 0 });
    expect(follower.everybody()).toEqual(await Follower.found(source));
    server.modify(ldif.rename(`cn=p1,${A}`, 'cn=boss'));
    expect(await follower.outcome(source)).toMatch(/cn=boss/u);
  });

  test('tells one change after the other, from mark to mark', async () => {
    const source = openSource(staffSettings(server));
    const follower = await Follower.of(source);
    const changes = [
      ldif.set(`cn=p1,${A}`, 'displayName', 'One') + ldif.remove(`cn=p2,${A}`),
      ldif.add(person('p2', C)) + ldif.rename(`cn=p4,${C}`, 'cn=p4', A),
      ldif.set(`cn=p3,${B}`, 'employeeType', 'retired'),
      ldif.set(`cn=p3,${B}`, 'employeeType', 'staff'),
      ldif.remove(`cn=p1,${A}`) + ldif.add(person('p1', B)),
    ];
    for (const change of changes) {
      server.modify(change);
      expect(await follower.increment(source)).toMatchObject({ how });
      expect(follower.everybody()).toEqual(await Follower.found(source));
    }
  });

  test('finds hundreds of people again by their keys, and says who of them is gone', async () => {
    const many = Array.from({ length: 450 }, (_each, at) => person(`q${at}`, C));
    server.modify(many.map(ldif.add).join(''));
    const source = openSource(staffSettings(server));
    const follower = await Follower.of(source);
    const wanted = follower.keys;
    server.modify(ldif.remove(`cn=q7,${C}`) + ldif.rename(`cn=q8,${C}`, 'cn=q8', OUTSIDE));
    const told = await follower.told(source, wanted);
    expect([told.came.length, new Set(told.came).size, told.left]).toEqual([452, 452, 2]);
    expect(told.came).not.toContain('q7');
  });

  test('tells that somebody went into an excluded part', async () => {
    const source = openSource(staffSettings(server, { people: { exclude: [C] } }));
    const follower = await Follower.of(source);
    server.modify(ldif.rename(`cn=p1,${A}`, 'cn=p1', C));
    expect(await follower.told(source)).toMatchObject({ left: 1 });
    expect(follower.keysOf('p1')).toEqual([]);
  });

  test('tells those of two bases, and leaves out what is excluded', async () => {
    const settings = staffSettings(server);
    const people = {
      ...settings.people,
      bases: [A, C],
      exclude: [B, '(title=none)'],
    };
    const source = openSource({ ...settings, people });
    server.modify(ldif.add(person('p9', C)));
    const follower = new Follower();
    expect(await follower.full(source)).toBe(how);
    const changes = [
      ldif.rename(`cn=p1,${A}`, 'cn=p1', C),
      ldif.rename(`cn=p1,${C}`, 'cn=p1', B),
      ldif.rename(`cn=p1,${B}`, 'cn=p1', A) + ldif.set(`cn=p4,${C}`, 'title', 'none'),
    ];
    for (const change of changes) {
      server.modify(change);
      expect(await follower.increment(source)).toMatchObject({ how });
      expect(follower.everybody()).toEqual(await Follower.found(source));
    }
  });
});
