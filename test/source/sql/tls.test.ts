import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SqlSettings } from '../../../src/domain/source-settings.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { hasServer } from '../../servers/install.ts';
import { startMariadb } from '../../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../../servers/postgres.ts';
import { makePrivateCa } from '../../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { never } from '../source-contract.ts';
import { worldSettings } from '../sql-world.ts';

type Tls = SqlSettings['tls'];

async function connect(url: string, tls: Tls): Promise<'connected'> {
  const read = await openSource(worldSettings(url, { tls })).open(never);
  await read.close();
  return 'connected';
}

const SERVERS = [
  { name: 'postgres', start: startPostgres, ask: 'sslmode=verify-full' },
  { name: 'mariadb', start: startMariadb, ask: 'ssl-mode=REQUIRED' },
] as const;

describe.each(SERVERS.filter(({ name }) => hasServer(name)))('TLS with $name', ({ start, ask }) => {
  let server: SqlServer;
  let folder = '';
  let strangerCa = '';
  beforeAll(async () => {
    server = await start();
    folder = scratchFolder('stranger');
    strangerCa = makePrivateCa(folder).caFile;
  });
  afterAll(async () => {
    await server?.stop();
    removeFolder(folder);
  });

  test('is spoken with the authority of the server, also where the URL asks for it itself', async () => {
    const { caFile } = server;
    const tls = { caFile, insecure: false };
    expect(await connect(server.url, tls)).toBe('connected');
    expect(await connect(`${server.url}?${ask}`, tls)).toBe('connected');
  });

  test('is refused with another authority, with the remedy', async () => {
    const failure = connect(server.url, { caFile: strangerCa, insecure: false });
    await expect(failure).rejects.toThrow(/certificate is not trusted .*source\.tls\.caFile/u);
    await expect(connect(`${server.url}?${ask}`, { insecure: false })).rejects.toThrow(/is not trusted/u);
  });

  test('is not given up silently where the server speaks none', async () => {
    const plain = await start({ tls: false });
    try {
      const failure = connect(plain.url, { caFile: server.caFile, insecure: false });
      await expect(failure).rejects.toThrow(/does not speak TLS, which source\.tls or the URL asks for/u);
      await connect(plain.url, { insecure: false });
    } finally {
      await plain.stop();
    }
  });
});

test('the driver for MySQL compares no certificate with an address: a name is asked for', async () => {
  const failure = connect('mysql://hr:x@192.0.2.1/hr?ssl-mode=REQUIRED', { insecure: false });
  await expect(failure).rejects.toThrow(/with an address; write the server's name/u);
});
