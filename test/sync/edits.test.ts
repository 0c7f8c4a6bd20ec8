import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { but } from '../doubles/service-parts.ts';
import { showing } from '../doubles/showing.ts';
import { NO_GUARD } from '../plan/build.ts';
import {
  at,
  having,
  inactive,
  loadedWorld,
  ofUnits,
  openWorld,
  person,
  SMALL,
  unit,
  withFields,
  without,
  type Ran,
  type World,
} from './world.ts';

const DAY = 1_440;
const crowd = (size: number) => Array.from({ length: size }, (_, index) => person(String(index + 1)));
const driftOf = ({ lines }: Ran) =>
  lines.flatMap(({ fields }) => (fields['event'] === 'drift.found' ? [String(fields['id'])] : []));

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3', 'u1')],
  people: ['1', '2', '3', '4'].map((id) => person(id, { positions: [at('u2')] })),
};
const EDITED = { planned: 'update 1, update u3', listed: '', drift: '1, u3' };

describe('an edit of others is found by the next run', () => {
  const openApart = async (service: number): Promise<World> => {
    const world = await openWorld(COMPANY);
    world.serviceAhead(service);
    await world.run({});
    await world.run({ later: 15 }, { planned: '', drift: '' });
    return world;
  };
  /** Somebody edits a person and a unit, on a node of the service that has a clock of its own. */
  function edit(world: World, [service, node]: readonly [number, number], name: string): void {
    world.serviceAhead(service + node);
    world.sandbox.edit.changeEmployee('l1', { name });
    world.sandbox.edit.changeOrganization(world.organization('u3').id, { name });
    world.serviceAhead(service);
  }

  test('right before and right after a run, the service ten minutes ahead, its node nine more', async () => {
    const world = await openApart(10);
    edit(world, [10, 9], 'After');
    await world.run({ later: 15 }, EDITED);
    await world.run({ later: 15 }, { planned: '', drift: '' });
    world.minutes(15);
    edit(world, [10, 9], 'Before');
    await world.run({}, EDITED);
    await world.rests();
  });

  test.each(['pageOrganizations', 'pageUsers', 'importEmployees'])(
    'made in a run, after its first %s',
    async (operation) => {
      const world = await openApart(10);
      let seen = 0;
      world.sandbox.onCall = (call) => {
        seen += call.operation === operation ? 1 : 0;
        // The call after it: its own answer was given.
        if (seen === 0 || call.operation === operation) return;
        world.sandbox.onCall = undefined;
        edit(world, [10, 9], 'Within');
      };
      const change = having(person('4', { positions: [at('u2')], fields: { name: 'New' } }));
      const during = await world.run({ change, later: 15 });
      const late = await world.run({ later: 15 });
      expect([...driftOf(during), ...driftOf(late)].toSorted()).toEqual(['1', 'u3']);
      await world.rests({ later: 15 });
    },
  );

  test.each([-10, 10])('where our clock is set by %i minutes between two runs', async (step) => {
    const world = await openApart(0);
    edit(world, [0, 0], 'Before');
    world.minutes(step);
    world.serviceAhead(-step);
    await world.run({}, EDITED);
    edit(world, [-step, 0], 'After');
    world.minutes(-step);
    world.serviceAhead(0);
    await world.run({ later: 15 }, EDITED);
    await world.rests({ later: 15 });
  });

  test('right after many were written and read back, each import of which took seconds', async () => {
    const world = await openWorld({ people: crowd(450) });
    const through = but(({ importEmployees }) => ({
      importEmployees: async (...call) => {
        const outcomes = await importEmployees(...call);
        world.minutes(5 / 60);
        return outcomes;
      },
    }));
    await world.run({ through });
    for (const name of ['Once', 'Again']) {
      world.minutes(1);
      world.sandbox.edit.changeEmployee('l7', { name });
      await world.run({ later: 1, through }, { planned: 'update 7' });
    }
    await world.rests();
  });
});

test.each([
  [-10, 'dropAfter'],
  [-10, 'cut'],
  [10, 'dropAfter'],
  [10, 'cut'],
])(
  'the service %i minutes ahead: an import in doubt (%s) is found, and not made twice',
  async (ahead, kind) => {
    const world = await openWorld(COMPANY);
    world.serviceAhead(ahead);
    world.sandbox.setFaults(`seed=1,rate=1,kinds=${kind},ops=importOrganizations,max=1`);
    const { calls } = await world.run({}, { listed: '' });
    expect(calls.filter(({ operation }) => operation === 'organizationBySerial')).toEqual([]);
    await world.rests();
  },
);

type Editing = (world: World) => unknown;
const B = [unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d')];
const IN_B = {
  units: B,
  people: [person('1', { positions: [at('b')] }), person('2', { positions: [at('c')] })],
};
const move =
  (id: string, to: string | null): Editing =>
  ({ sandbox, organization }) =>
    sandbox.edit.changeOrganization(organization(id).id, {
      parentId: to === null ? sandbox.rootId : organization(to).id,
    });

describe('an edit of others is repaired by one run', () => {
  test.each<readonly [string, Editing, string]>([
    ['a field', ({ sandbox }) => sandbox.edit.changeEmployee('l1', { name: 'Edited' }), 'update 1'],
    [
      'a position',
      ({ sandbox }) =>
        sandbox.edit.changeEmployee('l1', { positions: [{ org_id: sandbox.rootId, primary: true }] }),
      'update 1',
    ],
    [
      'the name of a node',
      ({ sandbox, organization }) =>
        sandbox.edit.changeOrganization(organization('c').id, { name: 'Edited' }),
      'update c',
    ],
    [
      'the number of a node, taken away',
      ({ sandbox, organization }) =>
        sandbox.edit.changeOrganization(organization('c').id, { serialNo: undefined }),
      'update c',
    ],
    [
      'the number of a node',
      ({ sandbox, organization }) =>
        sandbox.edit.changeOrganization(organization('c').id, { serialNo: 'X-9' }),
      'update c',
    ],
    ['the place of a node', move('b', 'd'), 'update 1, update 2, move b, move c'],
    ['the place of a node, at the root', move('b', null), 'update 1, update 2, move b, move c'],
  ])('%s', async (_, edit, planned) => {
    const world = await loadedWorld(IN_B);
    edit(world);
    expect(driftOf(await world.run({}, { planned }))).not.toEqual([]);
    await world.rests();
  });

  test('three times in seven days, then reported and left, and set back again a week later', async () => {
    const world = await loadedWorld();
    const edit = (): unknown => world.sandbox.edit.changeEmployee('l1', { name: 'Nickname' });
    for (const sent of ['importEmployees', 'importEmployees', 'importEmployees']) {
      edit();
      await world.run({ later: 60 }, { sent });
    }
    edit();
    const ran = await world.run({ later: 60 }, { exit: 4, sent: '', listed: '1 editedAgain' });
    const reported = ran.lines.filter(({ fields }) => fields['event'] === 'drift.found');
    expect(reported).toMatchObject([{ fields: { action: 'reported', id: '1', fields: ['name'] } }]);
    await world.run({ later: 8 * DAY }, { sent: 'importEmployees' });
    await world.rests();
  });
});

test('an edit is counted by every plan while it is only reported, units too, and is no failure', async () => {
  const world = await loadedWorld({ sync: { drift: 'report' } });
  const counts = ({ plan }: Ran) => [plan?.edited.units, plan?.edited.people, plan?.kept.length];
  expect(counts(await world.plan())).toEqual([0, 0, 0]);
  world.sandbox.edit.changeEmployee('l1', { name: 'Other' });
  world.sandbox.edit.changeOrganization(world.organization('u1').id, { name: 'Other' });
  for (const full of [false, true, false]) {
    const ran = await world.run({ full }, { sent: '' });
    expect(counts(ran)).toEqual([1, 1, 0]);
    expect(ran.plan?.edited.first.map(({ subject, id }) => `${subject} ${id}`)).toEqual([
      'unit u1',
      'person 1',
    ]);
  }
  world.configure({ drift: 'repair' });
  expect(counts(await world.sync())).toEqual([0, 0, 0]);
});

test.each([true, false])(
  'an edit of an account that was disabled is listed with what lets the person in again (unlocked: %s)',
  async (isUnlocked) => {
    const world = await loadedWorld();
    await world.run(inactive('1'));
    world.sandbox.edit.changeEmployee('l1', { name: 'Nickname' });
    if (isUnlocked) world.sandbox.edit.unlockEmployee('l1');
    const planned = `${isUnlocked ? 'update' : 'enable'} 1`;
    const ran = await world.run({ change: having(SMALL.people[0]), full: true }, { planned });
    expect([ran.fields('1'), ran.done.at(-1)?.fields]).toEqual([
      ['name'],
      [{ field: 'name', from: 'Nickname', to: 'Name 1' }],
    ]);
    await world.rests({ later: 1 });
  },
);

test.each(['tag_names', 'email'])(
  'a field that lists no longer show, of anybody, was emptied by nobody: %s',
  async (field) => {
    const guard = { ...NO_GUARD, updates: { percent: 0, count: 0 } };
    const world = await openWorld({ sync: { guard } });
    await world.run(withFields({ email: 'a@example.com', tag_names: { Staff: ['VIP'] } }));
    const through: NonNullable<Parameters<World['sync']>[0]>['through'] = (service) =>
      showing(service, (one) => ({
        ...one,
        fields: { ...one.fields, [field]: undefined } as typeof one.fields,
      }));
    const ran = await world.run({ later: 15, full: true, through }, { planned: '' });
    expect(ran.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { field } }]);
    await world.run({ later: 15, full: true, through }, { planned: '' });
  },
);

test('an account that others made between the write and the reading back is not ours, and waits as adopted', async () => {
  const guard: SyncSettings['guard'] = { ...NO_GUARD, adopted: { percent: 0, count: 0 } };
  const world = await loadedWorld({ sync: { guard } });
  const through = but(({ importEmployees }) => ({
    importEmployees: async (...call) => {
      const outcomes = await importEmployees(...call);
      const [place] = world.employee('l1').positions;
      world.sandbox.edit.removeEmployee('l1');
      const positions = [{ org_id: place?.orgId }];
      world.sandbox.edit.addEmployee({ username: 'l1', name: 'Stranger', positions });
      return outcomes;
    },
  }));
  const change = having(person('1', { fields: { mobile: '123' } }));
  await world.run({ change, later: 1, through }, { exit: 4, listed: '1 unlisted' });
  await world.run({ later: 60, full: true }, { exit: 3, sent: '', held: 'adopted 1/0' });
  world.change(without('1'));
  for (let run = 0; run < 4; run += 1) await world.sync({ later: 60 });
  expect(world.employee('l1')).toMatchObject({ name: 'Stranger', locked: false });
});

describe('a record that is shown exactly as before its change', () => {
  const NODE = but({ modifyOrganization: () => Promise.resolve() });
  /** Takes imports of person 1 for done, and does nothing. */
  const ACCOUNT = but(({ importEmployees }) => ({
    importEmployees: async (bodies, signal) => {
      const sent = bodies.filter(({ username }) => username !== 'l1');
      const outcomes = sent.length === 0 ? [] : await importEmployees(sent, signal);
      return bodies.map((body) => outcomes[sent.indexOf(body)] ?? { outcome: 'done', value: '' });
    },
  }));
  const renamed = ofUnits(unit('u1', null, { name: 'New' }), unit('u2', 'u1'));

  test.each([
    ['a node', NODE, renamed, 'u1 asBefore', 'update u1'],
    ['an account, renamed', ACCOUNT, withFields((id) => ({ name: `New ${id}` })), '1 asBefore', 'update 1'],
    [
      'an account, placed',
      ACCOUNT,
      having(person('1', { fields: { email: 'old@b.c' }, positions: [at('u1'), at('u2')] })),
      '1 asBefore',
      'update 1',
    ],
  ])(
    'was not changed: %s fails, and is changed by the next run',
    async (...[, through, change, listed, planned]) => {
      const world = await loadedWorld({
        people: SMALL.people.map((one) => ({ ...one, fields: { ...one.fields, email: 'old@b.c' } })),
      });
      await world.run({ change, later: 1, through }, { exit: 4, listed });
      await world.run({ later: 1 }, { planned, listed: '' });
      await world.rests({ later: 1 });
    },
  );

  test.each([
    ['a node', NODE, renamed],
    ['an account', ACCOUNT, having(person('1', { fields: { name: 'New' } }))],
  ])(
    'is kept so by the service if it is after a second change too: %s is not written again and again',
    async (_, through, change) => {
      const world = await loadedWorld();
      await world.run({ change, later: 1, through }, { exit: 4 });
      await world.run({ later: 1, through }, { listed: '' });
      await world.isSilent({ later: 1 });
    },
  );
});
