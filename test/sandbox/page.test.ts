import { expect, onTestFinished, test } from 'vitest';
import { openPage, startBrowser } from '../servers/browser.ts';
import { hasServer } from '../servers/install.ts';
import { developer } from './developer.ts';
import { ask, open, person, type Wire } from './wire-client.ts';

/** Returns what somebody reads of the page. */
const see = async (wire: Wire, path = '/'): Promise<string> =>
  (await ask(wire, { path })).text.replaceAll(/<style>[^]*?<\/style>|<[^>]*>/gu, '');

test('the page lets in no script, and is no call of the interface', async () => {
  const { sandbox } = await open({ faults: 'rate=1,kinds=500' });
  const response = await fetch(sandbox.baseUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/u,
  );
  expect(await response.text()).not.toMatch(/https?:|style=|\bon\w+=|<script/u);
  expect(sandbox.calls).toEqual([]);
});

test.each([
  ['localhost', 200],
  ['127.0.0.1:1', 200],
  ['[::1]:80', 200],
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
])('a request to the host "%s" is answered with %d', async (host, http) => {
  const wire = await open();
  expect((await ask(wire, { path: '/', headers: { host } })).http).toBe(http);
});

test('shows the units as a tree, and the people of one', async () => {
  const wire = await open();
  const research = await wire.node('Research');
  const robotics = await wire.node('Robotics', research);
  await wire.people(research, 'ann');
  await wire.people(robotics, 'bob');
  wire.sandbox.edit.lockEmployee('bob');
  const { text: html } = await ask(wire, { path: '/' });
  expect(html).toMatch(
    /<ul><li>.*Root<.* 2<ul><li>.*Research<.* 2<ul><li>.*Robotics<.* 1<\/li><\/ul><\/li><\/ul><\/li><\/ul>/u,
  );
  const shown = await see(wire, `/?unit=${robotics}`);
  expect(shown).toMatch(/ locked, \d+: \/Root\/Research\/Robotics/u);
  expect(shown).not.toMatch(/\bann\b/u);
  expect(await see(wire, '/?search=OF+Ann')).toMatch(/\bann enabled/u);
  expect(await see(wire, '/?search=OF+Ann')).not.toMatch(/\bbob\b/u);
});

test('shows the last calls without a secret', async () => {
  const wire = await open();
  const more = { password: 'S3cret', source_credentials: 'Cr3dential', id_card: '1234567' };
  await wire.post(`${wire.org}/import-employees`, [person('ann', wire.sandbox.rootId, more)]);
  await wire.get(`${wire.org}/view`);
  const shown = await see(wire);
  expect(shown).toMatch(/viewOrganization 200, status 0: GET .*\n.*importEmployees 200, status 0: POST /u);
  expect(shown).not.toMatch(/S3cret|Cr3dential|1234567|sandbox-token|sandbox-app-token/u);
});

test('has hostile names in its text alone, and characters that nobody sees as escapes', async () => {
  const wire = await open();
  const hostile = '"><img src=x>a\u2800b\u202Ec';
  const seen = String.raw`"&gt;&lt;img src=x&gt;a\u2800b\u202ec`.replace('"', '&quot;');
  const root = wire.sandbox.rootId;
  await wire.post(`${wire.org}/import-employees`, [person('ann', root, { name: hostile })]);
  await wire.node(hostile);
  const body = { type: 'text', body: { content: `${hostile}\n2` }, usernames: ['ann'] };
  await wire.post('/v1/apps/mbox', body);
  const { text: html } = await ask(wire, { path: '/?search=%22%3E%3Cimg' });
  expect(html.split(seen)).toHaveLength(4);
  expect(html).toContain(`to 1: <bdi>ann</bdi><pre><bdi>${seen}\n2</bdi></pre>`);
  expect(html).not.toMatch(/<img|\u202E/u);
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('what a person answers goes to the callback address, whole', async () => {
  const { came, url } = await developer(202);
  const wire = await open({ callback: { url, mode: 'plain' } });
  await wire.people(wire.sandbox.rootId, 'ann');
  const headers = { ...FORM, origin: wire.sandbox.baseUrl };
  const body = new URLSearchParams({ username: 'ann', text: ' approve 1a2b3c…\n"<ok>" ' }).toString();
  const told = await ask(wire, { path: '/', method: 'POST', headers, body });
  expect(told.text).toContain(' 202: {&quot;status&quot;:0,&quot;message&quot;:&quot;ok&quot;}');
  const { message } = JSON.parse(came[0]?.body ?? '') as { message: string };
  expect(JSON.parse(message)).toMatchObject({
    msg_type: 'text',
    from_user_name: 'ann',
    from_user: wire.sandbox.state.user('ann')?.id,
    content: ' approve 1a2b3c…\n"<ok>" ',
  });
});

test.each([
  ['another site', { origin: 'http://evil.example' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['nobody', {}],
])('an answer that comes from %s is not sent', async (_, given) => {
  const { came, url } = await developer();
  const wire = await open({ callback: { url } });
  const asked = { method: 'POST', headers: { ...FORM, ...given }, body: 'username=ann&text=approve' };
  expect((await ask(wire, { path: '/', ...asked })).http).toBe(403);
  expect(came).toEqual([]);
});

test.each(['', 'username=ann', 'username=&text=x'])('"%s" is no answer, and told so', async (body) => {
  const wire = await open({ callback: { url: 'http://127.0.0.1:9/' } });
  const headers = { ...FORM, origin: wire.sandbox.baseUrl };
  const told = await ask(wire, { path: '/', method: 'POST', headers, body });
  expect(told.text).toMatch(/>An answer [^<]+</u);
  expect(wire.sandbox.callbacks).toEqual([]);
});

test.skipIf(!hasServer('chromium'))('a browser sends the answer of a person', async () => {
  const { came, url } = await developer();
  const wire = await open({ callback: { url, mode: 'plain' } });
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const mayAsk = (asked: string): boolean => new URL(asked).origin === wire.sandbox.baseUrl;
  const { page, trouble } = await openPage(browser, { url: wire.sandbox.baseUrl, mayAsk });
  await page.getByLabel('Username', { exact: true }).fill('ann');
  await page.getByLabel('Text', { exact: true }).fill('approve 1a2b3c');
  await page.getByRole('button', { name: 'Send' }).click();
  expect(await page.getByRole('status').innerText()).toContain('"message":"ok"');
  expect(came.at(-1)?.body).toContain('approve 1a2b3c');
  expect(trouble).toEqual([]);
});
