import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startScim, type ScimServer } from '../scim-server.ts';
import { HOUR, NOON, staffOf, usual, withPeople, type Clocks, type Staff, type Stamp } from './staff.ts';

let server: ScimServer;
beforeAll(async () => void (server = await startScim({})));
afterAll(() => server.close());

const staffed = (clocks?: Clocks, count?: number): Staff => staffOf(server, clocks, count);

const SAME = 'as found';

describe('a SCIM server tells by meta.lastModified', () => {
  test('who changed, came and left since the last read', async () => {
    const { follower, source, minutes, put, remove } = staffed();
    expect(await follower.full(source())).toBe('scim');
    minutes(60);
    put('a7', { displayName: 'New' });
    put('b1');
    remove('a9');
    const told = await follower.told(source());
    expect(told).toEqual({ came: ['a1', 'a7', 'b1'], left: 1, how: 'scim', isListed: true });
    minutes(60);
    expect((await follower.told(source())).came).toEqual(['a7', 'b1']);
    put('a7', { displayName: 'Newer' });
    expect(await follower.outcome(source())).toBe(SAME);
  });

  test('more people than a page has', async () => {
    const { follower, source, minutes, put } = staffed({}, 65);
    await follower.full(source());
    minutes(60);
    for (let at = 1; at <= 33; at += 1) put(`a${at}`, { displayName: 'New' });
    expect((await follower.told(source())).came).toHaveLength(33);
    expect(await follower.outcome(source())).toBe(SAME);
  });

  test('some who are asked for again, by their ids, and not those who are gone', async () => {
    const { follower, source, minutes, remove } = staffed({}, 65);
    await follower.full(source());
    minutes(60);
    remove('a9');
    const again = [...follower.keys].filter((key) => key !== 'a2');
    const { came, left } = await follower.told(source(), again);
    expect([came.length, came.includes('a2'), left]).toEqual([63, false, 1]);
    // Whoever was changed has come already, and is not asked for again.
    const ids = server.asked.flatMap(({ filter }) => filter?.match(/id eq "(\w+)"/gu) ?? []);
    expect([new Set(ids).size, ids.includes('id eq "a1"')]).toEqual([63, false]);
  });

  test('within the filter of the settings: whoever leaves it is gone, though asked for again', async () => {
    const { follower, source, minutes, put } = staffed();
    const here = withPeople({ filter: 'status eq "here" or status eq "away"' });
    for (const id of ['a1', 'a2', 'a3']) put(id, { status: 'here' });
    await follower.full(source(here));
    minutes(60);
    put('a2', { status: 'left' });
    put('a4', { status: 'away' });
    expect(await follower.told(source(here), ['a2', 'a3'])).toMatchObject({
      came: ['a1', 'a3', 'a4'],
      left: 1,
    });
    expect(await follower.outcome(source(here))).toBe(SAME);
  });

  test('whoever is listed, and was changed at no time that counts', async () => {
    const { follower, source, minutes, put } = staffed();
    await follower.full(source());
    minutes(60);
    put('b1', { meta: { lastModified: '2020-01-01T00:00:00Z' } });
    expect((await follower.told(source())).came).toEqual(['a1']);
    expect(follower.keys).toContain('b1');
  });

  test('and looks for the one that was changed last, so that few are told twice', async () => {
    const { follower, source, minutes, put } = staffed();
    server.mostPerPage = 1_000;
    for (let at = 0; at < 120; at += 1) {
      put(`b${at}`);
      minutes(0.5);
    }
    await follower.full(source());
    expect((await follower.told(source())).came).toHaveLength(11);
  });

  test('and is not asked for everybody', async () => {
    const { follower, source, minutes, put } = staffed({}, 100);
    await follower.full(source());
    minutes(600);
    put('a5', { displayName: 'New' });
    await follower.told(source());
    (server.asked as unknown[]).length = 0;
    minutes(1);
    await follower.told(source());
    const whole = server.asked.filter(({ resource, filter, attributes, count }) => {
      return resource === 'Users' && filter === null && attributes.length === 0 && count > 1;
    });
    expect(whole).toEqual([]);
  });
});

const zoned =
  (hours: number, zone: string): Stamp =>
  (time) =>
    new Date(time + hours * HOUR).toISOString().replace('Z', zone);

describe('the clocks of a SCIM server', () => {
  test.each<[string, Clocks]>([
    ['are one', {}],
    ['write whole seconds', { stamp: (time) => `${usual(time).slice(0, 19)}Z` }],
    ['write more of a second', { stamp: (time) => usual(time).replace('Z', '1234Z') }],
    ['write the time of a zone', { stamp: zoned(8, '+08:00') }],
    ['write the time of a zone in another way', { stamp: zoned(-8, '-0800') }],
    ['stamp records some minutes late', { ahead: -4 * 60_000 }],
    ['stamp records hours late, as in local time', { ahead: -8 * HOUR }],
    ['stamp records some minutes early', { ahead: 4 * 60_000 }],
    ['stamp records hours early', { ahead: 8 * HOUR }],
  ])('%s: what changed is told', async (_, clocks) => {
    const { follower, source, minutes, put } = staffed(clocks);
    expect(await follower.full(source())).toBe('scim');
    for (const id of ['a7', 'a8', 'a9']) {
      minutes(1);
      put(id, { displayName: 'New' });
      minutes(30);
      expect((await follower.told(source())).came).toContain(id);
      expect(await follower.outcome(source())).toBe(SAME);
    }
  });

  test('of its machines differ by minutes: what is shown late is told', async () => {
    const { follower, source, minutes, put } = staffed();
    await follower.full(source());
    minutes(60);
    put('a7', { meta: { lastModified: usual(NOON - HOUR - 4 * 60_000) }, displayName: 'Late' });
    put('a8', { meta: { lastModified: usual(NOON - HOUR - 6 * 60_000) }, displayName: 'Too late' });
    expect((await follower.told(source())).came).toEqual(['a1', 'a7']);
  });

  test('are not ours', async () => {
    const { follower, source, minutes, put } = staffed();
    minutes(-40 * 365 * 24 * 60);
    for (const id of ['a1', 'a2', 'a3']) put(id);
    minutes(60);
    await follower.full(source());
    put('a7', { displayName: 'New' });
    expect((await follower.told(source())).came).toContain('a7');
    expect(await follower.outcome(source())).toBe(SAME);
  });

  test('go on where a record is of the future', async () => {
    const { follower, source, minutes, put } = staffed();
    put('a3', { meta: { lastModified: '2099-01-01T00:00:00Z' } });
    await follower.full(source());
    minutes(10);
    put('a7', { displayName: 'New' });
    minutes(10);
    expect((await follower.told(source())).came).toEqual(['a3', 'a7']);
  });
});
