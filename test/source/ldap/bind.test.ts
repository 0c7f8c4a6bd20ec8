import { dirname } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { sourceChange } from '../../../src/domain/reading/source-identity.ts';
import type { LdapSettings } from '../../../src/source/ldap/settings/ldap-settings.ts';
import { BY_CERTIFICATE, refusedBy, START_TLS } from '../../../src/source/ldap/wire/ldap-problems.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { freePort } from '../../servers/daemon.ts';
import { hasServer } from '../../servers/install.ts';
import { makeClientCertificate } from '../../servers/private-ca.ts';
import { startSlapd } from '../../servers/slapd.ts';
import { throughout } from '../../servers/throughout.ts';
import { BASE, ldapSettings, worldLdif } from '../ldap-world.ts';
import { problem } from '../problem.ts';
import { each, never, readAll } from '../source-contract.ts';
import { startFakeLdap } from './fake-ldap.ts';

const present = hasServer('slapd');

/** Returns a program that prints this. */
function printing(text: string): readonly string[] {
  return ['/usr/bin/printf', '%s', text];
}

describe.skipIf(!present)('a bind', () => {
  const server = throughout(() =>
    startSlapd({
      ldif: worldLdif(),
      readers: 'dn.exact="cn=reader,dc=example,dc=com"',
      head: 'TLSVerifyClient try\nauthz-regexp "^cn=rollcall,o=example$" "cn=reader,dc=example,dc=com"',
    }),
  );
  let own: { readonly certFile: string; readonly keyFile: string };
  beforeAll(() => {
    own = makeClientCertificate(dirname(server.caFile), 'rollcall');
  });

  const external = (more: object = {}): LdapSettings => {
    const { bindDn: _dn, bindPassword: _password, ...settings } = ldapSettings(server);
    const tls = { caFile: server.caFile, insecure: false, ...own, ...more };
    return { ...settings, url: server.ldapsUrl, tls };
  };

  test('over TLS on a port without it is told so', async () => {
    const settings = { ...external(), url: server.url.replace('ldap:', 'ldaps:') };
    await expect(readAll(openSource(settings))).rejects.toThrow(problem('ldap-no-tls'));
  });

  test('is not encrypted on this machine, and by default anywhere else', async () => {
    const elsewhere = { url: server.farUrl, tls: { insecure: true } };
    expect((await readAll(openSource(ldapSettings(server, elsewhere)))).people.length).toBeGreaterThan(1_000);
    const untrusted = openSource(ldapSettings(server, { ...elsewhere, tls: { insecure: false } }));
    await expect(untrusted.open(never)).rejects.toThrow(problem('ldap-unreachable'));
    const clear = openSource(
      ldapSettings(server, { ...elsewhere, tls: { insecure: false }, startTls: false }),
    );
    expect((await readAll(clear)).people.length).toBeGreaterThan(1_000);
  });

  test.each([
    [49, START_TLS, '', 'ldap-no-start-tls', /offers no StartTLS/u],
    [
      49,
      'binding',
      'AcceptSecurityContext error, data 52e, v4563',
      'ldap-login',
      /or the password is wrong/u,
    ],
    [49, 'binding', 'AcceptSecurityContext error, data 533, v4563', 'ldap-login', /account is disabled/u],
    [49, 'binding', 'data 9, v4563', 'ldap-login', /refuses this name or password/u],
    [49, `binding ${BY_CERTIFICATE}`, 'no', 'ldap-certificate', /source\.tls\.certFile/u],
    [8, 'binding', '', 'ldap-tls-needed', /ldaps:/u],
    [51, 'binding', '', 'ldap-busy', /next run/u],
    [80, 'searching', 'oops', 'ldap-result', /\(result code 80 oops\)/u],
  ])('or search that ends with %i at %s %s is explained', (code, doing, text, ...[name, words]) => {
    const result = { code, text, referrals: [], controls: new Map() };
    const error = refusedBy(result, { server: 'dc1', path: 'source', doing });
    expect(error).toEqual(problem(name));
    expect(error.message).toMatch(words);
  });

  test.each(['ldaps', 'startTls'])('by certificate reads what its name may read, over %s', async (how) => {
    const startTls = how === 'startTls' ? { url: server.url, startTls: true } : {};
    const { people } = await readAll(openSource({ ...external(), ...startTls }));
    expect(people.length).toBeGreaterThan(1_000);
  });

  test('by a certificate of somebody else reads nothing', async () => {
    const other = makeClientCertificate(dirname(server.caFile), 'stranger');
    await expect(readAll(openSource(external({ ...other })))).rejects.toThrow(problem('ldap-no-entry'));
  });

  test('takes the password that a command prints, which the log is told to hide', async () => {
    const told: string[] = [];
    const command = ['/bin/echo', server.password];
    const settings = ldapSettings(server, { bindPassword: { command } });
    const { people } = await readAll(openSource(settings, { onSecret: (secret) => told.push(secret) }));
    expect(people.length).toBeGreaterThan(1_000);
    expect(told).toEqual([server.password]);
  });

  test.each([
    [
      ['/bin/false', 'sw0rdfish'],
      /source\.bindPassword: the command, \/bin\/false, failed \(1\): try it by hand/u,
    ],
    [printing('sw0rdfish'), /Check source\.bindDn and source\.bindPassword/u],
  ])('with the password of %j fails in words, without the password', async (command, words) => {
    const failure = openSource(ldapSettings(server, { bindPassword: { command } })).open(never);
    await expect(failure).rejects.toThrow(words);
    await expect(failure).rejects.not.toThrow(/sw0rdfish/u);
  });
});

describe.skipIf(!present)('several servers of one directory', () => {
  const server = throughout(() => startSlapd({ ldif: worldLdif() }));

  test('are asked one after the other until one answers, and both parts come from that one', async () => {
    const dead = `ldap://localhost:${await freePort()}`;
    const settings = { ...ldapSettings(server), url: dead, otherUrls: [server.url] };
    const { people, units, evidence } = await readAll(openSource(settings));
    expect([people.length > 1_000, units.length]).toEqual([true, 7]);
    expect(evidence.warnings).toEqual([expect.stringMatching(`${server.url}, .*${dead}.*ECONNREFUSED`)]);
    const good = await readAll(openSource({ ...settings, url: server.url, otherUrls: [dead] }));
    expect(good.evidence.warnings).toEqual([]);
  });

  test('are left where none answers, each with its reason', async () => {
    const [one, two] = [`ldap://localhost:${await freePort()}`, `ldap://127.0.0.1:${await freePort()}`];
    const source = openSource({ ...ldapSettings(server), url: one, otherUrls: [two] });
    await expect(source.open(never)).rejects.toThrow(problem('ldap-no-server', one, two));
  });

  test('are not asked in turn with a password that the first one refuses', async () => {
    const settings = { ...ldapSettings(server, { bindPassword: 'wrong' }), otherUrls: [server.url] };
    await expect(openSource(settings).open(never)).rejects.toThrow(problem('ldap-login'));
  });

  test('never replace each other in the middle of a read', async () => {
    const breaks = await startFakeLdap([
      { dns: [`cn=a,${BASE}`], cookie: 'c1' },
      { dns: [], cookie: '', hangUp: true },
    ]);
    const settings = { ...ldapSettings(server), url: breaks.url, otherUrls: [server.url], pageSize: 1 };
    const read = await openSource(settings).open(never);
    const all = async (): Promise<void> => {
      for await (const _ of each(read.people()));
    };
    await expect(all()).rejects.toThrow(problem('ldap-unreachable'));
    expect(read.evidence().parts).toMatchObject([{ part: 'people', records: 1, end: 'not ended' }]);
    await read.close();
    breaks.stop();
  });

  test('are the same source as any of them, and another one as none of them', () => {
    const identity = (url: string, ...otherUrls: readonly string[]): string =>
      openSource({ ...ldapSettings(server), url, otherUrls }).identity;
    const [a, b, c] = ['ldap://a', 'ldaps://b:636', 'ldap://c'] as const;
    expect(sourceChange(identity(a), identity(b, a))).toBeNull();
    expect(sourceChange(identity(a, b), identity(b))).toBeNull();
    expect(sourceChange(identity(a, b), identity(c, b))).toBeNull();
    expect(sourceChange(identity(a, b), identity(c))).toMatch(/ a or b .* c /u);
    expect(identity(a)).toBe(openSource({ ...ldapSettings(server), url: a }).identity);
  });
});
