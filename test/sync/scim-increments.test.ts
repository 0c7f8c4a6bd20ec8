import { expect, describe, onTestFinished, test } from 'vitest';
import type { ScimSettings } from '../../src/source/scim/kind.ts';
import { openSource } from '../../src/source/open-source.ts';
import { startScim, type Resource, type ScimServer } from '../source/scim/scim-server.ts';
import { membersSettings } from '../source/scim/scim-world.ts';
import { readByTwo, type Readers } from './twin-world.ts';

const NOON = Date.parse('2026-03-29T12:00:00Z');
const HOUR = 3_600_000;

interface Twins extends Readers {
  readonly server: ScimServer;
  /** Changes a user, or adds one, an hour after the last change. */
  readonly put: (id: string, parts?: Resource) => void;
  readonly remove: (id: string) => void;
  /** Puts users into a group. */
  readonly join: (group: string, ...ids: readonly string[]) => void;
}

/** A server that two read, and that both have loaded; it gives five records a page. */
async function loaded(people: Partial<NonNullable<ScimSettings['people']>> = {}): Promise<Twins> {
  const server = await startScim({});
  onTestFinished(() => server.close());
  server.mostPerPage = 5;
  let now = NOON;
  server.now = () => now;
  const groups = new Map<string, readonly string[]>();
  const users = new Map<string, Resource>();
  const show = (): void => {
    const Groups = [...groups].map(([id, members]) => {
      return { id, displayName: `Group ${id}`, members: members.map((value) => ({ value })) };
    });
    server.lists = { Groups, Users: [...users.values()] };
  };
  const put: Twins['put'] = (id, parts = {}) => {
    now += HOUR;
    const meta = { lastModified: new Date(now).toISOString() };
    const before = users.get(id) ?? { id, userName: `user-${id}`, displayName: `Name ${id}` };
    users.set(id, { ...before, meta, ...parts });
    show();
  };
  const join: Twins['join'] = (group, ...ids) => {
    groups.set(group, ids);
    show();
  };
  const all = Array.from({ length: 12 }, (_, at) => `a${at}`);
  for (const id of all) put(id);
  join('g', ...all, 'b1');
  join('h');
  const readers = await readByTwo((changes) =>
    openSource({ ...membersSettings(server.url, people), changes }),
  );
  await readers.sync();
  now += HOUR;
  expect((await readers.sync()).how).toBe('incremental');
  const remove = (id: string): void => {
    users.delete(id);
    show();
  };
  return { ...readers, server, put, remove, join };
}

describe('an increment of a SCIM server finds what a full read finds', () => {
  test.each<[string, (twins: Twins) => void, readonly string[]]>([
    ['nothing has changed', () => undefined, []],
    ['somebody is renamed', ({ put }) => put('a3', { displayName: 'New' }), ['update person a3']],
    ['somebody joins', ({ put }) => put('b1'), ['create person b1']],
    [
      'somebody joins whose record says that it is old',
      ({ put }) => put('b1', { meta: { lastModified: '2020-01-01T00:00:00Z' } }),
      ['create person b1'],
    ],
  ])('where %s', async (_, change, planned) => {
    const twins = await loaded();
    change(twins);
    const ran = await twins.sync();
    expect([ran.how, [...ran.planned].toSorted()]).toEqual(['incremental', planned]);
    const after = await twins.sync();
    expect([after.how, after.planned]).toEqual(['incremental', []]);
  });

  test('where the server refuses the filter for a while', async () => {
    const { sync, put, server } = await loaded();
    server.twist = ({ filter }) => (filter === null ? null : { status: 400, body: { detail: 'No' } });
    put('a3', { displayName: 'New' });
    const refused = await sync();
    const why = 'full-filter';
    expect([refused.how, refused.planned]).toEqual([why, ['update person a3']]);
    expect((await sync()).how).toBe(why);
    server.twist = () => null;
    await sync();
    expect((await sync()).how).toBe('incremental');
  });

  test('where the server refuses the filter by ids, in the middle', async () => {
    const { sync, put, server } = await loaded();
    put('a3', { userName: '' });
    put('a4');
    expect((await sync()).how).toBe('incremental');
    server.twist = ({ filter }) =>
      filter?.includes('id eq') === true ? { status: 400, body: { detail: 'No' } } : null;
    put('a5');
    put('a6');
    const ran = await sync();
    expect([ran.how, ran.listed.length]).toEqual(['full-filter', 1]);
  });

  test('where the clock of the server has gone back, and where the one changed last is gone', async () => {
    const { sync, put, remove, server } = await loaded();
    put('a3', { displayName: 'New' });
    expect((await sync()).planned).toEqual(['update person a3']);
    remove('a3');
    expect((await sync()).how).toBe('full-restored');
    expect((await sync()).how).toBe('incremental');
    server.now = () => NOON;
    expect((await sync()).how).toBe('full-clock');
  });
});
