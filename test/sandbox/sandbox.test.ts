import { describe, expect, test } from 'vitest';
import type { SandboxCall } from '../../src/sandbox/http/call-log.ts';
import { Refused } from '../../src/sandbox/operations/operation.ts';
import { SandboxOptionError } from '../../src/sandbox/options/readings.ts';
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

describe('onCall', () => {
  test('runs before the work, with the body, and holds the call', async () => {
    const { people, sandbox } = await open();
    const seen: (readonly [SandboxCall, string, number])[] = [];
    let release: (() => void) | undefined;
    sandbox.onCall = (call, body) => {
      seen.push([call, body, sandbox.state.employees().length]);
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    const importing = people(sandbox.rootId, 'ann');
    await expect.poll(() => seen.length).toBe(1);
    expect(sandbox.state.employees()).toHaveLength(0);
    release?.();
    await importing;
    expect(seen[0]?.[0].operation).toBe('importEmployees');
    expect(seen[0]?.[1]).toContain('"username":"ann"');
    expect(seen[0]?.[2]).toBe(0);
    expect(sandbox.state.employees()).toHaveLength(1);
  });

  test('a sandbox that is closed meanwhile does not do the work', async () => {
    const { people, sandbox } = await open();
    sandbox.onCall = () => sandbox.close();
    await expect(people(sandbox.rootId, 'ann')).rejects.toThrow('fetch failed');
    expect(sandbox.state.employees()).toHaveLength(0);
  });
});

describe('edits behind the interface', () => {
  test('namesakes below one parent, and another parent, with the counts above', async () => {
    const { get, people, org, sandbox } = await open();
    const a = sandbox.edit.addOrganization(sandbox.rootId, 'A', { serialNo: 's1' });
    const twin = sandbox.edit.addOrganization(sandbox.rootId, 'A');
    const below = sandbox.edit.addOrganization(a.id, 'B');
    await people(below.id, 'ann');
    const total = async (id: string): Promise<unknown> =>
      (await get(`${org}/${id}`)).result.all_employee_count;
    expect([await total(a.id), await total(twin.id)]).toEqual([1, 0]);
    sandbox.edit.changeOrganization(below.id, { parentId: twin.id });
    expect([await total(a.id), await total(twin.id), await total(sandbox.rootId)]).toEqual([0, 1, 1]);
    expect((await get(`${org}/${below.id}`)).result.path).toBe(`/${sandbox.rootId}/${twin.id}/${below.id}/`);
    sandbox.edit.removeOrganization(a.id);
    expect(sandbox.state.organizationByPath('/Root/A')?.id).toBe(twin.id);
    sandbox.edit.removeOrganization(twin.id);
    expect(sandbox.state.employee('ann')?.positions).toEqual([]);
    expect(await total(sandbox.rootId)).toBe(0);
  });

  test('people: create, change with positions kept, lock, unlock, remove', async () => {
    const { node, sandbox } = await open();
    const dept = await node('A');
    const position = { org_id: dept, job_title: 'Boss', primary: true, chief: true };
    sandbox.edit.addEmployee({ username: 'ann', name: 'Ann', email: 'e', positions: [position] });
    const changed = sandbox.edit.changeEmployee('ANN', { mobile: '1' });
    expect(changed).toMatchObject({ name: 'Ann', profile: { email: 'e', mobile: '1' } });
    expect(changed.positions).toMatchObject([{ orgId: dept, jobTitle: 'Boss', primary: true, chief: true }]);
    expect(sandbox.edit.lockEmployee('ann').locked).toBe(true);
    expect(sandbox.edit.unlockEmployee('ann').locked).toBe(false);
    sandbox.edit.removeEmployee('ann');
    expect(sandbox.state.employees()).toEqual([]);
    expect(() => sandbox.edit.lockEmployee('ann')).toThrow(Refused);
    expect(sandbox.calls.map(({ operation }) => operation)).toEqual(['importOrganizations']);
  });
});

describe('starting and closing', () => {
  test('a port in use is an error with a sentence', async () => {
    const { sandbox } = await open();
    const port = Number(new URL(sandbox.baseUrl).port);
    await expect(startSandbox({ port })).rejects.toThrow(SandboxOptionError);
    await expect(startSandbox({ port })).rejects.toThrow(`127.0.0.1:${port}`);
  });

  test('closing twice does no harm, and nobody answers after it', async () => {
    const { raw, org, sandbox } = await open();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(raw('GET', org)).rejects.toThrow('fetch failed');
  });
});
