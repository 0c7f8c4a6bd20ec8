import { expect, it } from 'vitest';
import { DEPARTMENTS, hireEverybody } from '../../src/demo/company.ts';

const employees = hireEverybody();
const distinct = (values: readonly string[]) => new Set(values).size;

it('the company has 40 units on 4 levels, each below one that is there', () => {
  const ids = new Set(DEPARTMENTS.map(({ id }) => id));
  expect(ids.size).toBe(40);
  expect(DEPARTMENTS.filter(({ parent }) => parent !== null && !ids.has(parent))).toEqual([]);
  expect(distinct(DEPARTMENTS.map(({ id }) => String(id.length)))).toBe(4);
});

it('400 people have a number, login and mobile of their own', () => {
  expect(employees).toHaveLength(400);
  for (const key of ['number', 'login', 'mobile'] as const) {
    expect(distinct(employees.map((employee) => employee[key]))).toBe(400);
  }
  expect(employees.filter(({ login }) => !/^[a-z]+\.[a-z]+$/.test(login))).toEqual([]);
});

it('names are Chinese and Latin, some have left, some work in two units', () => {
  expect(employees.filter(({ name }) => /^\p{Script=Han}+$/u.test(name))).toHaveLength(240);
  expect(employees.filter(({ status }) => status === 'left')).toHaveLength(7);
  expect(employees.filter(({ second }) => second !== undefined)).toHaveLength(21);
  expect(employees.filter(({ second, department }) => second === department)).toEqual([]);
});

it('every unit has one head, who is there, and is the same every time', () => {
  const heads = employees.filter(({ isHead }) => isHead);
  expect(distinct(heads.map(({ department }) => department))).toBe(40);
  expect(heads.filter(({ status }) => status === 'left')).toEqual([]);
  expect(employees.slice(0, 4).map(({ name, login }) => `${name} ${login}`)).toEqual([
    '王伟 wei.wang',
    '林丽 li.lin',
    '胡涛 tao.hu',
    'Samuel Hansen samuel.hansen',
  ]);
});
