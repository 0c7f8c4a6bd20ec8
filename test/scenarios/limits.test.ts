import { expect, test } from 'vitest';
import { NO_GUARD } from '../plan/build.ts';
import { openWorld } from '../sync/world.ts';
import { company } from './company.ts';
import { expectedState } from './expected-state.ts';

const EVERY_LIMIT = ['maxLimit=100', 'maxUrl=1024', 'maxNames=20', 'maxBatch=20', 'totals=all', 'sister=30'];
const INFO = /refused longer lists/u;

const refused = (
  calls: readonly { readonly http?: number | undefined; readonly status?: number | undefined }[],
) => calls.filter(({ http, status }) => http === 414 || (status ?? 0) !== 0).length;

test('a load on a service with every limit at once completes; what it takes is known to the next process', async () => {
  const before = company({ units: 120, people: 1_000 });
  const world = await openWorld({ ...before, readings: EVERY_LIMIT, sync: { guard: NO_GUARD } });
  const ran = await world.sync();
  expect([ran.error, ran.exitCode, ran.listed]).toEqual(['', 0, []]);
  expect(world.state()).toEqual(expectedState(before));
  const said = ran.lines.filter((line) => INFO.test(JSON.stringify(line)));
  expect(said).toHaveLength(1);
  expect(ran.calls.length).toBeLessThan(800);
  const quiet = await world.sync({ full: true });
  expect([quiet.exitCode, quiet.changing, refused(quiet.calls)]).toEqual([0, [], 0]);
  expect(quiet.lines.filter((line) => INFO.test(JSON.stringify(line)))).toEqual([]);
  const renamed = before.people.map((one) =>
    'username' in one && one.id.endsWith('7') ? { ...one, fields: { ...one.fields, name: 'New' } } : one,
  );
  world.change(() => ({ people: renamed }));
  expect((await world.sync()).exitCode).toBe(0);
  expect(world.state()).toEqual(expectedState({ ...before, people: renamed }));
  expect((await world.sync()).changing).toEqual([]);
});

test('a service whose every list is refused ends the run after a few questions', async () => {
  const world = await openWorld({ readings: ['maxUrl=60'] });
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing]).toEqual([1, []]);
  expect(ran.calls.length).toBeLessThan(20);
});
