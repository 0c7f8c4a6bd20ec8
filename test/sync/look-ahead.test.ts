import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ServiceError, SourceError } from '../../src/domain/errors.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import {
  hearing,
  inactive,
  loadedWorld,
  person,
  SMALL,
  type Edit,
  type Ran,
  type SyncOptions,
} from './world.ts';

/** Lets `before` come before the people of each read. */
const beforePeople =
  (before: () => Promise<void> | void) =>
  (source: Source): Source =>
    having(source, {
      open: async (signal) => {
        const read = await source.open(signal);
        return having(read, {
          async *people(...args) {
            await before();
            yield* read.people(...args);
          },
        });
      },
    });

/** The same object with other members; its methods run on the object itself. */
function having<T extends object>(of: T, members: Partial<T>): T {
  return new Proxy(of, {
    get(target, name) {
      const value: unknown = Reflect.get(members, name) ?? Reflect.get(target, name);
      return typeof value === 'function' && !(name in members) ? value.bind(target) : value;
    },
  });
}

interface Gate {
  /** Rejected after a while: what was waited for has not come. */
  readonly opened: Promise<void>;
  readonly open: () => void;
}

const nothing = (): void => undefined;

function gate(): Gate {
  let open = nothing;
  const opened = new Promise<void>((resolve, reject) => {
    const late = setTimeout(reject, 5_000, new Error('waited in vain'));
    open = () => {
      clearTimeout(late);
      resolve();
    };
  });
  return { opened, open };
}

/** A full run whose source gives nobody until the service was asked for somebody. */
function overlapping(asked: (usernames: readonly string[]) => void = nothing): SyncOptions {
  const { open, opened } = gate();
  const through = hearing((usernames) => {
    asked(usernames);
    open();
  });
  return { full: true, from: beforePeople(() => opened), through };
}

/** What the log says of the employees that were asked for. */
const employeesOf = ({ lines }: Ran): unknown =>
  lines.find(({ fields }) => fields['event'] === 'service.refresh')?.fields['employees'];

describe('a full run', () => {
  test('asks for known people while the source is read, and for everybody once', async () => {
    const world = await loadedWorld();
    const hired = person('9');
    world.change(({ people }) => ({ people: [...people, hired] }));
    const asked: string[] = [];
    const ran = await world.sync(overlapping((usernames) => asked.push(...usernames)));
    expect([ran.exitCode, ran.planned]).toEqual([0, ['create person 9']]);
    // The last question is that of the reading back.
    expect(asked).toEqual(['l1', 'l2', 'l3', 'l9', 'l9']);
    expect(employeesOf(ran)).toEqual({ asked: 4, found: 3 });
  });

  test('reports an error of the service after the source was read, and sends nothing', async () => {
    const world = await loadedWorld();
    world.change(inactive('3'));
    const ends = gate();
    const ran = await world.sync({
      full: true,
      from: beforePeople(() => ends.opened),
      through: hearing(() => {
        ends.open();
        throw new ServiceError('the service is down');
      }),
    });
    expect([ran.exitCode, ran.error, ran.changing]).toEqual([1, 'the service is down', []]);
    expect(ran.lines.map(({ fields }) => fields['event'])).toContain('source.read');
    expect((await world.sync({ full: true })).planned).toEqual(['disable person 3']);
  });

  test('asks no more when the source cannot be read, and tells of the source', async () => {
    const world = await loadedWorld();
    const asking = gate();
    let ended = '';
    const ran = await world.sync({
      full: true,
      from: beforePeople(async () => {
        await asking.opened;
        throw new SourceError('the directory is down');
      }),
      through: hearing(async (_, signal) => {
        asking.open();
        const aborted = gate();
        signal.addEventListener('abort', aborted.open);
        await aborted.opened;
        await sleep(50);
        ended = 'before the run';
      }),
    });
    expect([ran.error, ended]).toEqual(['the directory is down', 'before the run']);
    expect((await world.sync({ full: true })).planned).toEqual([]);
  });

  test('asks for everybody after the second read when the source changed while it was read', async () => {
    const world = await loadedWorld();
    world.change(({ people }) => ({ people: [...people, person('9')] }));
    const asked: string[] = [];
    const asking = gate();
    let reads = 0;
    const ran = await world.sync({
      full: true,
      from: beforePeople(async () => {
        reads += 1;
        await asking.opened;
        if (reads === 1) throw new SourceError('half a page', { isPassing: true });
      }),
      through: hearing((usernames) => {
        asked.push(...usernames);
        asking.open();
      }),
    });
    expect([reads, ran.planned]).toEqual([2, ['create person 9']]);
    expect(asked).toEqual(['l1', 'l2', 'l3', 'l1', 'l2', 'l3', 'l9', 'l9']);
    expect(employeesOf(ran)).toEqual({ asked: 4, found: 3 });
  });
});

/** A full run in which somebody edits the service after known people were asked for, and before the source gives anybody. */
function editedMeanwhile(edit: () => void): SyncOptions {
  const { open, opened } = gate();
  return {
    full: true,
    from: beforePeople(async () => {
      await opened;
      edit();
    }),
    through: (service) => ({
      ...service,
      async accountsById(accounts, signal) {
        const answer = await service.accountsById(accounts, signal);
        open();
        return answer;
      },
    }),
  };
}

const renamed: Edit = () => ({
  people: [person('1', { fields: { name: 'Renamed' } }), ...SMALL.people.slice(1)],
});

describe('what others do while a full run reads the source', () => {
  test('is kept by a write: values that are not mapped, and positions that are not ours', async () => {
    const world = await loadedWorld();
    const { edit, rootId } = world.sandbox;
    edit.changeEmployee('l1', { email: 'old@b.c' });
    const project = edit.addOrganization(rootId, 'Project').id;
    const both = [{ org_id: world.organization('u1').id, primary: true }, { org_id: project }];
    world.change(renamed);
    const ran = await world.sync(
      editedMeanwhile(() => void edit.changeEmployee('l1', { email: 'new@b.c', positions: both })),
    );
    expect([ran.exitCode, ran.planned]).toEqual([0, ['update person 1']]);
    expect(world.employee('l1')).toMatchObject({ name: 'Renamed', profile: { email: 'new@b.c' } });
    expect(world.employee('l1').positions.map(({ orgId }) => orgId)).toContain(project);
  });

  test('stands: a lock, also where an import would undo it', async () => {
    const world = await loadedWorld({ readings: ['importEnables'] });
    world.change(renamed);
    const ran = await world.sync(editedMeanwhile(() => void world.sandbox.edit.lockEmployee('l1')));
    expect([ran.exitCode, ran.changing, world.employee('l1').locked]).toEqual([4, [], true]);
    expect(ran.listed.join()).toContain('1: locked in the service by somebody else');
  });

  test('is found by the next run: an account that is gone, though nothing else of its person changed', async () => {
    // More people than a run looks at because they were written last.
    const people = Array.from({ length: 100 }, (_, n) => person(String(100 + n)));
    const world = await loadedWorld({ people, readings: ['usersRemain=off'] });
    world.minutes(60);
    const ran = await world.sync(editedMeanwhile(() => world.sandbox.edit.removeEmployee('l150')));
    expect([ran.exitCode, ran.planned]).toEqual([0, []]);
    expect((await world.sync()).planned).toEqual(['create person 150']);
  });
});

test('a run that reads what changed asks the service after the source was read', async () => {
  const world = await loadedWorld();
  const order: string[] = [];
  await world.sync({
    from: beforePeople(() => void order.push('people')),
    through: (service) => ({
      ...service,
      root: (signal) => {
        order.push('service');
        return service.root(signal);
      },
    }),
  });
  expect(order).toEqual(['people', 'service']);
});
