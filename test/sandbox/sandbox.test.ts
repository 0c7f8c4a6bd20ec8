import { describe, expect, test } from 'vitest';
import { SandboxOptionError } from '../../src/sandbox/options/settings.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { open, person, jsonBody } from './wire-client.ts';

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

describe('starting and closing', () => {
  test('a port in use is an error with a sentence', async () => {
    const { sandbox } = await open();
    const port = Number(new URL(sandbox.baseUrl).port);
    await expect(startSandbox({ port })).rejects.toThrow(SandboxOptionError);
    await expect(startSandbox({ port })).rejects.toThrow(`127.0.0.1:${port}`);
  });
});
