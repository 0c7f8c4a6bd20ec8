import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { EmployeeModification, Service } from '../../src/domain/ports/service.ts';
import { expectSilence } from './reverting.ts';
import { at, loadedWorld, person, unit, type World } from './world.ts';

const UNITS = [unit('u1'), unit('u2', 'u1'), unit('u3', 'u1')];
const STAYS = [person('2'), person('3', { positions: [at('u2')] })];

/** Person 1 in `u2`, then in `u3`, in a service that adds imported positions to the old ones. */
async function moved(readings = ['positions=merge']): Promise<World> {
  const world = await loadedWorld({
    units: UNITS,
    people: [person('1', { positions: [at('u2')] }), ...STAYS],
    readings,
  });
  world.change(() => ({ people: [person('1', { positions: [at('u3')] }), ...STAYS] }));
  return world;
}

type Modify = Service['modifyEmployee'];
const modifying =
  (modify: (real: Modify) => Modify) =>
  (service: Service): Service => ({
    ...service,
    modifyEmployee: modify((...call) => service.modifyEmployee(...call)),
  });

const refusing = modifying(
  () => () => Promise.reject(new RefusedError('not now, says the service', 990_001)),
);

const killedAfter = modifying((real) => async (...call) => {
  await real(...call);
  throw new Error('killed');
});

const killedBefore = modifying(() => () => Promise.reject(new Error('killed')));

describe('an old position that an import leaves', () => {
  test('is taken away in the same run by a modification, and then there is silence', async () => {
    const world = await moved();
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([0, ['importEmployees', 'modifyEmployee']]);
    expect(ran.report).toMatchObject({ error: null });
    expect(world.state().people).toContain('l1 Name 1 u3[primary]');
    await expectSilence(world);
  });

  test('and cannot be taken away is tried once in a run, and the person is listed as failed', async () => {
    const world = await moved(['positions=stay']);
    for (let runs = 0; runs < 2; runs += 1) {
      const ran = await world.sync();
      expect([ran.exitCode, ran.changing]).toEqual([4, ['importEmployees', 'modifyEmployee']]);
      expect(ran.lines.filter(({ fields }) => fields['event'] === 'item.failed')).toHaveLength(1);
      const reason = `1: old positions are still there: ${world.organization('u2').id}`;
      expect(ran.listed).toEqual([reason]);
    }
  });

  test('and is refused to be taken away is listed with the service’s words', async () => {
    const world = await moved();
    const ran = await world.sync({ through: refusing });
    expect(ran.exitCode).toBe(4);
    expect(ran.listed).toEqual([
      expect.stringMatching(/^1: old positions are still there: \d+; not now, says the service$/u),
    ]);
    expect(ran.lines.filter(({ fields }) => fields['event'] === 'item.failed')).toHaveLength(1);
    const next = await world.sync();
    expect([next.exitCode, next.listed]).toEqual([0, []]);
    await expectSilence(world);
  });

  test.each([
    ['before', killedBefore],
    ['after', killedAfter],
  ])('is looked at again by the run after one that was killed right %s the call', async (_, through) => {
    const world = await moved();
    expect((await world.sync({ through })).exitCode).toBe(1);
    expect((await world.sync()).exitCode).toBe(0);
    expect(world.state().people).toContain('l1 Name 1 u3[primary]');
    await expectSilence(world);
  });

  test('is taken away with all that is wanted of the person, secrets of this run included', async () => {
    const world = await moved();
    const fields = { email: 'ann@example.com', mobile: null, properties: { '12': ['x'] } };
    const secrets = { id_card: '4711', password: 'x', source_identifiers: { A: 'b' } };
    world.change(() => ({ people: [person('1', { positions: [at('u3')], fields, secrets }), ...STAYS] }));
    const sent: EmployeeModification[] = [];
    const noting = modifying((real) => (id, body, signal) => {
      sent.push(body);
      return real(id, body, signal);
    });
    expect((await world.sync({ through: noting })).exitCode).toBe(0);
    expect(sent).toMatchObject([{ fields: { ...fields, mobile: '', name: 'Name 1', id_card: '4711' } }]);
    const { profile } = world.employee('l1');
    expect(profile).toMatchObject({ email: 'ann@example.com', id_card: '4711' });
    await expectSilence(world);
  });
});
