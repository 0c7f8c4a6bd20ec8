import type { Language } from './language.ts';

const again = (title: string, isReminder: boolean): string => (isReminder ? `${title} (still)` : title);
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const ENGLISH: Language = {
  guards: {
    leavers: 'leavers',
    joiners: 'joiners',
    updates: 'updates',
    emptied: 'values that turn empty',
    unitsRemoved: 'units that go',
    unitsMoved: 'units that move',
    gone: 'records that are gone in the service',
    lost: 'fields that a write would clear',
    source: 'another source',
    adopted: 'accounts that were there before',
    usernameReuse: 'usernames of other people',
  },
  title: {
    held: ({ isReminder }) => again('rollcall holds changes', isReminder),
    failed: ({ isReminder }) => again('rollcall cannot run', isReminder),
    partial: ({ isReminder }) => again('rollcall: some records fail', isReminder),
    recovered: () => 'rollcall is well again',
    changes: () => 'rollcall: what changed',
  },
  heldLine: ({ count, limit }, guard) => `${guard}: ${count}, allowed without approval: ${limit}`,
  release: (hash) => `to release them: rollcall sync --approve ${hash}`,
  andMore: (count) => `and ${count} more`,
  failed: ({ failures, error }) => [`${failures} runs failed one after the other. The last one:`, error],
  partial: ({ failed, blocked, leaversInside }) => [
    ...(leaversInside > 0
      ? [`${counted(leaversInside, 'person has', 'people have')} left and can still get in`]
      : []),
    ...(failed > 0 ? [`${counted(failed, 'record', 'records')} failed`] : []),
    ...(blocked > 0 ? [counted(blocked, 'record waits', 'records wait')] : []),
  ],
  recovered: {
    failed: 'The last run did what it should.',
    held: 'Nothing is held any more.',
    partial: 'No record fails any more, and nobody who has left is inside.',
  },
  digest: ({ joined, left, moved, updated }) => [
    `joined: ${joined}`,
    `left: ${left}`,
    `units moved: ${moved}`,
    `updated: ${updated}`,
  ],
  more: 'More: rollcall status',
};
