import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusedIn } from '../../src/app/refused-secrets.ts';
import { SourceError } from '../../src/domain/errors.ts';
import { digest } from '../../src/lib/digest.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { Refusals, RefusedSecretError } from '../../src/source/connect/refusals.ts';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { hasServer } from '../servers/install.ts';
import { startPostgres } from '../servers/postgres.ts';
import { scratchFolder } from '../servers/scratch.ts';
import { startSlapd } from '../servers/slapd.ts';
import { throughout } from '../servers/throughout.ts';
import { problem } from './problem.ts';

const folder = scratchFolder('secrets');
const signal = new AbortController().signal;
const MINUTES = 60_000;

/** A source of this text with a clock of the test; its password is in a file. */
function sourceOf(text: string) {
  const file = join(folder, `password-${String(Math.random()).slice(2)}`);
  const clock = { ms: 0 };
  const setPassword = (password: string): void => writeFileSync(file, `${password}\n`);
  setPassword('first');
  const source = text.replace('PASSWORD', `\${file:${file}}`);
  const { settings } = load(`${SERVICE}source:${source}\n`);
  const refusals = new Refusals(() => clock.ms);
  const open = async (): Promise<void> => {
    const read = await openSource(settings.source, { refusals }).open(signal);
    await read.close();
  };
  return { clock, setPassword, open };
}

describe.skipIf(!hasServer('postgres'))('the password of a database', () => {
  const server = throughout(() => startPostgres());

  test('is read at each run, and one that was refused is not tried again at once', async () => {
    await server.exec(
      `create role reader login password 'first'; create table p (id text, login text, name text)`,
    );
    await server.exec('grant select on p to reader');
    const stage = sourceOf(`
  type: sql
  url: postgres://reader@localhost:${server.port}/hr
  password: PASSWORD
  tls: { caFile: ${server.caFile} }
  units: { query: "select 'u' as id, 'U' as name", fields: { id: id, name: name } }
  people: { query: select * from p, fields: { id: id, username: login, name: name, positions: [{ unit: { const: u } }] } }`);
    await stage.open();
    await server.exec(`alter role reader password 'second'`);
    await expect(stage.open()).rejects.toThrow(RefusedSecretError);
    await expect(stage.open()).rejects.toThrow(problem('source-secret-early', 'postgres://', 'source.url'));
    stage.setPassword('second');
    await stage.open();
  });
});

describe.skipIf(!hasServer('slapd'))('the password of a directory', () => {
  const server = throughout(() => startSlapd());
  const dn = 'cn=rotating,dc=example,dc=com';
  const setInDirectory = (password: string): void =>
    server.modify(`dn: ${dn}\nchangetype: modify\nreplace: userPassword\nuserPassword: ${password}\n`);

  test('is read at each run; a wrong one is tried after a pause that grows, another one at once', async () => {
    server.modify(
      `dn: ${dn}\nchangetype: add\nobjectClass: person\ncn: rotating\nsn: x\nuserPassword: first\n`,
    );
    const stage = sourceOf(`
  type: ldap
  url: ${server.ldapsUrl}
  tls: { caFile: ${server.caFile} }
  bindDn: ${dn}
  bindPassword: PASSWORD
  vendor: openldap
  units: { base: "dc=example,dc=com" }
  people: { base: "dc=example,dc=com" }`);
    await stage.open();
    setInDirectory('second');
    const refused = async (): Promise<unknown> => stage.open().catch((error: unknown) => error);
    expect(await refused()).toBeInstanceOf(RefusedSecretError);
    for (const pause of [15, 30, 60, 120, 240, 480, 480]) {
      stage.clock.ms += pause * MINUTES - 1;
      const early = await refused();
      expect(early).toBeInstanceOf(SourceError);
      expect(early).toEqual(problem('source-secret-early'));
      stage.clock.ms += 1;
      expect(await refused()).toBeInstanceOf(RefusedSecretError);
    }
    setInDirectory('first');
    stage.setPassword('other');
    expect(await refused()).toBeInstanceOf(RefusedSecretError);
    stage.setPassword('first');
    await stage.open();
    setInDirectory('third');
    expect(await refused()).toBeInstanceOf(RefusedSecretError);
    stage.clock.ms += 15 * MINUTES;
    expect(await refused()).toBeInstanceOf(RefusedSecretError);
  });
});

test('a refused password is remembered in the ledger, without its text, for the next process', async () => {
  const clock = { ms: 0 };
  const now = (): number => clock.ms;
  const path = join(folder, 'kept.db');
  let sent = 0;
  const attempt = async (secret: string, isTaken = false): Promise<unknown> => {
    const ledger = openLedger({ path, binding: 'd/o', now, mode: 'write' });
    const refusals = new Refusals(now);
    refusals.keepIn(refusedIn(ledger));
    const open = (): Promise<string> => {
      sent += 1;
      return isTaken ? Promise.resolve('opened') : Promise.reject(new RefusedSecretError('no.'));
    };
    const ended = await refusals.tried('reader at ad', secret, open).catch((error: unknown) => error);
    const kept = JSON.stringify(ledger.fact('refusedSecrets') ?? {});
    expect([kept.includes(secret), kept.includes(digest(secret))]).toEqual([false, false]);
    ledger.close();
    return ended;
  };
  for (const pause of [15, 30, 60]) {
    expect(await attempt('wrong')).toBeInstanceOf(RefusedSecretError);
    clock.ms += pause * MINUTES - 1;
    expect(await attempt('wrong')).toEqual(problem('source-secret-early'));
    clock.ms += 1;
  }
  expect(sent).toBe(3);
  expect([await attempt('right', true), await attempt('wrong')]).toEqual([
    'opened',
    expect.any(RefusedSecretError),
  ]);
  // A clock that was set wrong delays nothing.
  clock.ms -= 365 * 24 * 60 * MINUTES;
  expect(await attempt('wrong')).toBeInstanceOf(RefusedSecretError);
});
