import { describe, expect, test } from 'vitest';
import type { Held } from '../../src/domain/changes.ts';
import type { ReceivedMessage } from '../../src/domain/ports/callbacks.ts';
import { decideReply, type Known } from '../../src/notify/replies/decide-reply.ts';
import { parseReply } from '../../src/notify/replies/parse-reply.ts';
import { answerTo, resultOf } from '../../src/notify/words/answer.ts';

const [ONE, TWO] = ['0123456789ab', 'ba9876543210'];
const held = (hash: string): Held => ({
  guard: 'leavers',
  hash,
  count: 12,
  limit: 5,
  first: [],
  about: '',
  cause: null,
});

describe('an answer', () => {
  test.each([
    ['approve 0123456789ab', [ONE]],
    ['  Approve  0123456789AB. ', [ONE]],
    ['@rollcall approve 0123456789ab', [ONE]],
    ['approve:0123456789ab', [ONE]],
    ['approve_0123456789ab', [ONE]],
    ['批准 0123456789ab。', [ONE]],
    ['批准０１２３４５６７８９ａｂ', [ONE]],
    ['approve 0123456789ab, ba9876543210', [ONE, TWO]],
    ['approve 0123456789ab 0123456789ab', [ONE]],
    ['approve', null],
    ['approve all', null],
    ['do not approve 0123456789ab', null],
    ['approve 0123456789ab?', null],
    ['approve 0123456789ab later', null],
    ['approve 0123456789', null],
    ['0123456789ab', null],
    [`approve ${'0123456789ab '.repeat(100)}`, null],
    [`${'@a '.repeat(50_000)}approve`, null],
  ])('%j releases %j', (text, hashes) => {
    expect(parseReply(text)).toEqual(hashes);
  });
});

const MESSAGE: ReceivedMessage = {
  signature: 'aa',
  from: 'eve',
  domain: 'acme',
  text: `approve ${ONE}`,
  isEvent: false,
  at: 7,
};
const KNOWN: Known = { approvers: ['Eve', 'max'], domains: ['acme'], held: [held(ONE), held(TWO)], open: [] };
const REPLY = { signature: 'aa', hash: ONE, by: 'Eve', text: `approve ${ONE}`, at: 7, count: 12 };

describe('what an answer comes to', () => {
  test.each<[string, Partial<ReceivedMessage>, Partial<Known>, object]>([
    ['an approver, in another case', {}, {}, { is: 'release', by: 'Eve', replies: [REPLY] }],
    ['somebody else', { from: 'mallory' }, {}, { is: 'stranger' }],
    ['nobody', { from: null }, {}, { is: 'stranger' }],
    ['an empty name', { from: '' }, {}, { is: 'stranger' }],
    ['a namesake of another domain', { domain: 'evil' }, {}, { is: 'otherDomain', domain: 'evil' }],
    ['no domain', { domain: null }, {}, { is: 'release', by: 'Eve', replies: [REPLY] }],
    ['a question', { text: 'what?' }, {}, { is: 'help', by: 'Eve', held: KNOWN.held }],
    ['a picture', { text: null }, {}, { is: 'nothing' }],
    ['an event that follows a message', { text: 'p17', isEvent: true }, {}, { is: 'nothing' }],
    ['a button', { isEvent: true }, {}, { is: 'release', by: 'Eve', replies: [REPLY] }],
    [
      'a hash of yesterday',
      {},
      { held: [held(TWO)] },
      { is: 'unknown', by: 'Eve', hash: ONE, held: [held(TWO)] },
    ],
    [
      'a known hash beside an unknown one: neither',
      { text: `approve ${TWO} ${ONE}` },
      { held: [held(TWO)] },
      { is: 'unknown', by: 'Eve', hash: ONE, held: [held(TWO)] },
    ],
    [
      'what another has released',
      {},
      { open: [{ ...REPLY, by: 'max' }] },
      { is: 'again', by: 'Eve', before: 'max' },
    ],
    [
      'one that another has released, and one more',
      { text: `approve ${ONE} ${TWO}` },
      { open: [{ ...REPLY, by: 'max' }] },
      {
        is: 'release',
        by: 'Eve',
        replies: [ONE, TWO].map((hash) => ({ ...REPLY, hash, text: `approve ${ONE} ${TWO}` })),
      },
    ],
  ])('%s', (_, message, known, decision) => {
    expect(decideReply({ ...MESSAGE, ...message }, { ...KNOWN, ...known })).toEqual(decision);
  });

  test('is said in words, with what would release', () => {
    const help = decideReply({ ...MESSAGE, text: 'help' }, KNOWN);
    expect(answerTo(help, 'en').split('\n')).toEqual([
      'To release what is held, answer:',
      `approve ${ONE} (leavers: 12)`,
      `approve ${TWO} (leavers: 12)`,
    ]);
    expect(answerTo(decideReply(MESSAGE, { ...KNOWN, held: [] }), 'en')).toBe(
      `Nothing is held under ${ONE}, so nothing was released.\nNothing is held now.`,
    );
    expect(answerTo(decideReply(MESSAGE, KNOWN), 'en')).toBe(
      'Taken: 12 changes are released by a run that begins now.',
    );
    expect(answerTo({ is: 'stranger' }, 'zh')).toContain('只有管理员指定的人员可以批准变更');
    expect(answerTo({ is: 'otherDomain', domain: 'evil' }, 'en')).not.toContain('evil');
  });

  test.each([
    [{ released: null, left: 0 }, `Nothing is held under ${ONE} any more, so there was nothing to release.`],
    [{ released: 12, left: 0 }, `Done: what was held under ${ONE} is released.`],
    [
      { released: 12, left: 2 },
      `What was held under ${ONE} is released; 2 of 12 changes not done yet.\nMore: rollcall status`,
    ],
  ])('after a run that made of it %j, it is said so', (made, words) => {
    expect(resultOf({ reply: REPLY, ...made }, 'en')).toBe(words);
  });
});
