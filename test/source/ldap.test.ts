import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ConfigError, SourceError } from '../../src/domain/errors.ts';
import { openSource } from '../../src/source/open-source.ts';
import { hasServer } from '../servers/install.ts';
import { added } from '../servers/ldif.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSlapd } from '../servers/slapd.ts';
import { throughout } from '../servers/throughout.ts';
import { BASE, dnOf, ldapSettings, worldLdif } from './ldap-world.ts';
import { problem } from './problem.ts';
import { collect, each, describeSource, never, readAll } from './source-contract.ts';
import { PEOPLE } from './world.ts';

const present = hasServer('slapd');

describeSource('LDAP', present, async () => {
  const server = await startSlapd({ ldif: worldLdif() });
  const limited = await startSlapd({ ldif: worldLdif(), limits: 'size.prtotal=700' });
  return {
    source: openSource(ldapSettings(server)),
    broken: openSource(ldapSettings(limited, { pageSize: 100 })),
    stop: async () => {
      await server.stop();
      await limited.stop();
    },
  };
});

describe.skipIf(!present)('an LDAP server', () => {
  const server = throughout(() => startSlapd({ ldif: worldLdif() }));

  test('further positions name units by DN, however it is escaped', async () => {
    const spellings = [
      `OU=Sales\\2C Marketing , ou=COMPANY,${BASE}`,
      `ou="Sales, Marketing",ou=company,${BASE.toUpperCase()}`,
      'OU=\\e7\\a0\\94\\E5\\8F\\91\\e9\\83\\a8,ou=Sales\\,  Marketing,ou=company,ou=company,dc=example,dc=com',
    ];
    server.modify(person('spelled', dnOf('u1'), { departmentNumber: spellings }));
    const { people, units } = await readAll(openSource(ldapSettings(server)));
    const refs = people.find(({ id }) => id === 'spelled')?.positions.map(({ unit }) => unit);
    const named = refs?.map((ref) => units.find((unit) => unit.refs.includes(ref ?? ''))?.id);
    expect(named?.toSorted()).toEqual(['u1', 'u2', 'u4']);
    server.modify(`dn: cn=spelled,${dnOf('u1')}\nchangetype: delete\n`);
  });

  test('binary values come as base64, whether or not they happen to be text', async () => {
    server.modify(person('photo', dnOf('u1'), { jpegPhoto: Buffer.from('plain') }));
    const settings = ldapSettings(server, { people: { filter: '(cn=photo)' } });
    const fields = { ...settings.people.rules.fields, extended1: 'JPEGphoto' };
    const rules = { ...settings.people.rules, fields };
    const { people } = await readAll(openSource({ ...settings, people: { ...settings.people, rules } }));
    expect(people[0]?.fields['extended1']).toBe(Buffer.from('plain').toString('base64'));
    server.modify(`dn: cn=photo,${dnOf('u1')}\nchangetype: delete\n`);
  });

  test('is spoken to over ldaps and StartTLS with a private authority', async () => {
    const tls = { caFile: server.caFile, insecure: false };
    const count = async (changes: object): Promise<number> =>
      (await readAll(openSource(ldapSettings(server, changes)))).people.length;
    const plain = await count({});
    expect(await count({ url: server.ldapsUrl, tls })).toBe(plain);
    expect(await count({ startTls: true, tls })).toBe(plain);
    expect(await count({ url: server.ldapsUrl.replace('localhost', '127.0.0.1'), tls })).toBe(plain);
    expect(await count({ startTls: true, url: server.url.replace('localhost', '127.0.0.1'), tls })).toBe(
      plain,
    );
    expect(await count({ url: server.ldapsUrl, tls: { insecure: true } })).toBe(plain);
  });

  test.each([{ startTls: true }, { secure: true }])(
    'whose certificate is not trusted says so: %o',
    async (how) => {
      const changes = 'secure' in how ? { url: server.ldapsUrl } : how;
      await expect(openSource(ldapSettings(server, changes)).open(never)).rejects.toThrow(
        problem('ldap-unreachable', 'source.tls.caFile'),
      );
    },
  );

  test('a caFile that cannot be read or is none is a configuration error', async () => {
    const folder = scratchFolder('ca');
    writeFileSync(join(folder, 'none.pem'), 'nothing');
    for (const caFile of [join(folder, 'missing.pem'), join(folder, 'none.pem')]) {
      const settings = ldapSettings(server, { url: server.ldapsUrl, tls: { caFile, insecure: false } });
      await expect(openSource(settings).open(never)).rejects.toBeInstanceOf(ConfigError);
    }
    removeFolder(folder);
  });

  test('that accepts and says nothing is given up in time', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    for (const url of [`ldap://127.0.0.1:${port}`, `ldaps://127.0.0.1:${port}`]) {
      const settings = ldapSettings(server, { url, seconds: 1 });
      await expect(openSource(settings).open(never)).rejects.toThrow(problem('ldap-silent'));
    }
    silent.close();
  });

  test('a filter may be folded over lines', async () => {
    const settings = ldapSettings(server, {
      people: { filter: '(&\n  (objectClass=inetOrgPerson)\n  (| (cn=p1) (cn=p2) )\n)' },
    });
    expect((await readAll(openSource(settings))).people).toHaveLength(2);
  });

  test('that is killed in the middle, over StartTLS, rejects', async () => {
    const other = await startSlapd({ ldif: worldLdif() });
    const tls = { caFile: other.caFile, insecure: false };
    const read = await openSource(ldapSettings(other, { pageSize: 20, tls, startTls: true })).open(never);
    let seen = 0;
    const all = async (): Promise<void> => {
      for await (const _ of each(read.people())) if (++seen === 30) await other.kill();
    };
    await expect(all()).rejects.toBeInstanceOf(SourceError);
    expect(seen).toBeLessThan(PEOPLE.length);
    await read.close();
    await other.stop();
  });

  test('shows the raw values of what it found, not those of secrets', async () => {
    const settings = ldapSettings(server);
    const fields = { ...settings.people.rules.fields, id_card: 'title' };
    const rules = { ...settings.people.rules, fields };
    const source = openSource({ ...settings, people: { ...settings.people, rules, filter: '(cn=p1)' } });
    const sample = (await source.find('person', ['p1'], never)).at(0);
    expect(sample?.raw).toMatchObject({ employeeNumber: ['p1'], departmentNumber: ['u5'] });
    expect(JSON.stringify(sample?.raw)).not.toContain('Engineer');
  });

  test('a person without uid is refused with the DN as its place', async () => {
    const read = await openSource(ldapSettings(server, { people: { filter: '(cn=p6)' } })).open(never);
    expect(await collect(read.people())).toMatchObject([
      { ok: false, refusal: { id: 'p6', place: `cn=p6,${dnOf('u1')}`, field: 'username' } },
    ]);
    await read.close();
  });
});

function person(
  id: string,
  parent: string,
  more: Record<string, string | Buffer | readonly string[]>,
): string {
  const required = { cn: id, sn: 'x', uid: id, displayName: id, employeeNumber: id };
  return added([[`cn=${id},${parent}`, { objectClass: 'inetOrgPerson', ...required, ...more }]]);
}
