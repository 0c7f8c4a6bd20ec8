import { expect, test } from 'vitest';
import { openWorld, unit } from './world.ts';

test('of an import of nodes in doubt only what is not there is sent again', async () => {
  const units = Array.from({ length: 10 }, (_, index) => unit(`u${index}`));
  const world = await openWorld({ units, people: [] });
  const bodies: number[] = [];
  world.sandbox.onCall = (call, body) => {
    if (call.operation === 'importOrganizations') bodies.push((JSON.parse(body) as unknown[]).length);
  };
  const ran = await world.sync({
    through: (service) => {
      let first = true;
      return {
        ...service,
        importOrganizations: async (all, signal) => {
          if (!first) return service.importOrganizations(all, signal);
          first = false;
          // Half of it is done when the connection goes.
          await service.importOrganizations(all.slice(0, 5), signal);
          world.sandbox.setFaults('seed=1,rate=1,kinds=dropBefore,max=1,ops=importOrganizations');
          return service.importOrganizations(all, signal);
        },
      };
    },
  });
  expect([ran.exitCode, ran.listed]).toEqual([0, []]);
  expect(bodies).toEqual([5, 10, 5]);
  expect(world.state().units).toHaveLength(11);
});
