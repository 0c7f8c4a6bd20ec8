import { expect, test } from 'vitest';
import { openWorld } from './world.ts';

test('a field that was set back 3 times in 7 days is reported and left, and set back again a week later', async () => {
  const world = await openWorld();
  await world.sync();
  const edit = (): void => void world.sandbox.edit.changeEmployee('l1', { name: 'Nickname' });
  for (const times of [1, 2, 3]) {
    edit();
    world.minutes(60);
    expect((await world.sync()).changing, `repair ${times}`).toEqual(['importEmployees']);
    expect(world.employee('l1').name).toBe('Name 1');
  }
  edit();
  world.minutes(60);
  const left = await world.sync();
  expect([left.changing, world.employee('l1').name]).toEqual([[], 'Nickname']);
  expect(left.listed.join()).toMatch(/1: edited in the service again after 3 repairs in 7 days, left: name/u);
  const reported = left.lines.filter(({ fields }) => fields['event'] === 'drift.found');
  expect(reported).toMatchObject([{ fields: { action: 'reported', id: '1', fields: ['name'] } }]);
  world.minutes(8 * 24 * 60);
  expect((await world.sync()).changing).toEqual(['importEmployees']);
  expect(world.employee('l1').name).toBe('Name 1');
});
