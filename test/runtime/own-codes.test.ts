import { expect, test } from 'vitest';
import { barText, ProgressBar } from '../../src/runtime/progress.ts';
import { createScreen, guardLine, guardText } from '../../src/runtime/screen.ts';
import { prettyLine } from '../../src/runtime/logger.ts';

const ATTACK = 'a\u001B[2J\u001B]0;title\u0007\u009B31m\u202Eb\u200Bc\rd\ne\u2028\u2800f\u001B[8mg';
const SHOWN = String.raw`a\x1b[2J\x1b]0;title\x07\x9b31m\u202eb\u200bc\rd\ne\u2028\u2800f\x1b[8mg`;

test('below every line is a net: what forgot to ask for escapes gets them, colours of ours stay', () => {
  expect(guardLine(`\u001B[1m\u001B[31mHELD\u001B[39m\u001B[22m ${ATTACK}`)).toBe(
    `\u001B[1m\u001B[31mHELD\u001B[39m\u001B[22m ${SHOWN}`,
  );
  expect(guardText('one\ntwo\u001B[5m')).toBe('one\ntwo\\x1b[5m');
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

test('the bar writes nothing of others', () => {
  const written: string[] = [];
  const bar = new ProgressBar({ columns: 200, write: (text) => written.push(text) });
  const progress = { done: 1, total: null, ratePerSecond: 1, etaSeconds: null };
  bar.show({ ...progress, phase: ATTACK as 'apply' });
  expect(written).toEqual([`\r\u001B[K${SHOWN}${barText({ ...progress, phase: 'apply' }).slice(7)}`]);
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
