import { describe, expect, test } from 'vitest';
import type { Held } from '../../src/domain/changes.ts';
import type { HistoryEntry } from '../../src/domain/ports/history.ts';
import type { Digest, NotifyBook } from '../../src/domain/ports/ledger/ledger-facts.ts';
import { NOTIFY_ON, type NotifyOn } from '../../src/domain/settings.ts';
import { compose } from '../../src/notify/compose.ts';
import { LANGUAGES } from '../../src/notify/languages.ts';
import {
  counted,
  decideNotices,
  digestOf,
  emptyBook,
  NOTHING_KNOWN,
  type Notice,
  type Outcome,
} from '../../src/notify/notices.ts';

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
const NOTHING: Digest = { joined: 0, left: 0, moved: 0, updated: 0, named: [] };

function outcome(at: number, parts: Partial<Outcome> = {}): Outcome {
  const none = {
    ...NOTHING_KNOWN,
    reported: null,
    daemons: { otherDaemons: 0, reloadRefused: null },
    appliedSince: () => NOTHING,
  };
  return { at, result: 'ok', error: '', ...none, ...parts };
}

/** Runs one after the other; each notice was told. Returns what was told, run by run. */
function told(runs: readonly Outcome[], on: readonly NotifyOn[] = NOTIFY_ON): readonly (readonly Notice[])[] {
  let book: NotifyBook = emptyBook(START);
  return runs.map((run) => {
    book = counted(book, run);
    const notices = decideNotices(book, run, { on });
    for (const { after } of notices) book = after(book);
    return notices.map(({ notice }) => notice);
  });
}

const names = (runs: readonly (readonly Notice[])[]): readonly (readonly string[])[] =>
  runs.map((notices) =>
    notices.map((notice) => ('isReminder' in notice && notice.isReminder ? `${notice.on} again` : notice.on)),
  );

const at = (hour: number, parts: Partial<Outcome>): Outcome => outcome(START + hour * HOUR, parts);

const fails = (...inTrouble: readonly string[]): Partial<Outcome> => ({
  failed: inTrouble.length,
  inTrouble,
});

describe('what somebody is told', () => {
  test('is what was released and is held anew, also where other things fail all the while', () => {
    const failing = fails('person 1');
    const again = { ...failing, held: [held('h1')] };
    const all = told([at(0, again), at(1, failing), at(2, again), at(3, failing), at(4, {})]);
    expect(names(all)).toEqual([['held', 'partial'], [], ['held'], [], ['recovered']]);
    const others = told([
      at(0, { held: [held('h1'), held('h2')] }),
      at(1, { held: [held('h2')] }),
      at(2, { held: [held('h1'), held('h2')] }),
      at(3, {}),
    ]);
    expect(names(others)).toEqual([['held'], [], ['held'], ['recovered']]);
  });

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

  test('is a digest once a day, of what was applied since the last one', () => {
    const since: number[] = [];
    const busy = { ...NOTHING, joined: 40, updated: 6 };
    const appliedSince = (from: number): Digest => {
      since.push(from);
      return since.length === 1 ? busy : NOTHING;
    };
    const all = told(
      [0, 1, 25, 26, 51].map((hour) => at(hour, { appliedSince })),
      ['changes'],
    );
    expect(all).toEqual([[], [], [{ on: 'changes', since: START, counts: busy }], [], []]);
    expect(since).toEqual([START, START + 25 * HOUR]);
  });

  test('is not that all is well while records fail or somebody who has left is inside', () => {
    const inside = { leaversInside: 7, inTrouble: ['inside 1'], result: 'partial' } as const;
    const all = told([at(0, { held: [held('h1')] }), at(1, inside), at(2, {})]);
    expect(names(all)).toEqual([['held'], ['partial'], ['recovered']]);
    expect(all[2]).toEqual([{ on: 'recovered', from: 'partial', isWell: true }]);
  });

  test('is after failures that it runs again, and not that all is well, where something is held', () => {
    const failed = { result: 'failed', error: 'down' } as const;
    const runs = [at(0, failed), at(1, failed), at(2, failed), at(3, { held: [held('h1')] })];
    expect(told(runs)[3]).toMatchObject([{ on: 'recovered', from: 'failed', isWell: false }, { on: 'held' }]);
  });

  test('is each record that comes to fail, also beside others that fail already', () => {
    const runs = [at(0, fails('person 1')), at(1, fails('person 1')), at(2, fails('person 1', 'inside 2'))];
    expect(names(told([...runs, at(3, fails('person 1', 'inside 2'))]))).toEqual([
      ['partial'],
      [],
      ['partial'],
      [],
    ]);
  });

  test('is not that records fail where a guard alone holds those who have left', () => {
    const waiting = { held: [held('h1')], leaversInside: 12, heldInside: 12, result: 'held' } as const;
    expect(names(told([at(0, waiting)]))).toEqual([['held']]);
  });

  test('is only what was asked for', () => {
    const run = outcome(START, { held: [held('h1')], result: 'held' });
    expect([told([run], ['changes']), names(told([run], ['problems']))]).toEqual([[[]], [['held']]]);
  });
});

function entry(id: string, parts: Partial<HistoryEntry>): HistoryEntry {
  const record = { kind: 'update', fields: [], why: { code: 'new' }, guard: null, approval: null } as const;
  return { n: 1, at: 0, run: 'r', subject: 'person', id, label: `user${id}`, ...record, ...parts };
}

test('what was applied is counted by what it means for people, and the first are named', () => {
  const moved = {
    fields: [{ field: 'positions', from: ['a'], to: ['b'] }],
    places: { before: [{ unit: 'u', fields: {} }], after: [{ unit: 'v', fields: {} }] },
  };
  const done = digestOf([
    entry('1', { kind: 'create' }),
    entry('2', { kind: 'disable' }),
    entry('3', moved),
    entry('3', moved),
    entry('7', moved),
    entry('8', {
      ...moved,
      places: { before: [{ unit: 'u', fields: {} }], after: [{ unit: 'u', fields: { job_title: 'Boss' } }] },
    }),
    entry('4', { fields: [{ field: 'email', from: 'a', to: 'b' }] }),
    entry('5', { subject: 'unit', kind: 'move' }),
    entry('6', { subject: 'unit', kind: 'create' }),
  ]);
  expect(done).toEqual({
    joined: 1,
    left: 1,
    moved: 4,
    updated: 3,
    named: [
      { what: 'joined', name: 'user1 (1)' },
      { what: 'left', name: 'user2 (2)' },
      { what: 'moved', name: 'user3 (3)' },
      { what: 'moved', name: 'user7 (7)' },
      { what: 'moved', name: 'user5 (5)' },
    ],
  });
});

describe('while nothing is sent', () => {
  const counts: Digest = { ...NOTHING, joined: 3, named: [{ what: 'joined', name: 'ann (1)' }] };
  const reported = { counts, held: 1 };

  test('it is said once a day what would have been done, if that is anything', () => {
    const hours = [0, 1, 23, 24, 25].map((hour) => at(hour, { reported }));
    const none = at(49, { reported: { counts: NOTHING, held: 0 } });
    const all = told([...hours, none, at(50, { reported })]);
    expect(names(all)).toEqual([['report'], [], [], ['report'], [], [], ['report']]);
    expect(all[0]).toEqual([{ on: 'report', ...reported, isReportOnly: true }]);
    expect(told(hours, ['problems']).flat()).toEqual([]);
  });

  test('each message says so, and none asks for an answer', () => {
    const [notices] = told([at(0, { reported, held: [held('0123456789ab')] })]);
    for (const language of ['en', 'zh'] as const)
      for (const notice of notices ?? []) {
        const [, second] = contentOf(compose(notice, { language, takesReplies: true }));
        expect(second).toBe(LANGUAGES[language].reportOnly);
        expect(contentOf(compose(notice, { language, takesReplies: true })).join(' ')).not.toMatch(
          /answer|回复/u,
        );
      }
    expect(contentOf(compose({ on: 'report', ...reported, isReportOnly: true }, { language: 'en' }))).toEqual(
      [
        'rollcall: what it would change',
        'Report only (sync.mode: report): nothing is sent.',
        'joined: 3',
        'left: 0',
        'moved: 0',
        'other changes: 0',
        '- joined: ann (1)',
        'and 2 more',
        'held of these: 1',
        'More: rollcall status',
      ],
    );
  });
});

const contentOf = (message: ReturnType<typeof compose>): readonly string[] =>
  message.type === 'text' ? message.content.split('\n') : [];

describe('a second daemon and a reload that was refused', () => {
  const two = { daemons: { otherDaemons: 1, reloadRefused: null } };
  const refused = { daemons: { otherDaemons: 0, reloadRefused: 'x.yaml: sync.cron is no schedule' } };

  test('are said once, again after a day, and anew after they were over; also by a failed run', () => {
    const all = told([
      at(0, two),
      at(1, two),
      at(25, two),
      at(26, {}),
      at(27, { ...two, result: 'failed' }),
      at(28, refused),
    ]);
    expect(names(all)).toEqual([
      ['otherDaemon'],
      [],
      ['otherDaemon again'],
      [],
      ['otherDaemon'],
      ['reloadRefused'],
    ]);
    expect(told([at(0, { ...two, result: 'stopped' })])).toEqual([[]]);
    expect(told([at(0, two)], ['changes'])).toEqual([[]]);
    const [notice] = all[5] ?? [];
    expect(notice && contentOf(compose(notice, { language: 'en' }))).toEqual([
      'rollcall refused its new configuration',
      'The daemon keeps its old configuration. It refused the new one:',
      'x.yaml: sync.cron is no schedule',
      'More: rollcall status',
    ]);
  });
});
