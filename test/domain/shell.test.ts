import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellQuoted, shellWord } from '../../src/domain/text/shell.ts';

const typed = (word: string): string => execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' });

test.each(["O'Brien", "it's 'quoted'", 'two words', '$HOME `id` \\ "x"', '名字', 'a/b.c:d@e_f-g', '*', ''])(
  'a shell reads %j as it is',
  (value) => {
    expect([typed(shellWord(value)), typed(shellQuoted(value))]).toEqual([value, value]);
  },
);

test('what needs no quotes has none', () => {
  expect([shellWord('ann.lee@example.com'), shellWord('ann lee')]).toEqual([
    'ann.lee@example.com',
    "'ann lee'",
  ]);
});
