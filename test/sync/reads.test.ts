import { describe, expect, test } from 'vitest';
import { ServiceError, SourceError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import type { Source, SourceRead } from '../../src/domain/reading/source.ts';
import type { Line } from '../runtime/memory-log.ts';
import { at, loadedWorld, openWorld, person, unit, type Ran, type World } from './world.ts';

const CROWD = Array.from({ length: 120 }, (_, n) => person(String(1000 + n)));
const readings = ['namesRead=37'];
/** Questions for employees by their usernames. */
const questions = ({ calls }: Ran): number =>
  calls.filter(({ operation }) => operation === 'listEmployees').length;
const saidOf = ({ lines }: Ran): readonly Line[] =>
  lines.filter(({ message }) => message.includes('this short'));

describe('a service that looks only at the first names of a question, and says nothing', () => {
  test('is found out: who is there is adopted, and nobody is taken for new', async () => {
    const world = await openWorld({ readings, people: CROWD });
    const loaded = await world.sync();
    expect([loaded.exitCode, loaded.listed]).toEqual([0, []]);
    world.loseLedger();
    const ran = await world.plan();
    expect(ran.planned.filter((words) => words.includes('person'))).toEqual(
      CROWD.map(({ id }) => `adopt person ${id}`),
    );
  });

  test('is found out once: the next runs ask that short, and no more often', async () => {
    const world = await loadedWorld({ readings, people: CROWD });
    expect(saidOf(await world.sync({ full: true }))).toMatchObject([
      { level: 'info', fields: { namesPerQuery: 37 } },
    ]);
    const next = await world.sync({ full: true });
    expect([next.exitCode, next.changing, questions(next)]).toEqual([0, [], 4]);
    expect(saidOf(next)).toEqual([]);
  });
});

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3')],
  people: [person('1'), person('2', { positions: [at('u3')] })],
};
const down = (): Promise<never> => Promise.reject(new ServiceError('no answer to this one'));

async function withoutUnit(): Promise<World> {
  const world = await loadedWorld(COMPANY);
  world.change(({ people }) => ({
    units: COMPANY.units.slice(0, 2).filter(({ id }) => id !== 'u2'),
    people: people.map((one) => ('username' in one ? { ...one, positions: [at('u1')] } : one)),
  }));
  return world;
}

test('a node whose view never comes waits, named, and the other one goes', async () => {
  const world = await withoutUnit();
  const { id } = world.organization('u2');
  const ran = await world.sync({
    through: (service: Service) => ({
      ...service,
      contents: (orgId, signal) => (orgId === id ? down() : service.contents(orgId, signal)),
    }),
  });
  expect([ran.exitCode, ran.error, ran.changing.at(-1)]).toEqual([4, '', 'deleteOrganization']);
  expect(ran.listed).toEqual(['u2: waits to be removed, still there: unknown (no answer to this one)']);
  expect((await world.sync()).listed).toEqual([]);
});

test('a service that is down ends the run', async () => {
  const world = await withoutUnit();
  let isDown = false;
  const ran = await world.sync({
    through: (service: Service) => ({
      ...service,
      contents: () => {
        isDown = true;
        return down();
      },
      root: (signal) => (isDown ? down() : service.root(signal)),
    }),
  });
  expect([ran.exitCode, ran.error]).toEqual([1, 'no answer to this one']);
});

test('children who keep a node are named', async () => {
  const world = await withoutUnit();
  world.sandbox.edit.addOrganization(world.organization('u2').id, 'Guests');
  const ran = await world.sync();
  expect(ran.listed.join()).toMatch(/u2: waits to be removed, still there: units Guests \(\d+\)$/u);
  const { plan } = await world.plan();
  expect([plan?.flowing, plan?.counts.units.remove, plan?.occupied[0]?.reason]).toEqual([
    0,
    0,
    expect.stringMatching(/still there: units Guests/u),
  ]);
});

/** A source whose people change in the first reads, after all of them came. */
function changing(
  source: Source,
  { times, isPassing }: { readonly times: number; readonly isPassing: boolean },
) {
  let opened = 0;
  const open = async (signal: AbortSignal): Promise<SourceRead> => {
    const read = await source.open(signal);
    opened += 1;
    if (opened > times) return read;
    async function* people(): ReturnType<SourceRead['people']> {
      yield* read.people();
      throw new SourceError('the list changed while it was read', { isPassing });
    }
    return { ...bound(read), people };
  };
  return { source: Object.assign(Object.create(source) as Source, { open }), opened: () => opened };
}

const bound = (read: SourceRead): SourceRead => ({
  units: () => read.units(),
  positions: () => read.positions(),
  people: () => read.people(),
  marks: () => read.marks(),
  evidence: () => read.evidence(),

  close: () => read.close(),
});

describe('a source that changes while it is read', () => {
  test.each([
    ['once is read again, and the run goes on', { times: 1, isPassing: true }, 2, 0],
    ['twice is incomplete', { times: 2, isPassing: true }, 2, 1],
    ['for good is incomplete at once', { times: 1, isPassing: false }, 1, 1],
  ])('%s', async (_, change, opened, exitCode) => {
    const world = await openWorld();
    const other = changing(world.source, change);
    const ran = await world.sync({ from: () => other.source });
    expect([other.opened(), ran.exitCode]).toEqual([opened, exitCode]);
    expect(ran.error).toMatch(exitCode === 0 ? /^$/u : /changed while it was read/u);
    expect(ran.changing.length > 0).toBe(exitCode === 0);
    expect(world.state().people).toHaveLength(exitCode === 0 ? 3 : 0);
    expect((await world.sync()).exitCode).toBe(0);
    expect((await world.sync()).changing).toEqual([]);
  });
});
