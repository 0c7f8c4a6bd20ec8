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
    recovered: ({ from, isWell }) =>
      isWell
        ? 'rollcall is well again'
        : from === 'failed'
          ? 'rollcall runs again'
          : 'rollcall: no record fails any more',
    changes: () => 'rollcall: what changed',
  },
  heldLine: ({ count, limit }, guard) => `${guard}: ${count}, allowed without approval: ${limit}`,
  release: (hash) => `to release them: rollcall sync --approve ${hash}`,
  releaseByReply: (hash) => `or answer: approve ${hash}`,
  answers: {
    stranger: 'Only active accounts that the administrator has listed can release changes. Nothing was done.',
    otherDomain: 'Only users of the own domain can release changes. Nothing was done.',
    nothingHeld: 'Nothing is held now.',
    howTo: 'To release what is held, answer:',
    unknown: (hash) => `Nothing is held under ${hash}, so nothing was released.`,
    again: (before) => `${before} has released it already; a run is on its way.`,
    taken: (count) =>
      `Taken: ${counted(count, 'change is', 'changes are')} released by a run that begins now.`,
    own: (hash) =>
      `Your own account is among the changes held under ${hash}: another approver has to release them. Nothing was done.`,
    repeated: 'This answer was taken before. Nothing was done.',
    busy: 'The ledger is in use at this moment, so nothing was noted. Please answer again in a minute.',
    gone: (hash) => `Nothing is held under ${hash} any more, so there was nothing to release.`,
    done: (hash) => `Done: what was held under ${hash} is released.`,
    partly: (hash, left, of) =>
      `What was held under ${hash} is released; ${left} of ${counted(of, 'change', 'changes')} not done yet.`,
  },
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
    still: 'Something is still held, or fails.',
  },
  digest: ({ joined, left, moved, updated }) => [
    `joined: ${joined}`,
    `left: ${left}`,
    `moved: ${moved}`,
    `otherwise updated: ${updated}`,
  ],
  done: { joined: 'joined', left: 'left', moved: 'moved' },
  more: 'More: rollcall status',
};
