import { expect } from 'vitest';
import type { Outgoing } from '../../src/notify/channel.ts';

const HELD = {
  guard: 'leavers',
  hash: '7bc54bcfcb86',
  count: 12,
  limit: 5,
  first: ['ann (Ann <ann@example.com>)'],
  about: '',
  cause: null,
} as const;

/** A first message about what is held. */
export const OUTGOING: Outgoing = {
  notice: { on: 'held', held: [HELD], isReminder: false },
  run: '01R',
  at: Date.UTC(2026, 10, 30, 2, 33),
  title: 'rollcall holds changes',
  text: 'rollcall holds changes\nLeavers: 12, allowed without approval: 5\n- ann (<!channel> & 李)',
  page: null,
};

/** Returns why a notice was not sent. */
export const failureOf = async (
  work: Promise<unknown>,
): Promise<{ readonly problem: string; readonly message: string; readonly code: string }> =>
  work.then(
    () => expect.fail('it was sent'),
    (error: unknown) => error as never,
  );
