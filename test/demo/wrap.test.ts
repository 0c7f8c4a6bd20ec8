import { expect, it } from 'vitest';
import { wrap } from '../../src/demo/narrator.ts';

it('leaves a line that fits', () => {
  expect(wrap('  one two', 9)).toEqual(['  one two']);
});

it('folds at blanks and indents what follows', () => {
  expect(wrap('  one two three', 9)).toEqual(['  one two', '      three']);
});

it('does not break a word, however long', () => {
  expect(wrap('one twothreefour five', 8)).toEqual(['one', '    twothreefour', '    five']);
});

it('counts two columns for a Chinese character and none for a colour', () => {
  expect(wrap('客户 客户', 9)).toEqual(['客户 客户']);
  expect(wrap('客户 客户', 8)).toEqual(['客户', '    客户']);
  expect(wrap('\u001B[32mone\u001B[39m two', 7)).toEqual(['\u001B[32mone\u001B[39m two']);
});
