import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { dataFile, jsonBody, open, person, read, type Json } from './wire-client.ts';

const everything = ({ state }: Sandbox): unknown => ({
  organizations: state.organizations(),
  employees: state.employees(),
  users: state.users(),
  templates: state.templates(),
  pushes: state.pushes(),
  schedules: state.schedules(),
});

/** A world with every kind of change in it: created, modified, locked, removed. */
async function live(data: string): Promise<Sandbox> {
  const { sandbox, node, people, post, del, org } = await open({
    data,
    domainId: 'd',
    orgCode: 'acme',
    rootName: 'R',
  });
  const [a, gone] = [await node('A', sandbox.rootId, { serial_no: 's1' }), await node('Gone')];
  await people(a, 'ann', 'bob', 'cleo');
  const tags = `[{"username":"ann","name":"Ann","tags":[9007199254740993],"positions":[{"org_id":${a}}]}]`;
  await post(`${org}/import-employees`, tags);
  await post(`${org}/employees/${sandbox.state.employee('bob')?.id}/disable`);
  await post(`${org}/import-employees`, [person('cleo', a, { ops: 'REMOVE' })]);
  await del(`${org}/${gone}`);
  await applicationWork(sandbox);
  return sandbox;
}

/** Templates, messages and schedules, one of each kept, and one changed or removed. */
async function applicationWork(sandbox: Sandbox): Promise<void> {
  const call = async (path: string, body: object): Promise<Json> => {
    const url = new URL(path, sandbox.baseUrl);
    url.searchParams.set('access_token', sandbox.appToken);
    return (await read(await fetch(url, { method: 'POST', ...jsonBody(body) }))).result;
  };
  const { id } = await call('/v1/templates?app_id=a', { title: 'T', tags: 'before' });
  await call(`/v1/templates/${id}?app_id=a`, { tags: 'after' });
  await call('/v1/apps/mbox', { type: 'template', body: { template_id: id }, usernames: ['ann'] });
  const times = { begin_time: 1_795_000_000_000, end_time: 1_795_000_000_000 };
  const reminder = { remind: false, remind_before_seconds: 0 };
  const about = { owner: 'ann', source: 's', source_id: '1', source_uid: '1', full_time: true };
  const fields = { summary: 'S', repeat_type: 'daily', reminder, ...times, ...about };
  await call('/v1/apps/schedules', fields);
  const { id: second } = await call('/v1/apps/schedules', fields);
  await call(`/v1/apps/schedules/${second}`, { ops: 'delete' });
}

test('a closed sandbox starts again as it was, and goes on with new ids', async () => {
  const data = dataFile();
  const first = await live(data);
  const before = everything(first);
  expect(first.state.templates()).toMatchObject([{ fields: { title: 'T', tags: 'after' } }]);
  expect([first.state.pushes().length, first.state.schedules().length]).toEqual([1, 1]);
  await first.close();
  const { sandbox, get, org, node } = await open({ data });
  expect(everything(sandbox)).toEqual(before);
  expect([sandbox.domainId, sandbox.orgCode, sandbox.rootId]).toEqual(['d', 'acme', first.rootId]);
  expect((await get(org)).result).toMatchObject({ name: 'R', all_employee_count: 2 });
  expect((await get(`${org}/serial/s1`)).result.employee_count).toBe(2);
  const known = [...first.state.organizations(), ...first.state.employees(), ...first.state.users()];
  expect(known.map(({ id }) => id)).not.toContain(await node('New'));
});

test('what was answered is in the file when the sandbox is killed', async () => {
  const data = dataFile();
  const running = await live(data);
  const image = `${data}.image`;
  for (const suffix of ['', '-wal']) {
    if (existsSync(`${data}${suffix}`)) await copyFile(`${data}${suffix}`, `${image}${suffix}`);
  }
  const { sandbox } = await open({ data: image });
  expect(everything(sandbox)).toEqual(everything(running));
});

test('passwords do not lie in the file', async () => {
  const data = dataFile();
  const { sandbox, post, org } = await open({ data });
  const secrets = { password: 'hunter-secret', source_credentials: 'token-secret' };
  await post(`${org}/import-employees`, [person('ann', sandbox.rootId, { ...secrets, name: 'Ann Arbor' })]);
  await sandbox.close();
  const bytes = await readFile(data, 'latin1');
  expect(bytes).toContain('Ann Arbor');
  expect(bytes).not.toContain('hunter-secret');
  expect(bytes).not.toContain('token-secret');
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('nobody else may read the file, that of an older sandbox neither', async () => {
  const data = dataFile();
  const first = await open({ data });
  const files = [data, `${data}-wal`, `${data}-shm`];
  expect(files.map(modeOf)).toEqual(['600', '600', '600']);
  await first.sandbox.close();
  chmodSync(data, 0o644);
  await writeFile(`${data}-wal`, '', { mode: 0o644 });
  await open({ data });
  expect(files.map(modeOf)).toEqual(['600', '600', '600']);
});
