import { expect, test } from 'vitest';
import { openWorld, person, SMALL, type Ran } from './world.ts';

const counts = ({ plan }: Ran) => [plan?.edited.units, plan?.edited.people, plan?.kept.length];

test('what somebody edited is counted by every plan while it is only reported, units too, and is no failure', async () => {
  const world = await openWorld({ sync: { drift: 'report' } });
  await world.sync();
  expect(counts(await world.plan())).toEqual([0, 0, 0]);
  const { edit } = world.sandbox;
  edit.changeEmployee('l1', { name: 'Other' });
  edit.changeOrganization(world.organization('u1').id, { name: 'Other' });
  for (const full of [false, true, false]) {
    const ran = await world.sync({ full });
    expect([counts(ran), ran.exitCode, ran.changing]).toEqual([[1, 1, 0], 0, []]);
    expect(ran.plan?.edited.first.map(({ subject, id, reason }) => `${subject} ${id}: ${reason}`)).toEqual([
      'unit u1: name edited in the service: left so (sync.drift: report)',
      'person 1: name edited in the service: left so (sync.drift: report)',
    ]);
  }
  world.configure({ drift: 'repair' });
  expect(counts(await world.sync())).toEqual([0, 0, 0]);
});

test('accounts that keep their username are in the plan, where they are to keep it', async () => {
  const world = await openWorld();
  await world.sync();
  world.change(() => ({ people: [person('1', { username: 'new' }), ...SMALL.people.slice(1)] }));
  expect((await world.plan()).plan?.kept).toEqual([
    { subject: 'person', id: '1', label: 'l1', inSource: 'new' },
  ]);
  await world.sync();
  expect((await world.plan()).plan?.kept).toHaveLength(1);
  world.configure({ usernameChange: 'replace' });
  expect((await world.plan()).plan?.kept).toEqual([]);
});
