import { expect, it } from 'vitest';
import { HrDatabase } from '../../src/demo/hr.ts';

const hr = new HrDatabase(':memory:');
const count = (table: string): number => Number(hr.texts(`select count(*) from ${table}`)[0]);

it.each([
  ['units on 4 levels, each below one that is there', 'department', 21],
  ['people with a login and a name of their own', "employee where login glob '[a-z]*.[a-z]*'", 200],
  ['people who left, no head among them', "employee where status = 'left'", 4],
  ['units have one head who is there', 'assignment where is_head', 21],
  ['people work in two units', 'assignment where not is_primary', 10],
])('%s', (_, table, number) => {
  expect(count(table)).toBe(number);
});

it('is the same every time, with Chinese and Latin names', () => {
  expect(hr.texts("select full_name || ' ' || login from employee limit 4")).toEqual([
    '王伟 wei.wang',
    'Anna Müller anna.muller',
    '李芳 fang.li',
    'Jürgen Öberg jurgen.oberg',
  ]);
});
