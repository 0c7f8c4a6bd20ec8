import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SandboxOptionError } from '../../src/sandbox/options/settings.ts';
import { READINGS } from '../../src/sandbox/options/readings.ts';
import { startSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { dataFile, open, person, jsonBody } from './wire-client.ts';

describe('the record of calls', () => {
  test('tells each call with its outcome, without the token', async () => {
    const { get, post, org, sandbox } = await open({ now: () => 77, token: 'top-secret' });
    await get(`${org}/page-orgs`, { limit: '5' });
    await post(`${org}/import-employees`, [person('é', sandbox.rootId)]);
    await get(`${org}/1`);
    const [paged, imported, missing] = sandbox.calls;
    expect(paged).toEqual({
      number: 1,
      at: 77,
      operation: 'pageOrganizations',
      method: 'GET',
      path: `${org}/page-orgs?limit=5&domain_id=sandbox`,
      bodyBytes: 0,
      fault: undefined,
      http: 200,
      status: 0,
    });
    const { body } = jsonBody([person('é', sandbox.rootId)]);
    expect(imported?.bodyBytes).toBe(Buffer.byteLength(body as string));
    expect(missing).toMatchObject({ number: 3, operation: 'getOrganization', status: 990404 });
    expect(JSON.stringify(sandbox.calls)).not.toContain('top-secret');
    expect(sandbox.callCounts).toEqual({ pageOrganizations: 1, importEmployees: 1, getOrganization: 1 });
    sandbox.forgetCalls();
    expect([sandbox.calls, sandbox.callCounts]).toEqual([[], {}]);
    await get(org);
    expect(sandbox.calls.map(({ number }) => number)).toEqual([4]);
  });
});

test.each<readonly [words: string, options: SandboxOptions]>([
  [Object.keys(READINGS).at(-1) ?? '', { readings: ['nonsense'] }],
  ['names|ids', { readings: ['pathKeys=numbers'] }],
  ['on|off', { readings: ['keysLower=yes'] }],
  ['N', { readings: ['pageCap=many'] }],
  ['2s', { readings: ['asyncImport=2h'] }],
  ['There are: seed=N, rate=0.1, kinds=', { faults: 'speed=1' }],
  ['dropBefore', { faults: 'kinds=429+fire' }],
  ['rate', { faults: 'rate=2' }],
  ['rate', { faults: 'rate=' }],
  ['seed', { faults: 'seed=x' }],
  ['slowMs', { faults: 'slowMs=-1' }],
  ['is no http address', { callback: { url: 'ftp://x' } }],
  ['has 5 characters; it needs 43', { callback: { url: 'http://x', key: 'short' } }],
  ['cannot be used', { data: '/nowhere/at/all.db' }],
])('says "%s" of an option that cannot be followed: %j', async (words, options) => {
  const error: unknown = await startSandbox(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SandboxOptionError);
  expect(String(error)).toContain(words);
});

test('a port in use, a file that is no database, and one of another organization cannot be followed either', async () => {
  const data = dataFile();
  const { sandbox } = await open({ data, orgCode: 'acme' });
  const { port } = new URL(sandbox.baseUrl);
  await expect(startSandbox({ port: Number(port) })).rejects.toThrow(`127.0.0.1:${port}`);
  await sandbox.close();
  await expect(startSandbox({ data, orgCode: 'other' })).rejects.toThrow(/orgCode "acme"/u);
  writeFileSync(`${data}.txt`, 'no database, and long enough to be read as a header'.repeat(9));
  await expect(startSandbox({ data: `${data}.txt` })).rejects.toThrow(SandboxOptionError);
});
