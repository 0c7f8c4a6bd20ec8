import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { open, type Wire } from './wire-client.ts';

const see = async ({ sandbox }: Wire, view: string): Promise<Response> =>
  fetch(`${sandbox.baseUrl}/sandbox/${view}`);

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
