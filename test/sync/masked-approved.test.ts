import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { openWorld, person, SMALL, type Ran, type World } from './world.ts';

const MOBILE = '13812345678';
/** Of what the list of employees does not show nothing can be seen to change. */
const unseen = (tel: string) =>
  SMALL.people.map((one) => person(one.id, { ...one, fields: { ...one.fields, tel } }));

/** Everybody has a number that is shown masked, and an import was approved that may clear it. */
async function approved(readings: readonly string[]): Promise<World> {
  const world = await openWorld({
    readings,
    sync: { guard: { ...SYNC.guard, updates: { percent: 100, count: 3 } } },
  });
  await world.sync();
  for (const { username } of SMALL.people) world.sandbox.edit.changeEmployee(username, { mobile: MOBILE });
  world.change(() => ({ people: unseen('1') }));
  const held = await world.sync();
  expect(held.plan?.held).toMatchObject([{ guard: 'lost', count: 3 }]);
  const ran = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
  expect([ran.exitCode, ran.changing]).toEqual([0, ['importEmployees']]);
  world.minutes(15);
  return world;
}

const foundOut = ({ lines }: Ran): readonly string[] =>
  lines.map(({ message }) => message).filter((message) => message.includes('found out'));

describe('an approved import of accounts that show masked values', () => {
  test('has left them as they were: that is known from then on, and the next changes flow', async () => {
    const world = await approved(['masked']);
    const quiet = await world.sync();
    expect([quiet.exitCode, quiet.changing, foundOut(quiet)]).toEqual([
      0,
      [],
      ['found out: the service keeps fields that an import leaves out'],
    ]);
    world.change(() => ({ people: unseen('2') }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.plan?.held, ran.changing]).toEqual([0, [], ['importEmployees']]);
    expect(world.employee('l1').profile['mobile']).toBe(MOBILE);
  });

  test('has cleared them: that is known as well, and the next ones are held', async () => {
    const world = await approved(['masked', 'absent=clear']);
    expect(foundOut(await world.sync())).toEqual([
      'found out: the service clears fields that an import leaves out',
    ]);
    world.sandbox.edit.changeEmployee('l1', { mobile: MOBILE });
    world.change(() => ({ people: unseen('2') }));
    expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'lost', first: ['l1 (1)'] }]);
  });

  test('was approved for that time: typed in again, the next loss is asked about again, in the very next run', async () => {
    const world = await approved(['masked', 'absent=clear']);
    world.minutes(-15);
    world.sandbox.edit.changeEmployee('l1', { mobile: MOBILE });
    world.change(() => ({ people: unseen('2') }));
    expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'lost', first: ['l1 (1)'] }]);
    expect(world.employee('l1').profile['mobile']).toBe(MOBILE);
  });

  test('tells nothing while it may not be visible yet', async () => {
    const world = await approved(['masked']);
    world.minutes(-15);
    expect(foundOut(await world.sync())).toEqual([]);
  });
});
