import { expect, it } from 'vitest';
import { DEPARTMENTS } from '../../src/demo/company.ts';
import { planReorganization } from '../../src/demo/reorganization.ts';
import { hireEverybody } from '../../src/demo/workforce.ts';

const { employees, assignments } = hireEverybody();
const distinct = (values: readonly string[]) => new Set(values).size;

it('the company has 40 units on 4 levels, each below one that is there', () => {
  const ids = new Set(DEPARTMENTS.map(({ id }) => id));
  expect(ids.size).toBe(40);
  expect(DEPARTMENTS.filter(({ parent }) => parent !== null && !ids.has(parent))).toEqual([]);
  expect(distinct(DEPARTMENTS.map(({ id }) => String(id.length)))).toBe(4);
});

it('400 people have a number, login, address and mobile of their own', () => {
  expect(employees).toHaveLength(400);
  for (const key of ['number', 'login', 'email', 'mobile'] as const) {
    expect(distinct(employees.map((employee) => employee[key]))).toBe(400);
  }
  expect(employees.filter(({ login }) => !/^[a-z]+\.[a-z]+$/.test(login))).toEqual([]);
});

it('names are Chinese and Latin, some have left, some work in two units', () => {
  expect(employees.filter(({ name }) => /^\p{Script=Han}+$/u.test(name))).toHaveLength(240);
  expect(employees.filter(({ status }) => status === 'left')).toHaveLength(7);
  expect(assignments.filter(({ primary }) => !primary)).toHaveLength(21);
});

it('everybody has one first position, no position twice, and every unit one head who works there', () => {
  expect(assignments.filter(({ primary }) => primary)).toHaveLength(400);
  expect(distinct(assignments.map(({ employee, department }) => `${employee} ${department}`))).toBe(421);
  const heads = assignments.filter(({ head }) => head);
  expect(distinct(heads.map(({ department }) => department))).toBe(40);
  const gone = new Set(employees.filter(({ status }) => status === 'left').map(({ number }) => number));
  expect(heads.filter(({ employee }) => gone.has(employee))).toEqual([]);
});

it('is the same every time', () => {
  expect(hireEverybody()).toEqual({ employees, assignments });
  expect(employees.slice(0, 4).map(({ name, login }) => `${name} ${login}`)).toEqual([
    '王伟 wei.wang',
    '林丽 li.lin',
    '胡涛 tao.hu',
    'Samuel Hansen samuel.hansen',
  ]);
});

it('the reorganization concerns four different people', () => {
  const { mover, founder, leaver, joiner } = planReorganization({ employees, assignments });
  expect(distinct([mover, founder, leaver, joiner].map(({ login }) => login))).toBe(4);
  expect(employees.some(({ login }) => login === joiner.login)).toBe(false);
});
