import { describe, expect, test } from 'vitest';
import type { Held } from '../../src/domain/changes.ts';
import type { ReceivedMessage } from '../../src/domain/ports/messenger.ts';
import {
  answerTo,
  decideReply,
  decideSender,
  parseReply,
  resultOf,
  type KnownHash,
  type ListedSender,
} from '../../src/notify/replies.ts';

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
    ['approve 0123456789ab', ONE],
    ['  Approve  0123456789AB \n', ONE],
    ['批准 0123456789ab', ONE],
    ['批准\u{3000}0123456789ab', ONE],
    ['@bob approve 0123456789ab', null],
    ['approved 0123456789ab', null],
    ['同意 0123456789ab', null],
    ['approve:0123456789ab', null],
    ['approve0123456789ab', null],
    ['approve 0123456789ab.', null],
    ['批准 ０１２３４５６７８９ａｂ', null],
    ['ａｐｐｒｏｖｅ 0123456789ab', null],
    ['approve 0123456789ab ba9876543210', null],
    ['approve 0123456789ab 0123456789ab', null],
    ['approve 0123456789ab\napprove ba9876543210', null],
    ['approve', null],
    ['do not approve 0123456789ab', null],
    ['approve 0123456789ab later', null],
    ['approve 0123456789', null],
    ['0123456789ab', null],
    [`${'@a '.repeat(50_000)}approve`, null],
  ])('%j releases %j', (text, hash) => {
    expect(parseReply(text)).toBe(hash);
  });
});

const MESSAGE: ReceivedMessage = {
  signature: 'aa',
  from: 'kim',
  domain: 'acme',
  text: `approve ${ONE}`,
  isEvent: false,
  at: 7,
};
const LISTED: ListedSender = { approvers: ['kim', 'max'], domains: ['acme'] };

describe('who answers', () => {
  test.each<[string, Partial<ReceivedMessage>, object]>([
    ['a listed approver', {}, { is: 'listed', by: 'kim' }],
    ['somebody else', { from: 'mallory' }, { is: 'stranger' }],
    ['a look-alike in another case', { from: 'Kim' }, { is: 'stranger' }],
    ['a look-alike with the sign for kelvin', { from: '\u{212A}im' }, { is: 'stranger' }],
    ['a look-alike with a blank', { from: 'kim ' }, { is: 'stranger' }],
    ['nobody', { from: null }, { is: 'stranger' }],
    ['an empty name', { from: '' }, { is: 'stranger' }],
    ['a namesake of another domain', { domain: 'evil' }, { is: 'otherDomain', domain: 'evil' }],
    ['no domain', { domain: null }, { is: 'listed', by: 'kim' }],
    ['a picture', { text: null }, { is: 'nothing' }],
    ['an event that follows a message', { text: 'p17', isEvent: true }, { is: 'nothing' }],
    ['a button', { isEvent: true }, { is: 'listed', by: 'kim' }],
  ])('%s', (_, message, sender) => {
    expect(decideSender({ ...MESSAGE, ...message }, LISTED)).toEqual(sender);
  });
});

const KNOWN: KnownHash = {
  by: 'kim',
  held: [held(ONE), held(TWO)],
  open: [],
  isAmongHeld: () => false,
  isReportOnly: false,
};
const REPLY = { signature: 'aa', hash: ONE, by: 'kim', text: `approve ${ONE}`, at: 7, count: 12 };

describe('what an answer comes to', () => {
  test.each<[string, Partial<ReceivedMessage>, Partial<KnownHash>, object]>([
    ['the hash of what is held', {}, {}, { is: 'release', by: 'kim', reply: REPLY }],
    ['a question', { text: 'what?' }, {}, { is: 'help', by: 'kim', held: KNOWN.held }],
    [
      'a hash of yesterday',
      {},
      { held: [held(TWO)] },
      { is: 'unknown', by: 'kim', hash: ONE, held: [held(TWO)] },
    ],
    [
      'what another has released',
      {},
      { open: [{ ...REPLY, by: 'max' }] },
      { is: 'again', by: 'kim', before: 'max' },
    ],
    [
      'what changes the own account',
      {},
      { isAmongHeld: (hash) => hash === ONE },
      { is: 'own', by: 'kim', hash: ONE },
    ],
    [
      'what is held, while nothing is sent',
      {},
      { isReportOnly: true },
      { is: 'reportOnly', by: 'kim', hash: ONE },
    ],
    [
      'a question, while nothing is sent',
      { text: 'what?' },
      { isReportOnly: true },
      { is: 'reportOnly', by: 'kim', hash: 'HASH' },
    ],
    [
      'what changes the own account under another hash',
      {},
      { isAmongHeld: (hash) => hash === TWO },
      { is: 'release', by: 'kim', reply: REPLY },
    ],
  ])('%s', (_, message, known, decision) => {
    expect(decideReply({ ...MESSAGE, ...message }, { ...KNOWN, ...known })).toEqual(decision);
  });

  test('is said in words, with what would release', async () => {
    const decisions = [
      decideReply({ ...MESSAGE, text: 'help' }, KNOWN),
      decideReply(MESSAGE, { ...KNOWN, held: [] }),
      decideReply(MESSAGE, KNOWN),
      decideReply(MESSAGE, { ...KNOWN, isReportOnly: true }),
      { is: 'stranger' },
      { is: 'otherDomain', domain: 'evil' },
    ] as const;
    const texts = decisions.flatMap((one) => [answerTo(one, 'en'), answerTo(one, 'zh')]);
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('screens/answers.txt');
  });

  test.each([
    [
      { released: null, remaining: 0 },
      `Nothing is held under ${ONE} any more, so there was nothing to release.`,
    ],
    [{ released: 12, remaining: 0 }, `Done: what was held under ${ONE} is released.`],
    [
      { released: 12, remaining: 2 },
      `What was held under ${ONE} is released; 2 of 12 changes not done yet.\nMore: rollcall status`,
    ],
  ])('after a run that made of it %j, it is said so', (made, words) => {
    expect(resultOf({ reply: REPLY, ...made }, 'en')).toBe(words);
  });
});
