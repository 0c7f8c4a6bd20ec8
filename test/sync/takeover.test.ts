import { expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { systemWatch } from '../../src/lib/clock.ts';
import { at, openWorld, person, SMALL, unit } from './world.ts';

test('a run that lost its lease stops before its next call, and the one that took over ends the work', async () => {
  const world = await openWorld();
  const { domainId, orgCode } = world.sandbox;
  const takenOver: Ledger[] = [];
  const ran = await world.sync({
    through: (service) => ({
      ...service,
      importOrganizations: async (bodies, signal) => {
        const answer = await service.importOrganizations(bodies, signal);
        world.minutes(2);
        const other = openLedger({
          path: world.ledgerFile,
          binding: `${domainId}/${orgCode}`,
          now: () => world.clock.now(),
          watch: { boot: systemWatch.boot, now: () => systemWatch.now() + 120_000 },
          mode: 'write',
        });
        expect(other.lease.acquire('the other one')).toBeNull();
        takenOver.push(other);
        return answer;
      },
    }),
  });
  expect([ran.exitCode, ran.error]).toEqual([1, expect.stringMatching(/another run took over/u)]);
  expect(ran.changing).toEqual(['importOrganizations']);
  for (const other of takenOver) {
    other.lease.release();
    other.close();
  }
  expect((await world.sync()).exitCode).toBe(0);
  expect(world.state().people).toHaveLength(3);
});

test('a unit that comes back is made again under its own id', async () => {
  const world = await openWorld();
  await world.sync();
  world.change(() => ({ units: [unit('u1')], people: [person('1')] }));
  world.change(() => ({ people: SMALL.people.map((one) => ({ ...one, positions: [at('u1')] })) }));
  expect((await world.sync()).changing).toContain('deleteOrganization');
  world.change(() => SMALL);
  expect((await world.sync()).planned).toEqual(['update person 2', 'create unit u2']);
  expect(world.state().people).toContain('l2 Name 2 u2[primary]');
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

test('a stop lets the call in flight end and be settled; the next run sends only the rest', async () => {
  const world = await openWorld();
  const stop = new AbortController();
  const ran = await world.sync({
    stop: stop.signal,
    through: (service) => ({
      ...service,
      importOrganizations: (bodies, signal) => {
        stop.abort();
        return service.importOrganizations(bodies, signal);
      },
    }),
  });
  expect(ran.changing).toEqual(['importOrganizations']);
  expect(world.state().units).toHaveLength(2);
  const next = await world.sync();
  expect([next.exitCode, next.lines.some(({ message }) => message.includes('interrupted'))]).toEqual([
    0,
    false,
  ]);
  expect(next.planned).not.toContain('create unit u1');
});
