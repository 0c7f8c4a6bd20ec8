import { expect, test } from 'vitest';
import { withoutContacts } from '../../src/domain/text/hide.ts';

test.each([
  'call +49 431 5552233 now',
  'call 0049431555223 now',
  'call (0431) 555-2233 now',
  'call 0431/5552233 now',
  'call 04315552233 now',
  'call 13812345678 now',
  'call １３８１２３４５６７８ now',
  'call ＋49 （431） 5552233 now',
  'call 138-1234-5678 now',
  'call (415) 555-2671 now',
  'call +49 431 555–22 33 now',
])('a phone number is not told: %s', (text) => {
  expect(withoutContacts(text)).toBe('call … now');
});

test.each([
  'ann (20230001)',
  'n100007 (100007)',
  '10020000',
  'rollcall sync --approve 96e974162953',
  'rollcall sync --approve 974162953123',
  '3f2504e0-4f89-41d3-9a0c-030582c33011',
  'on 2026-11-23 at 10:20:30',
  '10.20.30.40:8080',
  'run 20261123-192820-o5hw',
])('an id, a hash or a time is no phone number: %s', (text) => {
  expect(withoutContacts(text)).toBe(text);
});

test.each(['bob@x.example', 'bob＠x.example', 'bob @ x.example'])(
  'of a mail address the first part is told: %s',
  (address) => {
    expect(withoutContacts(`${address}, now`)).toBe('bob@…, now');
  },
);
