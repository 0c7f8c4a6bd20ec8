import { describe, expect, onTestFinished, test } from 'vitest';

import { SourceError } from '../../../../src/domain/errors.ts';
import type { Source } from '../../../../src/domain/reading/source.ts';
import { hasServer } from '../../../servers/install.ts';
import { added } from '../../../servers/ldif.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../../../servers/slapd.ts';
import { throughout } from '../../../servers/throughout.ts';
import { problem } from '../../problem.ts';
import { each, never } from '../../source-contract.ts';
import { Follower } from './follower.ts';
import { ldif, Stage, SYNCED } from './stage.ts';

interface Trouble {
  readonly server: Slapd;
  readonly stage: Stage;
  readonly source: Source;
  readonly follower: Follower;
}

async function troubled(options: SlapdOptions = SYNCED, ofServer = false): Promise<Trouble> {
  const server = await startSlapd(options);
  onTestFinished(async () => server.stop());
  const stage = new Stage('slapd', server);
  const source = stage.source();
  return { server, stage, source, follower: ofServer ? new Follower() : await Follower.of(source) };
}

/** Puts the directory back to what it was before the last read, which has seen a change. */
async function restored({ server, source, follower, stage }: Trouble, change?: string): Promise<void> {
  const restore = await server.backup();
  server.modify(change ?? stage.set('p1', stage.a, 'Lost'));
  expect((await follower.told(source)).came).toHaveLength(1);
  await restore();
}

/** Begins an increment; `then` happens before it is asked for, or before it is read to its end. */
async function readWhile({ source, follower, server }: Trouble, at: 'asking' | 'reading'): Promise<void> {
  const read = await source.open(never);
  try {
    const { incremental } = read;
    if (incremental === undefined || 'why' in incremental) throw new Error('not followed');
    await incremental.begin();
    if (at === 'asking') await server.kill();
    const increment = await incremental.increment({ since: follower.mark!, again: follower.keys, salt: 's' });
    if ('why' in increment) return;
    await server.kill();
    for await (const _ of each(increment.records()));
  } finally {
    await read.close();
  }
}

describe.skipIf(!hasServer('slapd'))('a directory', () => {
  test.each<[string, string, (trouble: Trouble) => unknown, SlapdOptions?]>([
    ['was restored from a backup', 'full-restored', async (trouble) => restored(trouble)],
    [
      'was restored without the entry that was changed last, and has gone on since',
      'full-restored',
      async (trouble) => {
        const { server, stage } = trouble;
        await restored(trouble, stage.add(['p9', stage.c]));
        server.modify(stage.set('p4', stage.c, 'Later'));
      },
    ],
    [
      'was restored and has gone on since',
      'read-behind',
      async (trouble) => {
        await restored(trouble);
        trouble.server.modify(trouble.stage.set('p4', trouble.stage.c, 'Later'));
      },
    ],
    [
      'was started again, without its session log',
      'full-log',
      async ({ server, stage }) => {
        server.modify(stage.set('p1', stage.a, 'One') + stage.remove('p2', stage.a));
        await server.load('');
        server.modify(stage.set('p4', stage.c, 'Two'));
      },
    ],
    [
      'has limits too small for the answer',
      'full-refused',
      ({ server, stage }) =>
        server.modify(stage.add(...['1', '2', '3', '4', '5'].map((at) => [`q${at}`, stage.c] as const))),
      { limits: 'size.soft=3 size.hard=3 size.prtotal=unlimited' },
    ],
    [
      'has a person with people below, who was renamed',
      'full-container',
      async ({ server, stage, source, follower }) => {
        const boss = stage.dn('p1', stage.a);
        server.modify(stage.add(['p7', boss]));
        await follower.full(source);
        server.modify(stage.set('p7', boss, 'Another'));
        expect(await follower.outcome(source)).toBe('as found');
        server.modify(ldif.rename(boss, 'cn=boss'));
      },
    ],
    [
      'is another server',
      'full-restored',
      ({ follower }) => {
        const text = follower.mark?.text.replaceAll('#000#', '#007#').replace('"000"', '"007"') ?? '';
        follower.mark = { how: 'syncrepl', text };
      },
    ],
  ])('that %s says so: %s', async (_, code, happens, options) => {
    const trouble = await troubled({ ...SYNCED, ...options });
    await happens(trouble);
    const told = trouble.follower.increment(trouble.source).catch((error: unknown) => error);
    expect(await told).toEqual(problem(code));
  });

  test.each(['asking', 'reading'] as const)('that dies while it is %s gives no part of it', async (at) => {
    const trouble = await troubled();
    trouble.server.modify(trouble.stage.set('p1', trouble.stage.a, 'One'));
    await expect(readWhile(trouble, at)).rejects.toThrow(SourceError);
  });

  test('whose reader loses a right tells nothing of it: only a full read finds that', async () => {
    const readers = 'cn=readers,dc=example,dc=com';
    const access = `access to dn.onelevel="ou=c,ou=company,dc=example,dc=com" by group="${readers}" read by * none`;
    const { server, source, follower } = await troubled({ ...SYNCED, access }, true);
    const member = [server.bindDn, 'cn=nobody'];
    server.modify(added([[readers, { objectClass: 'groupOfNames', member }]]));
    await follower.full(source);
    server.modify(`dn: ${readers}\nchangetype: modify\ndelete: member\nmember: ${server.bindDn}\n\n`);
    const before = follower.everybody().length;
    expect(await follower.increment(source)).toMatchObject({ came: [], left: 0 });
    // A person who is asked for by key and does not come has not left: a full read tells.
    expect(await follower.increment(source, follower.keys)).toMatchObject({ left: 0 });
    await follower.full(source);
    expect(follower.everybody().length).toBe(before - 1);
  });

  test.each<[string, SlapdOptions]>([
    ['full-syncprov', {}],
    ['contextCSN', { ...SYNCED, access: 'access to attrs=contextCSN by * none' }],
    ['hasSubordinates', { ...SYNCED, access: 'access to attrs=hasSubordinates by * none' }],
  ])('that cannot tell what changed says why: %s', async (what, options) => {
    const { source, follower } = await troubled(options, true);
    expect(await follower.full(source)).toContain(what.replace('full-', ''));
  });
});

describe.skipIf(!hasServer('slapd'))('a directory that is asked', () => {
  const server = throughout(() => startSlapd(SYNCED));

  test('for other people, or another way, needs a full read', async () => {
    const stage = new Stage('slapd', server);
    const follower = await Follower.of(stage.source());
    const other = stage.source({ filter: '(objectClass=person)' });
    expect(await follower.increment(other)).toEqual(problem('full-people'));
    const elsewhere = stage.source({}, { url: server.url.replace('localhost', '127.0.0.1') });
    expect(await follower.increment(elsewhere)).toEqual(problem('full-server'));
    const incrementalOf = async (people: object, more = {}): Promise<unknown> => {
      const read = await stage.source(people, more).open(never);
      await read.close();
      return read.incremental;
    };
    const memberOf = 'cn=all,dc=example,dc=com';
    expect(await incrementalOf({ memberOf })).toEqual(problem('full-groups'));
    const filter = '(&(objectClass=person)(!(memberOf=cn=x)))';
    expect(await incrementalOf({ filter })).toEqual(problem('full-computed'));
    expect(await incrementalOf({}, { changes: 'off' })).toBeUndefined();
  });
});
