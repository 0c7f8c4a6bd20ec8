import { describe, expect, test } from 'vitest';
import { Access, isOwnForm, VIEWER } from '../../src/console/access.ts';

const VIEW = { name: VIEWER, token: 'correct horse battery' };
const ANN = { name: 'ann', token: 'annas own long token' };

function accessAt() {
  const clock = { now: 5_000 };
  const tokens = [VIEW, ANN];
  return {
    tokens,
    access: new Access(
      () => tokens,
      () => clock.now,
    ),
    clock,
  };
}

describe('the token of the console', () => {
  test('opens the console for 12 hours by a cookie that cannot be made, and not after a restart', () => {
    const { access, clock } = accessAt();
    const cookie = access.cookie(VIEW, {});
    expect(cookie).toMatch(
      /^rollcall=\d+\.\.[\w-]{43}; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/u,
    );
    expect(access.cookie(VIEW, { 'x-forwarded-proto': 'https' })).toMatch(/; Secure$/u);
    const [value = ''] = cookie.split(';');
    const later = value.replace(/=\d/u, '=9');
    const cookies = [value, `theme=dark; ${value}`, later, `${value}x`, 'rollcall=', ''];
    const standings = cookies.map((one) => access.of({ cookie: one }));
    expect(standings).toEqual([{ name: VIEWER }, { name: VIEWER }, 'token', 'token', 'token', 'token']);
    expect(accessAt().access.of({ cookie: value })).toBe('token');
    clock.now += 12 * 3_600_000;
    expect(access.of({ cookie: value })).toBe('token');
  });

  test('of an approver opens it under that name alone, until it is another one, or signed out', () => {
    const { access, tokens } = accessAt();
    const cookie = access.cookie(ANN, {});
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/u);
    const [value = ''] = cookie.split(';');
    expect(access.of({ cookie: value })).toEqual({ name: 'ann' });
    const [, viewer = ''] = /=(.*?);/u.exec(access.cookie(VIEW, {})) ?? [];
    const raised = viewer.replace('..', `.${Buffer.from('ann').toString('base64url')}.`);
    expect(access.of({ cookie: `rollcall=${raised}` })).toBe('token');
    tokens[1] = { ...ANN, token: 'another long token' };
    expect(access.of({ cookie: value })).toBe('token');
    tokens[1] = ANN;
    expect(access.end({ cookie: value })).toMatch(/^rollcall=; Path=\/console; Max-Age=0; /u);
    expect(access.of({ cookie: value })).toBe('token');
    expect(access.of({ cookie: `rollcall=${viewer}` })).toEqual({ name: VIEWER });
  });
});

test.each([
  [{ origin: 'https://it.example' }, true],
  [{ origin: 'https://it.example', 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: 'https://it.example', 'sec-fetch-site': 'same-site' }, false],
  [{ origin: 'https://it.example:8443' }, false],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'https://outside.example', 'x-forwarded-host': 'outside.example' }, true],
  [{ origin: 'null' }, false],
  [{}, false],
] as const)('a form with %j is one of this console: %s', (headers, isOwn) => {
  expect(isOwnForm({ host: 'it.example', ...headers })).toBe(isOwn);
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
  const access = new Access(
    () => [],
    () => 0,
  );
  expect(access.of({ host })).toEqual(standing === 'open' ? { name: VIEWER } : standing);
  for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'cf-connecting-ip'])
    expect(access.of({ host, [header]: '203.0.113.9' })).toBe('elsewhere');
});
