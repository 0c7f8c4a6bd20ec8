import { describe, expect, test } from 'vitest';
import { Access } from '../../src/console/access.ts';

const TOKEN = 'correct horse battery';

function accessAt() {
  const clock = { now: 5_000 };
  return { access: new Access(TOKEN, () => clock.now), clock };
}

describe('the token of the console', () => {
  test('opens the console for 12 hours by a cookie that cannot be made, and not after a restart', () => {
    const { access, clock } = accessAt();
    const cookie = access.cookie({});
    expect(cookie).toMatch(
      /^rollcall=\d+\.[\w-]{43}; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/u,
    );
    expect(access.cookie({ 'x-forwarded-proto': 'https' })).toMatch(/; Secure$/u);
    const [value = ''] = cookie.split(';');
    const later = value.replace(/=\d/u, '=9');
    const cookies = [value, `theme=dark; ${value}`, later, `${value}x`, 'rollcall=', ''];
    const standings = cookies.map((one) => access.of({ cookie: one }));
    expect(standings).toEqual(['open', 'open', 'token', 'token', 'token', 'token']);
    expect(accessAt().access.of({ cookie: value })).toBe('token');
    clock.now += 12 * 3_600_000;
    expect(access.of({ cookie: value })).toBe('token');
  });
});

test.each([
  ['localhost:8080', 'open'],
  ['LOCALHOST', 'open'],
  ['127.0.0.1:8080', 'open'],
  ['[::1]:8080', 'open'],
  ['evil.example:8080', 'elsewhere'],
  ['127.0.0.1.evil.example', 'elsewhere'],
  ['localhost.evil.example', 'elsewhere'],
  ['', 'elsewhere'],
  [undefined, 'elsewhere'],
])('without a token the host %s is %s', (host, standing) => {
  const access = new Access(undefined, () => 0);
  expect(access.of({ host })).toBe(standing);
  for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'cf-connecting-ip'])
    expect(access.of({ host, [header]: '203.0.113.9' })).toBe('elsewhere');
});
