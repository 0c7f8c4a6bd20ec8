import { expect, it } from 'vitest';
import { columnsOf, createScreen, fold } from '../../src/runtime/screen.ts';

it('leaves a line that fits', () => {
  expect(fold('  one two', 9)).toEqual(['  one two']);
});

it('folds at blanks and indents what follows', () => {
  expect(fold('  one two three four five', 24)).toEqual(['  one two three four', '      five']);
});

it('lets the branches of a tree go on, and hangs text below its own beginning', () => {
  expect(fold('  + │  ├─ Sales East and all', 24)).toEqual(['  + │  ├─ Sales East and', '    │  │      all']);
  expect(fold({ head: 'ledger    ', text: 'managed, employee id 7, read' }, 32)).toEqual([
    'ledger    managed, employee',
    '          id 7, read',
  ]);
});

it('does not part a word, a command or an id, however long', () => {
  const command = 'rollcall sync --approve 3f2a9c0d1e2f';
  expect(fold(`Release them with: ${command}`, 30)).toEqual(['Release them with:', `    ${command}`]);
  expect(fold(`held until released: ${command}, or not`, 58)).toEqual([
    `held until released: ${command},`,
    '    or not',
  ]);
  expect(fold('  - ann.with.a.long.name (1 (was ann)) left', 36)).toEqual([
    '  - ann.with.a.long.name',
    '        (1 (was ann)) left',
  ]);
});

it('parts what a value has made stick together, where the terminal would begin a line with it', () => {
  const forged = `HELD\u00A0by\u00A0nobody`;
  const quoted = `rollcall explain '${'x'.repeat(30)} HELD by nobody'`;
  for (const value of [`${'x'.repeat(20)}\u00A0${forged}`, quoted, `(${'x'.repeat(30)} (HELD by nobody))`])
    for (const line of fold(`  + ann  ${value}`, 30).slice(1)) expect(line).toMatch(/^ {8}\S/u);
  const words = fold(`  + ann  ${'x'.repeat(20)}\u00A0${forged}`, 30);
  expect(words).toEqual(['  + ann  xxxxxxxxxxxxxxxxxxxx', '        HELD by nobody']);
});

it('does not part an id from its name, nor a time; blanks between columns begin no line', () => {
  const text = 'sent 2026-11-20 03:00 UTC   node 123456 gone';
  expect(fold(text, 24)).toEqual(['sent', '    2026-11-20 03:00 UTC', '    node 123456 gone']);
});

it('counts two columns for a Chinese character and none for a colour', () => {
  expect(fold('客户客户客户 客户客户客户', 25)).toEqual(['客户客户客户 客户客户客户']);
  expect(fold('客户客户客户 客户客户客户', 24)).toEqual(['客户客户客户', '    客户客户客户']);
  expect(fold('\u001B[32mone\u001B[39m two', 7)).toEqual(['\u001B[32mone\u001B[39m two']);
});

it('follows the width of the terminal as it is now; a file gets whole lines', () => {
  const written: string[] = [];
  const terminal = { isTTY: true, columns: 24, write: (text: string) => written.push(text) };
  const screen = createScreen(terminal, { NO_COLOR: '1' });
  const text = 'one two three four five six';
  screen.print([text]);
  terminal.columns = 40;
  screen.print([text]);
  expect(written).toEqual(['one two three four five\n', '    six\n', `${text}\n`]);
  expect(columnsOf({ isTTY: true })).toBe(80);
  expect(columnsOf({})).toBe(Number.POSITIVE_INFINITY);
});
