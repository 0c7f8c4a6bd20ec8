import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { scimSource } from '../open-one.ts';
import { FakeClock } from '../../doubles/fake-clock.ts';
import { makePrivateCa, type PrivateCa } from '../../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { readAll } from '../source-contract.ts';
import { startScim, type ScimServer } from './scim-server.ts';
import { scimSettings } from './scim-world.ts';
import { problem } from '../problem.ts';

describe('a SCIM server with a certificate of a private authority', () => {
  const folder = scratchFolder('scim-tls');
  let ca: PrivateCa;
  let server: ScimServer;
  beforeAll(async () => {
    ca = makePrivateCa(folder);
    server = await startScim({ Groups: [{ id: 'g1', displayName: 'G' }], Users: [] }, ca);
  });
  afterAll(async () => {
    await server.close();
    removeFolder(folder);
  });

  test('is read with the authority that is given', async () => {
    const source = scimSource(scimSettings(server.url, { tls: { caFile: ca.caFile, insecure: false } }));
    expect((await readAll(source)).units).toHaveLength(1);
  });

  test('is read unchecked where that is asked for', async () => {
    const source = scimSource(scimSettings(server.url, { tls: { insecure: true } }));
    expect((await readAll(source)).units).toHaveLength(1);
  });

  test('is not trusted otherwise, and gets no token', async () => {
    const before = server.asked.length;
    const source = scimSource(scimSettings(server.url), new FakeClock({ auto: true }));
    await expect(readAll(source)).rejects.toThrow(problem('http-server', 'source.tls.caFile'));
    expect(server.asked).toHaveLength(before);
  });
});
