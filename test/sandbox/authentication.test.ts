import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/sandbox/http/routes.ts';
import { open, read } from './wire-client.ts';

const EVERY_OPERATION = ROUTES.map(({ name, row, path }) => {
  const filled = path.replaceAll(/\{(?:org_)?code\}/gu, 'sandbox').replaceAll(/\{\w+\}/gu, '1');
  const query = name === 'searchUsers' ? '?query=a&type=id&matching=true' : '';
  const headers: Record<string, string> =
    row.body.kind === 'form' ? { 'Content-Type': 'multipart/form-data; boundary=b' } : {};
  return [name, row.method, `${filled}${query}`, headers] as const;
});

describe('Authentication', () => {
  test('takes the token of an application for every operation, for schedules no other, and a strange one for none', async () => {
    const { sandbox } = await open({ appToken: 'app' });
    const refused = async (token: string): Promise<readonly string[]> => {
      const names: string[] = [];
      for (const [name, method, path, headers] of EVERY_OPERATION) {
        const sign = path.includes('?') ? '&' : '?';
        const url = `${sandbox.baseUrl}${path}${sign}access_token=${token}`;
        const response = await fetch(url, { method, headers });
        const { message } = await read(response);
        if (/token/u.test(message)) names.push(name);
      }
      return names;
    };
    expect(await refused('app')).toEqual([]);
    expect(await refused('other')).toHaveLength(EVERY_OPERATION.length);
    const ofApplications = ['createSchedule', 'modifySchedule', 'deleteSchedule'];
    expect((await refused(sandbox.token)).toSorted()).toEqual(ofApplications.toSorted());
  });
});

describe('Calls that are not as the tables say', () => {
  test('another organization code, also in another case, is refused', async () => {
    const { get, sandbox } = await open({ orgCode: 'Acme' });
    expect((await get('/v1/admin/organizations/Acme')).status).toBe(0);
    const reply = await get('/v1/admin/organizations/acme');
    expect(reply.status).not.toBe(0);
    expect(reply.result).toBeUndefined();
    expect(sandbox.orgCode).toBe('Acme');
  });

  test.each(['employees', 'page-orgs', 'view', 'tree', 'list-all', 'serial/s1'])(
    '%s wants the domain_id',
    async (path) => {
      const { sandbox, org, node } = await open({ domainId: 'd1' });
      await node('A', sandbox.rootId, { serial_no: 's1' });
      const status = async (domain: string): Promise<number> =>
        (await read(await fetch(`${sandbox.baseUrl}${org}/${path}?access_token=${sandbox.token}${domain}`)))
          .status;
      expect(await status('&domain_id=d1')).toBe(0);
      expect(await status('')).not.toBe(0);
      expect(await status('&domain_id=d2')).not.toBe(0);
    },
  );
});

test('every answer carries the Date of the sandbox clock', async () => {
  const { get, raw, org } = await open({ now: () => Date.UTC(2030, 0, 2, 3, 4, 5, 678) });
  for (const reply of [await get(org), await raw('GET', '/nothing'), await raw('GET', `${org}/1`)]) {
    expect(reply.headers.get('date')).toBe(new Date('2030-01-02T03:04:05Z').toUTCString());
  }
  expect((await get(org)).result.created).toBe(Date.UTC(2030, 0, 2, 3, 4, 5, 678));
});
