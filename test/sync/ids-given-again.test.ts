import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import { at, openWorld, person, unit, type World } from './world.ts';

const IDS = ['1', '2', '3', '4', '5', '6'];
const UNITS = [unit('a'), unit('b')];
const who = (id: string): Person => person(id, { positions: [at(Number(id) % 2 === 0 ? 'a' : 'b')] });
const COMPANY = { units: UNITS, people: IDS.map((id) => who(id)) };

/** The person with another one's number. */
const numbered = (id: string, one: Person): Person => ({ ...one, id });

const accounts = (world: World): readonly string[] => world.state().people;

describe('a source that gives ids again', () => {
  test.each([
    [
      'to the next one, since one has left',
      IDS.slice(0, -1).map((id, index) => numbered(id, who(IDS[index + 1] ?? ''))),
    ],
    [
      'to two who swap them',
      [numbered('1', who('2')), numbered('2', who('1')), ...IDS.slice(2).map((id) => who(id))],
    ],
    ['to all, going round', IDS.map((id, index) => numbered(id, who(IDS[(index + 1) % IDS.length] ?? '')))],
  ])('%s: makes nobody somebody else, locks nobody, and is named', async (_, people) => {
    const world = await openWorld(COMPANY);
    await world.sync();
    const before = accounts(world);
    world.change(() => ({ people }));
    for (const full of [false, true, false, false]) {
      world.minutes(15);
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.changing]).toEqual([4, []]);
      expect(ran.listed.join('\n')).toMatch(/1: its record has the username l2 and the name of source id 2/u);
    }
    expect(accounts(world)).toEqual(before);
    world.change(() => COMPANY);
    const back = await world.sync();
    expect([back.exitCode, back.listed, back.changing]).toEqual([0, [], []]);
  });

  test('in a record that says "left": the account of who had that id stays', async () => {
    const world = await openWorld(COMPANY);
    await world.sync();
    const people = [{ ...numbered('1', who('2')), active: false }, ...IDS.slice(2).map((id) => who(id))];
    world.change(() => ({ people }));
    await world.sync();
    expect(world.employee('l1').locked).toBe(false);
  });

  test('is no reason to ask where a colleague of another name gets the login of a leaver', async () => {
    const world = await openWorld(COMPANY);
    await world.sync();
    world.change(() => ({
      people: [{ ...who('1'), username: 'l2' }, ...IDS.slice(2).map((id) => who(id))],
    }));
    for (let run = 0; run < 3; run += 1) {
      world.minutes(15);
      await world.sync();
    }
    expect([world.employee('l1').locked, world.employee('l2').locked]).toEqual([false, true]);
  });

  test('is put right by moving the ledger away: accounts are known by their usernames', async () => {
    const world = await openWorld(COMPANY);
    await world.sync();
    const before = accounts(world);
    const people = [numbered('1', who('2')), numbered('2', who('1')), ...IDS.slice(2).map((id) => who(id))];
    world.change(() => ({ people }));
    world.loseLedger();
    const ran = await world.sync();
    expect([ran.exitCode, accounts(world)]).toEqual([0, before]);
  });
});
