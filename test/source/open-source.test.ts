import { describe, expect, test } from 'vitest';

import type { PersonRules } from '../../src/domain/source-settings.ts';
import { openSource } from '../../src/source/open-source.ts';
import { parseDatabaseUrl, wantsTls } from '../../src/source/sql/database-url.ts';
import { worldSettings } from './sql-world.ts';

describe('a source', () => {
  test.each(['redis://x', 'https://x/y'])('%s is of an unknown kind: those there are are named', (url) => {
    expect(() => openSource(worldSettings(url))).toThrow(/postgres:.*sqlite:/);
  });

  test('tells its rules and fingerprint without passwords and constant secrets', () => {
    const rules = { password: { const: 'Welcome1' }, id_card: 'card' };
    const source = withPeople({
      fields: { name: 'full_name', ...rules },
      source_identifiers: { hr: { const: 'S3' } },
    });
    const told = JSON.stringify([source.rules, source.fingerprint, source.identity]);
    expect(told).not.toMatch(/Welcome1|topsecret|S3/);
    expect(source.rules.person).toMatchObject({
      password: '(constant)',
      id_card: 'card',
      active: "status != 'left'",
    });
    expect(source.rules.position).toMatchObject({ person: 'emp_no', unit: 'dept_id' });
  });

  test('its fingerprint follows the rules, not their order', () => {
    const reordered = withPeople({ fields: { email: 'email', name: 'full_name' } });
    const other = withPeople({ fields: { name: 'full_name', email: 'email' } });
    const changed = withPeople({ fields: { name: 'full_name', email: 'mail' } });
    expect(reordered.fingerprint).toBe(other.fingerprint);
    expect(changed.fingerprint).not.toBe(other.fingerprint);
  });
});

const URL = 'postgres://hr:topsecret@db/hr';

function withPeople(rules: Partial<PersonRules>): ReturnType<typeof openSource> {
  const settings = worldSettings(URL);
  const people = { ...settings.people, rules: { ...settings.people.rules, ...rules } };
  return openSource({ ...settings, people });
}

describe('a database URL', () => {
  test.each([
    [
      'postgres://hr:secret@db:5433/hr?sslmode=require',
      { host: 'db', port: 5433, password: 'secret', database: 'hr' },
    ],
    [
      'postgres://hr:p@ss/w:rd#1?@db/hr',
      { host: 'db', port: null, password: 'p@ss/w:rd#1?', database: 'hr' },
    ],
    ['mysql://hr:a%40b@db/hr', { host: 'db', user: 'hr', password: 'a@b' }],
    ['mysql://hr:100%@db/hr', { host: 'db', password: '100%' }],
    ['postgres://hr:x@[::1]:5432/my%20db', { host: '::1', port: 5432, database: 'my db' }],
    [
      'postgres:///hr?host=/run/postgresql',
      { host: '/run/postgresql', user: '', password: '', database: 'hr' },
    ],
  ])('%s', (url, parts) => expect(parseDatabaseUrl(url)).toMatchObject(parts));

  test.each([
    ['postgres://db/hr', undefined, false, false],
    ['postgres://db/hr?sslmode=verify-full', undefined, false, true],
    ['postgres://db/hr?sslmode=no-verify', undefined, false, true],
    ['postgres://db/hr?sslmode=prefer', undefined, false, false],
    ['postgres://db/hr?sslmode=', undefined, false, false],
    ['mysql://db/hr?ssl-mode=REQUIRED', undefined, false, true],
    ['mysql://db/hr?ssl-mode=VERIFY_CA', undefined, false, true],
    ['mysql://db/hr?ssl-mode=VERIFY_IDENTITY', undefined, false, true],
    ['mysql://db/hr?ssl-mode=DISABLED', undefined, false, false],
    ['mysql://db/hr?ssl={"rejectUnauthorized":true}', undefined, false, true],
    ['postgres://db/hr?ssl', undefined, false, true],
    ['mysql://db/hr?ssl&application_name=x', undefined, false, true],
    ['postgres://db/hr?sslmode=disable&sslmode=require', undefined, false, true],
    ['postgres://db/hr', '/ca.pem', false, true],
    ['postgres://db/hr', undefined, true, true],
  ])('%s with caFile %s, insecure %s speaks TLS: %s', (url, caFile, insecure, expected) => {
    expect(wantsTls(parseDatabaseUrl(url), { caFile, insecure })).toBe(expected);
  });

  test.each([
    'SSLMODE=require',
    'ssl_mode=REQUIRED',
    'sslMode=VERIFY_CA',
    'useSSL=true',
    'sslrootcert=ca.pem',
    'verifyServerCertificate=true',
    'channel_binding=require',
    'gssencmode=require',
    'secure=true',
  ])('with ?%s, which is no option of ours, does not go without TLS', (option) => {
    const tells = (more: string) => () =>
      wantsTls(parseDatabaseUrl(`mysql://db/hr?${more}${option}`), { insecure: false });
    const message = `source.url: the option ${option.split('=')[0]} is not known: write sslmode=…, or set source.tls.`;
    expect(tells('')).toThrow(message);
    expect(tells('ssl-mode=REQUIRED&')()).toBe(true);
  });
});
