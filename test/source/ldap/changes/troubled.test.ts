import { describe, expect, onTestFinished, test } from 'vitest';

import { SourceError } from '../../../../src/domain/errors.ts';
import type { Source } from '../../../../src/domain/reading/source.ts';
import { openSource } from '../../../../src/source/open-source.ts';
import { hasServer } from '../../../servers/install.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../../../servers/slapd.ts';
import { each, never } from '../../source-contract.ts';
import { Follower } from './follower.ts';
import { BASE, ldif, OUTSIDE, person, staffLdif, staffSettings } from './staff.ts';

const A = `ou=a,${BASE}`;
const C = `ou=c,${BASE}`;
const SYNCPROV = 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 1000';
const SYNCED: SlapdOptions = { head: 'moduleload syncprov', config: SYNCPROV };

async function started(options: SlapdOptions = SYNCED): Promise<Slapd> {
  const server = await startSlapd({ ldif: staffLdif(), ...options });
  onTestFinished(async () => server.stop());
  return server;
}

async function followed(
  options?: SlapdOptions,
): Promise<{ server: Slapd; source: Source; follower: Follower }> {
  const server = await started(options);
  const source = openSource(staffSettings(server));
  const follower = await Follower.of(source);
  return { server, source, follower };
}

/** Begins an increment; `then` happens before it is asked for, and what comes back is read to its end. */
async function readWhile(
  source: Source,
  follower: Follower,
  then: () => Promise<void>,
  at: 'asking' | 'reading',
) {
  const read = await source.open(never);
  try {
    const { incremental } = read;
    if (incremental === undefined || 'why' in incremental) throw new Error('not followed');
    await incremental.begin();
    if (at === 'asking') await then();
    const increment = await incremental.increment({ since: follower.mark!, again: follower.keys, salt: 's' });
    if ('why' in increment) return increment;
    if (at === 'reading') await then();
    const came: string[] = [];
    for await (const reading of each(increment.records())) came.push(reading.ok ? reading.record.id : '?');
    return came;
  } finally {
    await read.close();
  }
}

describe.skipIf(!hasServer('slapd'))('a directory in trouble', () => {
  test('that was restored from a backup is read in full', async () => {
    const { server, source, follower } = await followed();
    const restore = await server.backup();
    server.modify(ldif.set(`cn=p1,${A}`, 'displayName', 'Lost'));
    expect(await follower.increment(source)).toMatchObject({ came: ['p1'] });
    await restore();
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('went back') });
  });

  test('that was restored and has gone on since is behind the last read', async () => {
    const { server, source, follower } = await followed();
    const restore = await server.backup();
    server.modify(ldif.set(`cn=p1,${A}`, 'displayName', 'Lost'));
    expect(await follower.increment(source)).toMatchObject({ came: ['p1'] });
    await restore();
    server.modify(ldif.set(`cn=p4,${C}`, 'displayName', 'Later'));
    await expect(follower.increment(source)).rejects.toThrow(
      /is behind the last read \(entryCSN of the entry below/u,
    );
  });

  test('that was started again, without its session log, is read in full', async () => {
    const { server, source, follower } = await followed();
    server.modify(ldif.set(`cn=p1,${A}`, 'displayName', 'One') + ldif.remove(`cn=p2,${A}`));
    await server.load('');
    server.modify(ldif.set(`cn=p4,${C}`, 'displayName', 'Two'));
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('syncprov-sessionlog') });
  });

  test('that is another server is read in full', async () => {
    const { source, follower } = await followed();
    const other = openSource(staffSettings(await started()));
    expect(await follower.increment(other)).toEqual({ why: expect.stringContaining('another server') });
    const { how, text } = follower.mark!;
    follower.mark = {
      how,
      text: text.replaceAll('#000#', '#007#').replace('"000"', '"007"'),
    };
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('server') });
  });

  test('that is asked for other people is read in full', async () => {
    const { server, follower } = await followed();
    const source = openSource(staffSettings(server, { people: { filter: '(objectClass=person)' } }));
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('filter') });
  });

  test.each(['asking', 'reading'] as const)('that dies while it is %s gives no part of it', async (at) => {
    const { server, source, follower } = await followed();
    server.modify(ldif.set(`cn=p1,${A}`, 'displayName', 'One'));
    await expect(readWhile(source, follower, async () => server.kill(), at)).rejects.toThrow(SourceError);
  });

  test('whose limits are too small for the answer is read in full', async () => {
    const { server, source, follower } = await followed({
      ...SYNCED,
      limits: 'size.soft=3 size.hard=3 size.prtotal=unlimited',
    });
    server.modify(Array.from({ length: 5 }, (_, at) => ldif.add(person(`q${at}`, C))).join(''));
    expect(await follower.increment(source)).toEqual({ why: expect.stringContaining('result code 4') });
  });

  test('whose reader loses a right tells nothing of it: only a full read finds that', async () => {
    const readers = `cn=readers,${OUTSIDE}`;
    const access = `access to dn.onelevel="${C}" by group="${readers}" read by * none`;
    const server = await started({ ...SYNCED, access });
    const add = ldif.add([readers, { objectClass: 'groupOfNames', member: [server.bindDn, 'cn=nobody'] }]);
    server.modify(add);
    const source = openSource(staffSettings(server));
    const follower = await Follower.of(source);
    server.modify(`dn: ${readers}\nchangetype: modify\ndelete: member\nmember: ${server.bindDn}\n\n`);
    const before = follower.everybody().length;
    expect(await follower.increment(source)).toMatchObject({ came: [], left: 0 });
    // Whoever is asked for by key and does not come is nobody who left: a full read tells.
    expect(await follower.increment(source, follower.keysOf('p4'))).toMatchObject({ came: [], left: 0 });
    await follower.full(source);
    expect(follower.everybody().length).toBe(before - 1);
  });

  test.each([
    ['the overlay', {}, expect.stringContaining('syncprov')],
    [
      'the numbers of its changes',
      { ...SYNCED, access: 'access to attrs=contextCSN by * none' },
      expect.stringContaining('contextCSN'),
    ],
    [
      'what has others below it',
      { ...SYNCED, access: 'access to attrs=hasSubordinates by * none' },
      expect.stringContaining('hasSubordinates'),
    ],
  ] as const)('that has no increments, or hides %s, says so', async (_, options, how) => {
    const server = await started(options);
    expect(await new Follower().full(openSource(staffSettings(server)))).toEqual(how);
  });

  test.each([
    ['groups decide', { people: { memberOf: ['cn=all,dc=example,dc=com'] } }, 'groups decide'],
    [
      'the filter asks for groups',
      { people: { filter: '(&(objectClass=person)(!(memberOf=cn=x)))' } },
      'memberOf',
    ],
  ])('has no increments where %s', async (_, changes, why) => {
    const server = await started();
    const read = await openSource(staffSettings(server, changes)).open(never);
    expect(read.incremental).toEqual({ why: expect.stringContaining(why) });
    await read.close();
  });

  test('is asked for nothing more where increments are not wanted', async () => {
    const server = await started();
    const read = await openSource(staffSettings(server, { changes: 'off' })).open(never);
    const keys: unknown[] = [];
    for await (const reading of each(read.people())) keys.push(Reflect.get(reading, 'key'));
    expect([read.incremental, new Set(keys)]).toEqual([undefined, new Set([undefined])]);
    await read.close();
  });
});
