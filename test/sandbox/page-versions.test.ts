import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gate } from './gate.ts';
import { CallLog } from '../../src/sandbox/http/call-log.ts';
import { open, type Wire } from './wire-client.ts';

const VIEWS = ['overview', 'units', 'people', 'messages', 'medias', 'schedules', 'calls'];

/** Asks for a view; `tag` is that of an earlier answer. */
async function see({ sandbox }: Wire, view: string, tag?: string): Promise<Response> {
  return fetch(
    `${sandbox.baseUrl}/sandbox/${view}`,
    tag === undefined ? {} : { headers: { 'If-None-Match': tag } },
  );
}

const tagOf = (response: Response): string => response.headers.get('etag') ?? '';

describe('a view that its visitor has', () => {
  test.each(VIEWS)('%s is not sent again', async (view) => {
    const wire = await open();
    await wire.get(wire.org);
    const again = await see(wire, view, tagOf(await see(wire, view)));
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('is sent again once something changed in it, whoever did it', async () => {
    const wire = await open();
    const changes: readonly (() => unknown)[] = [
      () => wire.node('Research'),
      () => wire.people(wire.sandbox.rootId, 'ann'),
      () => wire.sandbox.edit.lockEmployee('ann'),
      () => wire.sandbox.edit.removeEmployee('ann'),
    ];
    for (const change of changes) {
      const tags = [tagOf(await see(wire, 'units')), tagOf(await see(wire, 'people'))];
      await change();
      expect((await see(wire, 'units', tags[0])).status).toBe(200);
      expect((await see(wire, 'people', tags[1])).status).toBe(200);
    }
  });

  test('calls are sent again when one comes, ends, or all are forgotten', async () => {
    const wire = await open();
    const before = tagOf(await see(wire, 'calls'));
    const { opened, open: release } = gate();
    wire.sandbox.onCall = () => opened;
    const call = wire.get(wire.org);
    await expect.poll(() => wire.sandbox.calls.length).toBe(1);
    const under = await see(wire, 'calls', before);
    expect(await under.text()).toContain('under way');
    release();
    await call;
    const ended = await see(wire, 'calls', tagOf(under));
    expect(await ended.text()).toContain('200, status 0');
    wire.sandbox.forgetCalls();
    expect(await (await see(wire, 'calls', tagOf(ended))).json()).toEqual([]);
  });

  test('a call that was dropped is sent again as such', async () => {
    const wire = await open({ faults: 'rate=1,kinds=dropBefore' });
    const { opened, open: release } = gate();
    wire.sandbox.onCall = () => opened;
    const call = wire.raw('GET', wire.org).catch(() => 'dropped');
    await expect.poll(() => wire.sandbox.calls.length).toBe(1);
    const under = await see(wire, 'calls');
    release();
    expect(await call).toBe('dropped');
    expect((await see(wire, 'calls', tagOf(under))).status).toBe(200);
  });

  test('each entry of the log of calls makes another version', () => {
    const log = new CallLog();
    const versions = [log.version];
    const seen = { at: 0, operation: 'getUser', method: 'GET', path: '/', bodyBytes: 0 };
    const call = log.begin(seen);
    versions.push(log.version);
    log.keepBodies(call, { ms: 1, request: '', answer: '' });
    versions.push(log.version);
    log.end(call, 200, 0);
    versions.push(log.version);
    log.forget();
    versions.push(log.version);
    expect(new Set(versions).size).toBe(5);
  });

  test('reads leave the tree as it is; another sandbox has other versions', async () => {
    const wire = await open();
    const tag = tagOf(await see(wire, 'units'));
    await wire.get(`${wire.org}/tree`);
    expect((await see(wire, 'units', tag)).status).toBe(304);
    expect((await see(await open(), 'units', tag)).status).toBe(200);
  });
});

test('the tree is sent branch by branch, and a large branch page by page', async () => {
  const wire = await open();
  const { edit, rootId } = wire.sandbox;
  const large = edit.addOrganization(rootId, 'Large').id;
  for (let unit = 0; unit < 120; unit += 1) edit.addOrganization(large, `Unit ${unit}`);
  const page = async (path: string): Promise<Record<string, unknown>> => {
    const view: unknown = await (await see(wire, path)).json();
    return Object(view);
  };
  expect(await page('units')).toEqual({
    rows: [{ id: rootId, name: 'Root', people: 0, folds: true }],
    total: 1,
    page: 0,
    pages: 1,
  });
  expect(await page(`units?of=${rootId}`)).toMatchObject({ rows: [{ name: 'Large', folds: true }] });
  const last = await page(`units?of=${large}&page=9`);
  expect(last).toMatchObject({ total: 120, page: 2, pages: 3 });
  expect(last['rows']).toHaveLength(20);
  expect(await page('units?of=nobody')).toMatchObject({ rows: [], total: 0 });
});

describe('callbacks', () => {
  test('the newest 1,000 are kept', async () => {
    const { sandbox } = await open();
    for (let number = 0; number < 1005; number += 1) {
      await sandbox.callback({ msg_type: 'text', from_user_name: 'ann', content: `${number}` });
    }
    const kept = sandbox.callbacks.map(({ message }) => message.content);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, '5', '1004']);
  });

  test('of a reply without an end the beginning is kept', async () => {
    const server = createServer((_, response) => {
      const more = (): void => void (response.write('ä'.repeat(3000)) && setTimeout(more, 1));
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { sandbox } = await open({ callback: { url } });
    const sent = await sandbox.callback({ msg_type: 'text', from_user_name: 'ann', content: 'x' });
    expect(sent).toMatchObject({ http: 200, reply: 'ä'.repeat(4096) });
  });
});
