import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { openWorld, SMALL, unit, type Ran } from './world.ts';

const UNITS = [unit('a'), ...Array.from({ length: 8 }, (_, index) => unit(`a${index}`, 'a'))];
const COMPANY = { units: UNITS, people: [] } as const;
const times = ({ changing }: Ran, name: string): number => changing.filter((one) => one === name).length;
const IMPORT = 'importOrganizations';
const CREATE = 'createOrganization';

describe.each([['http200'], ['http4xx']])('a service that refuses imports of units (errors=%s)', (errors) => {
  const readings = ['importOrgs=off', `errors=${errors}`];

  test('gets them one by one, and each once', async () => {
    const world = await openWorld({ ...COMPANY, readings });
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed, ran.report.end.failed]).toEqual([0, [], 0]);
    expect([times(ran, IMPORT), times(ran, CREATE)]).toEqual([1, UNITS.length]);
    expect(world.state().units).toHaveLength(UNITS.length + 1);
    const second = await world.sync({ full: true });
    expect([second.exitCode, second.planned, second.changing]).toEqual([0, [], []]);
  });

  test('of many at once: one is tried alone, which is created, and all others are too', async () => {
    const world = await openWorld({ units: UNITS.slice(1).map(({ id }) => unit(id)), people: [], readings });
    const ran = await world.sync();
    expect([ran.exitCode, times(ran, IMPORT), times(ran, CREATE)]).toEqual([0, 2, UNITS.length - 1]);
  });

  test('moves units too', async () => {
    const world = await openWorld({ ...SMALL, readings });
    await world.sync();
    world.change(() => ({ units: [unit('u1'), unit('u2')] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned.filter((one) => one.startsWith('move'))]).toEqual([
      0,
      ['move unit u2'],
    ]);
    expect(world.state().units).toHaveLength(3);
  });

  test('where a creation is in doubt, it is read first and not made twice', async () => {
    const world = await openWorld({ ...COMPANY, readings });
    world.sandbox.setFaults(`seed=1,rate=1,kinds=dropAfter,max=2,ops=${CREATE}`);
    const ran = await world.sync();
    expect([ran.exitCode, times(ran, IMPORT), times(ran, CREATE), world.state().units.length]).toEqual([
      0,
      1,
      UNITS.length,
      UNITS.length + 1,
    ]);
  });
});

const refuseThis = (): never => {
  throw new RefusedError('not this one', 990_400);
};

const refusingThis = (service: Service): Service => ({ ...service, importOrganizations: refuseThis });

describe('a service that takes imports of units', () => {
  test('is asked to create none alone where it refuses one in its answer', async () => {
    const world = await openWorld({ units: [unit('a')], people: [] });
    world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Unit a', { serialNo: 'other' });
    const ran = await world.sync();
    expect([ran.exitCode, times(ran, CREATE)]).toEqual([4, 0]);
  });

  test('is not asked either where it later refuses a whole import of one', async () => {
    const world = await openWorld({ units: [unit('a')], people: [] });
    await world.sync();
    world.change(() => ({ units: [unit('a'), unit('b')] }));
    const ran = await world.sync({ through: refusingThis });
    expect([ran.exitCode, ran.changing, ran.listed]).toEqual([4, [], ['b: not this one']]);
  });
});

test('where creating is refused as well, the words of the import are told, and few are tried', async () => {
  const world = await openWorld({ units: UNITS.slice(1).map(({ id }) => unit(id)), people: [] });
  const asked: string[] = [];
  const refuse = (words: string) => (): never => {
    asked.push(words);
    throw new RefusedError(words, 990_403);
  };
  const ran = await world.sync({
    through: (service) => ({
      ...service,
      importOrganizations: refuse('no imports'),
      createOrganization: refuse('no creations'),
    }),
  });
  expect([ran.exitCode, asked.filter((one) => one === 'no creations').length]).toEqual([1, 4]);
  expect(ran.error).toContain('no imports');
});
