import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, textOf } from './page.ts';

const [ENGLISH, CHINESE] = ['README.md', 'docs/zh/README.md'] as const;

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(({ groups }) => groups?.['it'] ?? '');
const commandsOf = (page: string): readonly string[] =>
  found(readFileSync(join(ROOT, page), 'utf8'), /^ *```sh\n(?<it>.*?)^ *```/gmsu);
/** The text that is read: without the addresses of links. */
const readOf = (page: string): string => textOf(page).replaceAll(/\]\([^)]*\)/gu, ']');
/** Rows of the last tables, promises and points of the list, by how many there are. */
const rowsOf = (page: string): readonly number[] =>
  readOf(page)
    .split(/^## /mu)
    .filter((section) => !/^(?:Words|Quick start|快速上手)\n/u.test(section))
    .map((section) => found(section, /^(?<it>\||- \*\*|\d+\. \*\*)/gmu).length);

test('the Chinese front door has the commands of the English one, in their order', () => {
  expect(commandsOf(CHINESE)).toEqual(commandsOf(ENGLISH));
});

test('the Chinese front door has as many sources, promises, jobs, exit codes and troubles', () => {
  const rows = rowsOf(CHINESE);
  expect(rows.filter((count) => count > 0)).toEqual(rowsOf(ENGLISH).filter((count) => count > 0));
});

test.each([
  ['words to type', /(?<!`)`(?<it>[^`\n]+)`/gu],
  ['numbers', /(?<![\w.])(?<it>\d+(?:\.\d+)*)(?![\w.]*\w)/gu],
  ['words of the program', /"(?<it>[a-z ]+)"/gu],
])('the Chinese front door has the %s of the English one', (_, pattern) => {
  const [chinese, english] = [found(readOf(CHINESE), pattern), found(readOf(ENGLISH), pattern)];
  expect(chinese.length).toBeGreaterThan(3);
  expect(chinese.filter((one) => !english.includes(one))).toEqual([]);
});

test('the Chinese front door has the exit codes in their order', () => {
  const [chinese, english] = [CHINESE, ENGLISH].map((page) => found(readOf(page), /^\| (?<it>\d) +\|/gmu));
  expect(chinese).toEqual(english);
});
