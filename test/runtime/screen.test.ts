import { expect, it, test } from 'vitest';
import { prettyLine } from '../../src/runtime/logger.ts';
import { columnsOf, createScreen, fold, guardLine } from '../../src/runtime/screen.ts';

it('leaves a line that fits', () => {
  expect(fold('  one two', 9)).toEqual(['  one two']);
});

it('folds at blanks and indents what follows', () => {
  expect(fold('  one two three four five', 24)).toEqual(['  one two three four', '      five']);
});

it('lets the branches of a tree go on, and hangs text below its own beginning', () => {
  expect(fold('  + │  ├─ Sales East and all', 24)).toEqual(['  + │  ├─ Sales East and', '    │  │      all']);
  expect(fold({ head: 'ledger    ', text: 'managed, employee id 7, read' }, 32)).toEqual([
    'ledger    managed, employee id',
    '          7, read',
  ]);
});

it('does not part a word or a command, however long', () => {
  const command = 'rollcall sync --approve 3f2a9c0d1e2f';
  expect(fold(`Release them with: ${command}`, 30)).toEqual(['Release them with:', `    ${command}`]);
  expect(fold(`held until released: ${command}, or not`, 58)).toEqual([
    `held until released: ${command},`,
    '    or not',
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

const ATTACK = 'a\u001B[2J\u001B]0;title\u0007\u009B31m\u202Eb\u200Bc\rd\ne\u2028\u2800f\u001B[8mg';
const SHOWN = String.raw`a\x1b[2J\x1b]0;title\x07\x9b31m\u202eb\u200bc\rd\ne\u2028\u2800f\x1b[8mg`;

test('below every line is a net: what forgot to ask for escapes gets them, colours of ours stay', () => {
  expect(guardLine(`\u001B[1m\u001B[31mHELD\u001B[39m\u001B[22m ${ATTACK}`)).toBe(
    `\u001B[1m\u001B[31mHELD\u001B[39m\u001B[22m ${SHOWN}`,
  );
});

test('a line that is printed is one line, also with a line break in it, and has the colours of its tones', () => {
  let text = '';
  const screen = createScreen({ isTTY: true, columns: 500, write: (more) => (text += more) }, {});
  const tones = [
    'joins',
    'changes',
    'leaves',
    'adopted',
    'moves',
    'alarm',
    'care',
    'fine',
    'strong',
    'quiet',
  ] as const;
  const painted = tones.map((tone) => screen.paint(tone, tone)).join(' ');
  screen.print([`  ${ATTACK}`, { head: 'head  ', text: ATTACK }, painted]);
  expect(text).toBe(`  ${SHOWN}\nhead  ${SHOWN}\n${painted}\n`);
  expect(painted).toContain('\u001B[');
});

test('a line of the log on a terminal is one line, short, and steers nothing', () => {
  const json = JSON.stringify({
    time: 0,
    level: 'info',
    msg: `m ${ATTACK}`,
    [ATTACK]: 1,
    bare: '\u202Ea\u200B',
    text: `${ATTACK} b`,
    long: 'x'.repeat(1_048_576),
    list: Array.from({ length: 10_000 }, () => '\u202E'),
    deep: { list: [{ long: 'y'.repeat(1_048_576) }] },
  });
  const line = prettyLine(json, false);
  expect(line).toMatch(/^\P{C}+$/u);
  expect(line).not.toMatch(/\p{Zl}|\p{Zp}/u);
  expect(line).toContain(String.raw`bare=\u202ea\u200b `);
  expect(line).toContain('x… (1,048,576 characters)');
  expect(line).toContain('y… (1,048,576 characters)');
  expect(line).toContain('… 9,990 more]');
  expect(line.length).toBeLessThan(4_000);
});
