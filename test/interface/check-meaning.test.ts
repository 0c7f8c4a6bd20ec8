import { describe, expect, test } from 'vitest';
import { checkMeaning } from '../../src/interface/requests/check-meaning.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `p${index}`);
const message = (more: object): object => ({
  type: 'text',
  body: { content: 'hi' },
  usernames: ['ann'],
  ...more,
});

function wordsOf(query: Readonly<Record<string, string>>, body: object): readonly string[] {
  return checkMeaning('pushMessage', { parts: {}, query, body }).map(({ place, text }) => `${place} ${text}`);
}

describe('a message', () => {
  test.each([
    ['for 400 people directly', { direct: 'true' }, { usernames: names(200), client_ids: names(200) }],
    ['for more people through the queue', {}, { usernames: names(401) }],
    ['for a part of the company', {}, { usernames: [], scopes: ['/1/2/'] }],
    ['for everybody, said so', { for_all: 'true' }, { usernames: [] }],
    ['of a type in capitals', {}, { type: 'TEXT' }],
    ['with a cover of 20 KB', {}, { type: 'video', body: video(20 * 1024) }],
    ['whose body is not shown', {}, { type: 'rich_text', body: { any: 1 } }],
  ] as const)('%s goes', (_, query, more) => {
    expect(wordsOf(query, message(more))).toEqual([]);
  });

  test.each([
    [
      { direct: 'true' },
      { usernames: names(201), client_ids: names(200) },
      'body names 401 people; direct=true reaches at most 400',
    ],
    [
      { direct: 'true' },
      { scopes: ['/1/'] },
      'body.scopes cannot go with direct=true: leave direct out, or name people',
    ],
    [
      {},
      { usernames: [] },
      'body has no recipient: give client_ids, usernames or scopes, or for_all=true for everybody',
    ],
    [
      { for_all: 'false' },
      { usernames: undefined },
      'body has no recipient: give client_ids, usernames or scopes, or for_all=true for everybody',
    ],
    [
      {},
      { type: 'video', body: video(20 * 1024 + 1) },
      'body.body.content is a cover of 20481 bytes, and at most 20480 are allowed',
    ],
    [{}, { body: {} }, 'body.body.content is required'],
    [{}, { body: { content: 'hi', contents: 1 } }, 'body.body.contents is not in the interface'],
    [{}, { type: 'Image', body: { media_id: 'm', is_gif: 2 } }, 'body.body.is_gif is larger than 1'],
    [{ for_all: 'true' }, { usernames: [''] }, 'body.usernames has a blank element, which is no recipient'],
    [{}, { usernames: [], scopes: [' '] }, 'body.scopes has a blank element, which is no recipient'],
  ] as const)('%j %j is refused', (query, more, words) => {
    expect(wordsOf(query, message(more))).toEqual([words]);
  });
});

function video(bytes: number): object {
  return { media_id: 'm', size: 1, duration: 1, content: Buffer.alloc(bytes).toString('base64') };
}

describe('a schedule', () => {
  test.each(['createSchedule', 'modifySchedule'] as const)('%s has its attendees in one list', (name) => {
    const both = { attendees: ['ann'], attendees_with_status: [{ username: 'bob', status: 'init' }] };
    const problems = (body: object): number => checkMeaning(name, { parts: {}, query: {}, body }).length;
    expect([problems(both), problems({ ...both, attendees: [] }), problems({ attendees: ['ann'] })]).toEqual([
      1, 0, 0,
    ]);
  });
});

test('of other operations nothing is refused beyond the row', () => {
  expect(checkMeaning('createTemplate', { parts: {}, query: {}, body: { actions: [] } })).toEqual([]);
});
