import { describe, expect, test } from 'vitest';
import type { Held } from '../../src/domain/changes.ts';
import type { NotifyBook } from '../../src/domain/records/notify-book.ts';
import { NOTIFY_ON, type NotifyOn } from '../../src/domain/settings.ts';
import { counted, decideNotices } from '../../src/notify/notices/decide.ts';
import { emptyBook, type Notice, type Outcome } from '../../src/notify/notices/outcome.ts';
import { QUIET_END } from '../runtime/run-end.ts';

const HOUR = 3_600_000;
const START = 1_700_000_000_000;
const held = (hash: string): Held => ({
  guard: 'leavers',
  hash,
  count: 12,
  limit: 5,
  first: ['a (1)'],
  about: '',
  cause: null,
});
const NOTHING = { units: QUIET_END.counts.units, people: { ...QUIET_END.counts.people, update: 0 } };

function outcome(at: number, parts: Partial<Outcome> = {}): Outcome {
  const none = { failed: 0, blocked: 0, troubles: [], leaversInside: 0, counts: NOTHING } as const;
  return { at, result: 'ok', error: '', held: [], ...none, ...parts };
}

/** Runs one after the other; each notice was told. Returns what was told, run by run. */
function told(runs: readonly Outcome[], on: readonly NotifyOn[] = NOTIFY_ON): readonly (readonly Notice[])[] {
  let book: NotifyBook = emptyBook(START);
  return runs.map((run) => {
    book = counted(book, run);
    const notices = decideNotices(book, run, { on, remindHours: 24 });
    for (const { after } of notices) book = after(book);
    return notices.map(({ notice }) => notice);
  });
}

const names = (runs: readonly (readonly Notice[])[]): readonly (readonly string[])[] =>
  runs.map((notices) =>
    notices.map((notice) => ('isReminder' in notice && notice.isReminder ? `${notice.on} again` : notice.on)),
  );

const at = (hour: number, parts: Partial<Outcome>): Outcome => outcome(START + hour * HOUR, parts);

describe('what somebody is told', () => {
  test('is what is held, once, and again when more is held or a day has gone by', () => {
    const runs = [0, 1, 2, 30, 31].map((hour) => outcome(START + hour * HOUR, { held: [held('h1')] }));
    runs[2] = outcome(START + 2 * HOUR, { held: [held('h1'), held('h2')] });
    expect(names(told(runs))).toEqual([['held'], [], ['held'], ['held again'], []]);
  });

  test('is a failure from the third one on, and that it is over', () => {
    const failed = { result: 'failed', error: 'the directory is down' } as const;
    const runs = [0, 1, 2, 3, 4, 30].map((hour) => outcome(START + hour * HOUR, failed));
    const all = told([...runs, outcome(START + 31 * HOUR), outcome(START + 32 * HOUR)]);
    expect(names(all)).toEqual([[], [], ['failed'], [], [], ['failed again'], ['recovered'], []]);
    expect(all[2]).toEqual([
      { on: 'failed', error: 'the directory is down', failures: 3, isReminder: false },
    ]);
  });

  test('is nothing of two failures, nor of a run that was stopped between failures', () => {
    const failed = { result: 'failed', error: 'down' } as const;
    expect(names(told([at(0, failed), at(1, failed), at(2, {})]))).toEqual([[], [], []]);
    const stopped = { result: 'stopped' } as const;
    expect(names(told([at(0, failed), at(1, stopped), at(2, failed), at(3, failed)]))[3]).toEqual(['failed']);
  });

  test('is who has left and is inside, once, until it is over', () => {
    const inside = { result: 'partial', leaversInside: 1, troubles: ['bob: refused'] } as const;
    const runs = [outcome(START, inside), outcome(START + HOUR, inside), outcome(START + 2 * HOUR)];
    expect(names(told(runs))).toEqual([['partial'], [], ['recovered']]);
  });

  test('is that nothing is held any more', () => {
    const runs = [outcome(START, { held: [held('h1')] }), outcome(START + HOUR)];
    expect(told(runs)[1]).toEqual([{ on: 'recovered', from: 'held' }]);
  });

  test('is a digest once a day, of what was done and not of what was held', () => {
    const people = { ...NOTHING.people, create: 20, disable: 12, update: 3 };
    const busy = { counts: { ...NOTHING, people }, held: [held('h1')] };
    const all = told(
      [outcome(START, busy), outcome(START + HOUR, busy), outcome(START + 25 * HOUR)],
      ['changes'],
    );
    expect(all).toEqual([
      [],
      [],
      [{ on: 'changes', since: START, counts: { joined: 40, left: 0, moved: 0, updated: 6 } }],
    ]);
  });

  test('is only what was asked for', () => {
    const run = outcome(START, { held: [held('h1')], result: 'held' });
    expect(told([run], ['failed'])).toEqual([[]]);
  });
});
