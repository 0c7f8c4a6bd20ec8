import { expect, it } from 'vitest';
import { secretsOf } from '../../src/config/load-settings.ts';
import { load, sqlConfig } from './config-file.ts';

it('literal secrets of the settings are the token and the password of the URL, as written and as used', () => {
  const { settings } = load(sqlConfig(['sqlite:hr.db', 'postgres://hr:p%40ss-word@db/hr']));
  expect(secretsOf(settings)).toEqual(['t0p-secret-token', 'p%40ss-word', 'p@ss-word']);
});

it('the password of a store that a pace is shared by is a secret', () => {
  const service = [
    '  token:',
    '  limits: { shared: { url: "redis://:p%40ce@redis:6379" } }\n  token:',
  ] as const;
  expect(secretsOf(load(sqlConfig(service)).settings)).toEqual(['t0p-secret-token', 'p%40ce', 'p@ce']);
});

it('an application token that is written out and the password of the proxy are secrets too', () => {
  const service = [
    '  token:',
    '  appToken: app-token\n  proxy: http://me:p%3Aw@proxy:3128\n  token:',
  ] as const;
  expect(secretsOf(load(sqlConfig(service)).settings)).toEqual([
    't0p-secret-token',
    'app-token',
    'p%3Aw',
    'p:w',
  ]);
});

it('the token of the console is a secret', () => {
  const http = ['source:', 'http: { console: { token: a-token-of-the-console } }\nsource:'] as const;
  expect(secretsOf(load(sqlConfig(http)).settings)).toEqual(['a-token-of-the-console', 't0p-secret-token']);
});
