import { describe, expect, it } from 'vitest';
import { ConfigError, SourceError } from '../../src/domain/errors.ts';
import type { RunEvent } from '../../src/domain/events.ts';
import { createLogger, type LoggerOptions } from '../../src/runtime/logger.ts';
import { wantsColour } from '../../src/runtime/screen.ts';
import { QUIET_END } from './run-end.ts';

function logger(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: 'debug',
    ...options,
    out: {
      write: (line) => {
        lines.push(line);
      },
    },
  });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const SENT: RunEvent = { event: 'call.sent', call: 'POST /x', items: 1, outcome: 'done', ms: 3 };

describe('a line', () => {
  it('is one JSON object with level, time, run, event, a constant message, and the fields of the event', () => {
    const { log, lines, parsed } = logger();
    log.ofRun('r1').event(QUIET_END);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(Object.keys(parsed()[0] ?? {}).slice(0, 4)).toEqual(['level', 'time', 'run', 'event']);
    expect(parsed()).toEqual([
      {
        ...QUIET_END,
        level: 'info',
        run: 'r1',
        msg: 'run ended',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  it('of calls and of progress belongs to the run under way, from its beginning to its end', () => {
    const { log, parsed } = logger();
    const run = log.ofRun('r1');
    log.ofCurrentRun().event(SENT);
    run.event(QUIET_END);
    log.ofCurrentRun().event(SENT);
    log.ofRun('r2');
    log.ofCurrentRun().event(SENT);
    expect(parsed().map(({ run: id, event }) => [id, event])).toEqual([
      ['r1', 'call.sent'],
      ['r1', 'run.end'],
      [undefined, 'call.sent'],
      ['r2', 'call.sent'],
    ]);
  });

  it('of a run that is no event is a note', () => {
    const { log, parsed } = logger();
    log.ofRun('r1').note('info', 'all was read', { why: 'x' });
    log.note('info', 'stopping');
    expect(parsed().map(({ run, event }) => [run, event])).toEqual([
      ['r1', 'note'],
      [undefined, undefined],
    ]);
  });

  it('has the level that the event calls for', () => {
    const { log, parsed } = logger();
    log.event(SENT);
    log.event({ ...SENT, outcome: 'ambiguous' });
    log.event({ ...QUIET_END, result: 'held' });
    log.event({ ...QUIET_END, result: 'failed' });
    expect(parsed().map(({ level }) => level)).toEqual(['debug', 'warn', 'warn', 'error']);
  });

  it('is written from the level of the configuration on', () => {
    const { log, lines } = logger({ level: 'info' });
    log.ofRun('r1').event(SENT);
    expect(lines).toHaveLength(0);
  });
});

describe('secrets', () => {
  it.each([
    'token',
    'access_token',
    'accessToken',
    'password',
    'bindPassword',
    'source_credentials',
    'ID_CARD',
  ])('under %s are hidden, however deep', (key) => {
    const { log, lines, parsed } = logger();
    log.note('info', 'x', { [key]: 'hush1', deep: [{ [key]: { a: 'hush2' } }] });
    expect(lines[0]).not.toContain('hush');
    expect(parsed()[0]).toMatchObject({ [key]: '[secret]', deep: [{ [key]: '[secret]' }] });
  });

  it('that are long are hidden whole, in each spelling', () => {
    const secret = `${'MySecretToken-"abcdefgh'.repeat(900)}😀end`;
    const { log, lines } = logger({ secrets: [secret] });
    log.note('info', `got ${secret}`, { json: JSON.stringify({ secret }), url: encodeURIComponent(secret) });
    expect(lines[0]).not.toMatch(/MySecret|abcdefgh|end"/u);
    expect(lines[0]).toContain('got [secret]');
  });

  it('in URLs and queries are hidden', () => {
    const { log, parsed } = logger();
    log.note('info', 'x', {
      db: 'cannot reach postgres://hr:pa@ss@db:5432/hr today',
      call: 'GET https://im.example.com:8443/v1?access_token=abc123&skip=5',
      url: new URL('mysql://u:pw@h/d'),
      plain: 'https://im.example.com:8443/a?mail=b@c',
    });
    expect(parsed()[0]).toMatchObject({
      db: 'cannot reach postgres://hr:[secret]@db:5432/hr today',
      call: 'GET https://im.example.com:8443/v1?access_token=[secret]&skip=5',
      url: 'mysql://u:[secret]@h/d',
      plain: 'https://im.example.com:8443/a?mail=b@c',
    });
  });

  it('known literally are hidden in texts, keys, messages and errors, in every spelling', () => {
    const { log, lines, parsed } = logger({ secrets: ['pa"ss/word', 'pa"ss', 'short'] });
    log.hide('token-read-later');
    const cause = new Error('inner pa"ss/word');
    log.note('error', 'with token-read-later', {
      'key pa"ss/word': 1,
      json: JSON.stringify({ body: 'pa"ss/word' }),
      encoded: `q=${encodeURIComponent('pa"ss/word')}`,
      error: new Error('outer token-read-later', { cause }),
      short: 'short',
    });
    expect(lines.join('')).not.toMatch(/ss.{0,3}word|token-read-later/);
    expect(parsed()[0]).toMatchObject({ msg: 'with [secret]', json: '{"body":"[secret]"}', short: 'short' });
    expect(parsed()[0]).toMatchObject({
      error: { message: 'outer [secret]', cause: { message: 'inner [secret]' } },
    });
  });

  it('that contain or overlap one another leave no rest, whichever was known first', () => {
    const { log, parsed } = logger({ secrets: ['secret-within', 'a-secret-within', 'within-another'] });
    const base64 = Buffer.from('a-secret-within').toString('base64');
    log.note('info', 'x', { one: 'a-secret-within-another', two: base64, html: 'none' });
    expect(parsed()[0]).toMatchObject({ one: '[secret]', two: '[secret]', html: 'none' });
  });

  it('of digits leave numbers, and the JSON, whole', () => {
    const { log, parsed } = logger({ secrets: ['123456'] });
    log.note('info', 'x', { ms: 1234567, text: '1234567' });
    expect(parsed()[0]).toMatchObject({ ms: 1234567, text: '[secret]7' });
  });
});

describe('odd values', () => {
  it('never cost a line', () => {
    const { log, parsed } = logger();
    const circle: Record<string, unknown> = { name: 'c' };
    circle['self'] = circle;
    const trap = {
      get broken(): string {
        throw new Error('no');
      },
    };
    log.note('info', 'x', {
      circle,
      trap,
      bytes: Buffer.from('abc'),
      big: 9007199254740993n,
      date: new Date(0),
      never: new Date(Number.NaN),
      map: new Map([['k', { password: 'p' }]]),
      set: new Set([1]),
      fn: () => 1,
    });
    expect(parsed()[0]).toMatchObject({
      circle: { name: 'c', self: '[…]' },
      trap: { broken: '[unreadable]' },
      bytes: '[3 bytes]',
      big: '9007199254740993',
      date: '1970-01-01T00:00:00.000Z',
      never: 'no date',
      map: [['k', { password: '[secret]' }]],
      set: [1],
    });
  });

  it('errors of ours come without a stack, as do their causes, surprises with it', () => {
    const { log, parsed } = logger();
    const why = new TypeError('why', { cause: new Error('that is why') });
    log.note('error', 'x', { error: new SourceError('gone', { cause: why }) });
    log.note('error', 'x', { error: new ConfigError('bad') });
    log.note('error', 'x', { error: why });
    expect(parsed()[0]?.['error']).toEqual({
      type: 'SourceError',
      message: 'gone',
      code: 'SOURCE',
      cause: { type: 'TypeError', message: 'why', cause: { type: 'Error', message: 'that is why' } },
    });
    expect(parsed()[1]?.['error']).toEqual({ type: 'ConfigError', message: 'bad', code: 'CONFIG' });
    const stack: unknown = expect.stringContaining('logger.test');
    expect(parsed()[2]).toMatchObject({ error: { stack, cause: { stack } } });
  });
});

describe('on a terminal', () => {
  it('a line is for eyes, and cannot move the cursor', () => {
    const { log, lines } = logger({ pretty: { colour: false } });
    log.ofRun('r1').event(QUIET_END);
    log.note('warn', 'odd one', { name: 'a\u001B[2J\u009Bb', empty: '', list: ['a b'] });
    expect(lines.join('').replaceAll(/^\d\d:\d\d:\d\d/gm, 'TIME')).toMatchInlineSnapshot(`
      "TIME INFO  run.end         run ended run=r1 result=ok kind=incremental counts.people.update=3 applied=0 failed=0 blocked=0 held=0 unmanaged=2 requests=5 retries=0 phases.read=10 phases.refresh=20 phases.plan=1 rssMB=97
      TIME WARN  odd one name="a\\u001b[2J\\x9bb" empty="" list=["a b"]
      "
    `);
  });

  it('a line is folded to the width of the terminal', () => {
    const { log, lines } = logger({ pretty: { colour: false, columns: () => 40 } });
    log.note('info', 'one two three four five six seven eight nine');
    expect(lines.join('').split('\n').slice(1, -1)).toEqual(['    six seven eight nine']);
  });

  it('a line has colours where the terminal and NO_COLOR allow them', () => {
    const { log, lines } = logger({ pretty: { colour: true } });
    log.note('error', 'x');
    expect(lines[0]).toContain('\u001B[31mERROR\u001B[39m');
    expect(wantsColour({ isTTY: true }, {})).toBe(true);
    expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColour({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
    expect(wantsColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
    expect(wantsColour({}, {})).toBe(false);
    expect(wantsColour({}, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(true);
    expect(wantsColour({ isTTY: true }, { FORCE_COLOR: '0' })).toBe(false);
  });
});
