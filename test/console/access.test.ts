import { describe, expect, test } from 'vitest';
import { Access, type Entry } from '../../src/console/access.ts';

const TOKEN = 'correct horse battery';

function accessAt(token: string | undefined = TOKEN) {
  const clock = { now: 5_000 };
  return { access: new Access(token, () => clock.now), clock };
}

const kindOf = (entry: Entry): string => (typeof entry === 'string' ? entry : 'paused');

describe('the token of the console', () => {
  test('after 5 wrong tries of an address waits for the minute to end, then is taken', () => {
    const { access, clock } = accessAt();
    const tries = Array.from({ length: 1_000 }, (_, n) => access.enter('10.0.0.1', `wrong ${n}`));
    expect(tries.map(kindOf).filter((kind) => kind === 'wrong')).toHaveLength(5);
    expect(tries.filter((entry) => typeof entry === 'object' && entry.isNews)).toHaveLength(1);
    expect(access.enter('10.0.0.1', TOKEN)).toEqual({ seconds: 60, isNews: false });
    expect(access.enter('10.0.0.2', TOKEN)).toBe('right');
    clock.now += 60_000;
    expect(access.enter('10.0.0.1', TOKEN)).toBe('right');
  });

  test('is tried 50 times a minute at most, by however many addresses', () => {
    const { access, clock } = accessAt();
    const tries = Array.from({ length: 1_000 }, (_, n) => access.enter(`10.0.1.${n}`, 'wrong'));
    expect(tries.map(kindOf).filter((kind) => kind === 'wrong')).toHaveLength(50);
    expect(kindOf(access.enter('10.0.0.2', TOKEN))).toBe('paused');
    clock.now += 60_000;
    expect(access.enter('10.0.0.2', TOKEN)).toBe('right');
  });

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
