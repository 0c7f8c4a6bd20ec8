import { expect, test } from 'vitest';
import { aboutTripped } from '../../src/plan/words/describe-held.ts';
import type { Tripped } from '../../src/plan/changes/guards.ts';

const tripped = (guard: Tripped['guard'], count: number, base: number): Tripped => {
  const of = { base, percent: 0, approved: 0, applied: 0 };
  return { guard, bucket: `${guard} person`, count, limit: 0, of };
};

test.each<readonly [Tripped, string]>([
  [
    tripped('usernameReuse', 33, 32),
    '33 people come with a username that is known under another id, or with the id of a leaver: approve only what is the same person',
  ],
  [
    tripped('usernameReuse', 1, 32),
    '1 person comes with a username that is known under another id, or with the id of a leaver: approve only what is the same person',
  ],
  [tripped('gone', 5, 3), '5 people vanished from the service'],
  [tripped('leavers', 5, 32), '5 of 32 people would leave'],
])('a guard says numbers that can be: %#', (group, words) => {
  expect(aboutTripped(group)).toBe(words);
});
