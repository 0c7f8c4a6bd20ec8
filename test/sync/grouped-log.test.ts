import { expect, test } from 'vitest';
import { at, loadedWorld, person, unit, type Ran } from './world.ts';

const IDS = Array.from({ length: 30 }, (_, index) => `${index + 10}`);

const login = (id: string): string => `l${id}`;
const linesOf = ({ lines }: Ran, event: string) =>
  lines.map(({ fields }) => fields).filter((fields) => fields['event'] === event);

test('a reason of many records is one line, with the number and ten names; a reason of few is a line each', async () => {
  const world = await loadedWorld({ units: [unit('u1')], people: [] });
  const nowhere = IDS.map((id) => person(id, { positions: [at('typo')] }));
  const ran = await world.syncAfter(() => ({ people: nowhere }));
  const many = { event: 'item.blocked', subject: 'person', count: 30, first: IDS.slice(0, 10).map(login) };
  expect(linesOf(ran, 'item.blocked')).toEqual([{ ...many, reason: 'unit "typo" is unknown' }]);
  expect(ran.report.end.blocked).toBe(30);
  const few = await world.syncAfter(() => ({ people: nowhere.slice(0, 10) }));
  expect(linesOf(few, 'item.blocked').map(({ username }) => username)).toEqual(many.first);
});

test('reasons that differ in a name alone are one line with an example', async () => {
  const world = await loadedWorld({ units: [unit('u1')], people: [] });
  const people = IDS.map((id) => person(id, { positions: [at(`typo ${id}`)] }));
  const [line, ...more] = linesOf(await world.syncAfter(() => ({ people })), 'item.blocked');
  expect(line).toMatchObject({
    count: 30,
    reason: 'unit … is unknown',
    example: 'unit "typo 10" is unknown',
  });
  expect(more).toEqual([]);
});
