import { describe, expect, test } from 'vitest';
import type { Held } from '../../src/domain/changes.ts';
import { compose } from '../../src/notify/compose.ts';

const HELD: Held = {
  guard: 'leavers',
  hash: '0123456789ab',
  count: 12,
  limit: 5,
  first: Array.from({ length: 10 }, (_, index) => `user${index} (${index})`),
  about: '',
  cause: 'All 12 have an email at old.example; none of the 84 others does',
};
const text = (message: ReturnType<typeof compose>): string =>
  message.type === 'text' ? message.content : JSON.stringify(message);

describe('a message', () => {
  test('names the guard, the numbers, the first ten, and how to release them', () => {
    const lines = text(compose({ on: 'held', held: [HELD], isReminder: false }, { language: 'en' })).split(
      '\n',
    );
    expect(lines).toEqual([
      'rollcall holds changes',
      'Leavers: 12, allowed without approval: 5',
      HELD.cause,
      ...HELD.first.map((name) => `- ${name}`),
      'and 2 more',
      'to release them: rollcall sync --approve 0123456789ab',
      'More: rollcall status',
    ]);
  });

  test('has no mail address, no phone number, and nothing that steers a terminal', () => {
    const first = ['eve@example.com (7)', 'bob\u001B[2J (+49 151 7654321)', '\u202Egnp'];
    const said = text(
      compose({ on: 'held', held: [{ ...HELD, first }], isReminder: true }, { language: 'en' }),
    );
    expect(said).toContain('eve@… (7)');
    for (const word of ['example.com', '7654321', '\u001B', '\u202E']) expect(said).not.toContain(word);
    expect(said).toMatch(/ \(still\)$/mu);
  });

  test('is short, and in Chinese where that is wanted', () => {
    const notice = { on: 'failed', failures: 3, error: 'x'.repeat(1_000), isReminder: false } as const;
    const message = text(compose(notice, { language: 'zh' }));
    expect(message).toMatch(/^rollcall 无法运行$/mu);
    expect(message.length).toBeLessThan(600);
  });
});
