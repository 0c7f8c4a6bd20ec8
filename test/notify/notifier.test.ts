import { describe, expect, test } from 'vitest';
import { AmbiguousError, NotifyError, RefusedError, ServiceError } from '../../src/domain/errors.ts';
import type { Attachment, Messenger } from '../../src/domain/ports/messenger.ts';
import type { NotifyBook } from '../../src/domain/ports/ledger/ledger-facts.ts';
import { NOTIFY_ON, type ChannelName, type NotifySettings } from '../../src/domain/settings.ts';
import type { Channel } from '../../src/notify/channel.ts';
import { messengerChannel } from '../../src/notify/messenger-channel.ts';
import { notify } from '../../src/notify/notifier.ts';
import { NOTHING_KNOWN, type Outcome } from '../../src/notify/notices.ts';
import { MemoryLog } from '../runtime/memory-log.ts';

const HOUR = 3_600_000;
const START = 1_700_000_000_000;
const SETTINGS: NotifySettings = {
  to: { usernames: ['root'] },
  on: NOTIFY_ON,
  language: 'en',
};

const PAGE: Attachment = { path: '/nowhere', name: 'plan.html', contentType: 'text/html' };

function world(
  settings: Partial<NotifySettings> = {},
  page: Attachment | null = null,
  others: readonly Channel[] = [],
) {
  const failed: ChannelName[] = [];
  const log = new MemoryLog();
  const sent: string[] = [];
  const state: {
    book: NotifyBook | null;
    /** As a process that is killed while it sends leaves it. */
    bookAtPush: NotifyBook | null;
    fails: Error | null;
    takesFiles: boolean;
  } = {
    book: null,
    bookAtPush: null,
    fails: null,
    takesFiles: true,
  };
  const messenger: Messenger = {
    push: (to, message) => {
      state.bookAtPush = state.book;
      const words = message.type === 'file' ? `file ${message.mediaId}, ${message.size} bytes` : '';
      sent.push(`${to.usernames.join()}: ${message.type === 'text' ? message.content : words}`);
      return state.fails === null ? Promise.resolve() : Promise.reject(state.fails);
    },
    uploadFile: ({ name }) =>
      state.takesFiles
        ? Promise.resolve({ mediaId: `media of ${name}`, size: 7 })
        : Promise.reject(new RefusedError('no files', 1)),
  };
  const store = { load: () => state.book, save: (book: NotifyBook) => void (state.book = book) };
  let otherBook: NotifyBook | null = null;
  const otherStore = { load: () => otherBook, save: (book: NotifyBook) => void (otherBook = book) };
  const deps = {
    settings: { ...SETTINGS, ...settings },
    channels: [messengerChannel(messenger, { usernames: ['root'] }, false), ...others],
    storeOf: (channel: ChannelName) => (channel === 'messenger' ? store : otherStore),
    run: 'R1',
    page,
    failed: (channel: ChannelName) => void failed.push(channel),
    log,
  };
  const run = (at: number, hash: string | null): Promise<void> => {
    const held = { guard: 'leavers', count: 9, limit: 5, first: [], about: '', cause: null } as const;
    const outcome: Outcome = {
      ...NOTHING_KNOWN,
      at,
      result: hash === null ? 'ok' : 'held',
      error: '',
      held: hash === null ? [] : [{ ...held, hash }],
      reported: null,
      daemons: { otherDaemons: 0, reloadRefused: null },
      appliedSince: () => ({ joined: 1, left: 0, moved: 0, updated: 0, named: [] }),
    };
    return notify(deps, outcome, new AbortController().signal);
  };
  return { log, sent, state, run, failed, otherBook: () => otherBook };
}

describe('a message', () => {
  test('that a killed process was sending stands as doubtful, and is not sent again', async () => {
    const { run, sent, state } = world();
    await run(START, 'h1');
    expect(state.book?.lastError).toBeNull();
    state.book = state.bookAtPush;
    expect(state.book?.lastError?.reason).toMatchInlineSnapshot(
      `"rollcall ended while it was on its way: it may have arrived"`,
    );
    await run(START + HOUR, 'h1');
    expect(sent).toHaveLength(1);
  });

  test('goes out once for each thing that is new, to those who are named', async () => {
    const { run, sent } = world();
    await run(START, 'h1');
    await run(START + HOUR, 'h1');
    await run(START + 2 * HOUR, null);
    expect(sent.map((one) => one.split('\n')[0])).toEqual([
      'root: rollcall holds changes',
      'root: rollcall is well again',
    ]);
  });

  test('about what is held is followed by the page of the plan, once, and not by a reminder', async () => {
    const { run, sent } = world({}, PAGE);
    await run(START, 'h1');
    await run(START + HOUR, 'h1');
    await run(START + 25 * HOUR, 'h1');
    expect(sent.map((one) => one.split('\n')[0])).toEqual([
      'root: rollcall holds changes',
      'root: file media of plan.html, 7 bytes',
      'root: rollcall holds changes (still)',
      'root: rollcall: what changed',
    ]);
  });

  test('goes without its page where the service takes no files', async () => {
    const { run, sent, state, log } = world({}, PAGE);
    state.takesFiles = false;
    await run(START, 'h1');
    await run(START + HOUR, 'h2');
    expect(sent).toHaveLength(2);
    expect(state.book?.lastError).toBeNull();
    expect(log.lines.map(({ message }) => message)).toEqual([
      'the page of the plan could not be sent along',
      'the page of the plan could not be sent along',
    ]);
  });

  test('that may have gone out is not sent again', async () => {
    const { run, sent, state, log } = world();
    state.fails = new AmbiguousError('no answer');
    await run(START, 'h1');
    expect(state.book?.lastError).toEqual({ at: START, reason: 'no answer' });
    state.fails = null;
    for (const hours of [1, 2, 3]) await run(START + hours * HOUR, 'h1');
    expect(sent).toHaveLength(1);
    expect(log.lines.map(({ message }) => message)).toEqual(['a message about the run was not taken']);
  });

  test.each([
    ['was refused', new RefusedError('no such scope', 7)],
    ['found the service down', new ServiceError('down')],
    ['came when the service wanted fewer', new AmbiguousError('429', { throttled: true })],
  ])('that %s is tried again after ten minutes, and not in every run', async (_, error) => {
    const { run, sent, state } = world();
    state.fails = error;
    await run(START, 'h1');
    await run(START + HOUR / 12, 'h1');
    expect(sent).toHaveLength(1);
    state.fails = null;
    await run(START + HOUR / 6, 'h1');
    await run(START + 2 * HOUR, 'h1');
    expect([sent.length, state.book?.lastError]).toEqual([2, null]);
  });

  test('is not one of more than twenty in a day', async () => {
    const { run, sent } = world();
    for (let minute = 0; minute < 60; minute += 1) await run(START + minute * 60_000, `h${minute}`);
    expect(sent).toHaveLength(20);
    await run(START + 25 * HOUR, 'other');
    expect(sent.length).toBeGreaterThan(20);
  });

  test('that cannot even be written down ends no run', async () => {
    const { run, log, state } = world();
    Object.defineProperty(state, 'book', {
      get: () => null,
      set: () => {
        throw new Error('the disk is full');
      },
    });
    await run(START, 'h1');
    expect(log.lines.map(({ message }) => message)).toEqual(['no message about the run could be sent']);
  });
});

describe('one channel', () => {
  const broken: Channel = {
    name: 'email',
    takesReplies: false,
    send: () => Promise.reject(new NotifyError('the mail server is away')),
  };

  test('that fails is counted, and neither holds up another one nor repeats what it has sent', async () => {
    const { run, sent, state, failed, otherBook, log } = world({}, null, [broken]);
    await run(START, 'h1');
    await run(START + HOUR, 'h1');
    expect(sent).toHaveLength(1);
    expect(state.book?.lastError).toBeNull();
    expect(failed).toEqual(['email', 'email']);
    expect(otherBook()).toMatchObject({
      held: {},
      sent: [],
      lastError: { reason: 'the mail server is away' },
    });
    expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn a message about the run was not taken',
      'warn a message about the run was not taken',
    ]);
  });
});
