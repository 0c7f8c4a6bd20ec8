import { describe, expect, test } from 'vitest';
import { openWorld, person, refusal, SMALL, type World } from './world.ts';

/** The rows that HR keeps of people who have left: anonymised, or beside the row of who came back. */
const others = SMALL.people.filter(({ id }) => id !== '3');
const left = person('3', { active: false });
const back = person('3b', { username: 'l3', fields: { name: 'Back' } });

describe('a leaver whose record cannot be used otherwise, with an account that nobody manages', () => {
  const nameless = { ...refusal('person', '9', 'name'), label: 'l9', active: false };

  async function loaded(): Promise<World> {
    const world = await openWorld({ people: [...SMALL.people, nameless] });
    const { edit, rootId } = world.sandbox;
    edit.addEmployee({ username: 'l9', name: 'Nine', positions: [{ org_id: rootId }] });
    return world;
  }

  test('is adopted and disabled, as with a name', async () => {
    const world = await loaded();
    const ran = await world.sync();
    expect([ran.exitCode, world.employee('l9').locked]).toEqual([0, true]);
    const next = await world.sync({ later: 15, full: true });
    expect([next.exitCode, next.changing]).toEqual([0, []]);
  });
});

describe('who comes back under a new id while the row of the leaver stays', () => {
  test('and is in the source with both from the beginning: the active one', async () => {
    const world = await openWorld({ people: [...others, left, back] });
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed, world.employee('l3').name]).toEqual([0, [], 'Back']);
    const next = await world.sync({ later: 15, full: true });
    expect([next.exitCode, next.listed, next.changing]).toEqual([0, [], []]);
  });
});
