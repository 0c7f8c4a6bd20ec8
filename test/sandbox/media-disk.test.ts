import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FILES, IMAGES, md5, mediaWire, openMedia, truth } from './media-client.ts';
import { picture } from './pictures.ts';
import { wireTo } from './wire-client.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';

async function place(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'state.db');
}

const BYTES = Buffer.from('some bytes');

test('a closed sandbox has its medias again', async () => {
  const data = await place();
  const first = mediaWire(wireTo(await startSandbox({ data })));
  const sent = await picture(40, 20);
  const [file, image] = [await first.file('ü.txt', BYTES), await first.image(sent)];
  const before = first.sandbox.state.medias();
  await first.sandbox.close();
  const { bytes, get, sandbox } = await openMedia({ data });
  expect(sandbox.state.medias()).toEqual(before);
  expect((await bytes(`${FILES}/${file}`)).bytes).toEqual(BYTES);
  expect((await bytes(`${IMAGES}/${image}`)).bytes).toEqual(sent);
  expect((await get(`${FILES}/${md5(BYTES)}/info`, { type: 'DIGEST' })).result.name).toBe('ü.txt');
});

test('the same bytes lie on the disk once, under their digest', async () => {
  const data = await place();
  const { file, post, sandbox } = await openMedia({ data });
  expect(existsSync(`${data}.media`)).toBe(false);
  const [one, two] = [await file('a', BYTES), await file('b', BYTES)];
  await post(FILES, { file_name: 'c', file_content: BYTES.toString('base64') });
  expect(one).not.toBe(two);
  expect(await readdir(`${data}.media`)).toEqual([md5(BYTES)]);
  expect(await readFile(join(`${data}.media`, md5(BYTES)))).toEqual(BYTES);
  expect(sandbox.state.medias().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test('what is refused, dropped or went away leaves nothing on the disk', async () => {
  const data = await place();
  const { form, post, sandbox } = await openMedia({ data });
  await form(FILES, { bytes: BYTES }, { query: { ...truth(BYTES), file_size: '1' } });
  await form(FILES, { bytes: BYTES, part: 'other' }, { query: truth(BYTES) });
  await form(IMAGES, { bytes: BYTES });
  await post(FILES, { file_name: 'a', file_content: BYTES.toString('base64'), file_digest: 'a'.repeat(32) });
  await post(IMAGES, { file_name: 'a', file_content: BYTES.toString('base64') });
  await post(IMAGES, {
    file_name: 'a',
    file_content: (await picture(9, 9)).toString('base64'),
    format: 'bmp',
  });
  for (const kind of ['429', 'dropBefore']) {
    sandbox.setFaults(`rate=1,kinds=${kind},max=1`);
    await form(FILES, { bytes: BYTES }, { query: truth(BYTES) }).catch(() => undefined);
  }
  await expect.poll(() => readdir(`${data}.media`)).toEqual([]);
  await leaveHalfWay(sandbox.baseUrl, sandbox.token, `${data}.media`);
  await expect.poll(() => readdir(`${data}.media`)).toEqual([]);
});

/** Begins an upload, and breaks the connection when its first bytes are on the disk. */
async function leaveHalfWay(baseUrl: string, token: string, folder: string): Promise<void> {
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '1000000' };
  const url = `${baseUrl}${FILES}?access_token=${token}&file_digest=${'a'.repeat(32)}&file_size=9`;
  const sending = request(url, { method: 'POST', headers });
  sending.on('error', () => undefined);
  sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
  sending.write('x'.repeat(300_000));
  await expect.poll(() => readdir(folder)).toEqual([expect.stringMatching(/^incoming-/)]);
  sending.destroy();
}

test('an upload that a killed sandbox left is removed, and other files stay', async () => {
  const data = await place();
  const first = mediaWire(wireTo(await startSandbox({ data })));
  const id = await first.file('a', BYTES);
  await first.sandbox.close();
  await writeFile(join(`${data}.media`, 'incoming-1'), 'half');
  const { bytes } = await openMedia({ data });
  expect((await bytes(`${FILES}/${id}`)).bytes).toEqual(BYTES);
  expect(await readdir(`${data}.media`)).toEqual([md5(BYTES)]);
});

async function temporaryFolders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('sandbox-media-'));
}

test('without a data file, medias lie in a temporary folder that close removes', async () => {
  const before = new Set(await temporaryFolders());
  const wire = mediaWire(wireTo(await startSandbox()));
  await wire.file('a', BYTES);
  const made: string[] = [];
  for (const name of await temporaryFolders()) {
    const files = before.has(name) ? [] : await readdir(join(tmpdir(), name)).catch(() => []);
    if (files.includes(md5(BYTES))) made.push(name);
  }
  expect(made).not.toEqual([]);
  await wire.sandbox.close();
  expect(made.some((name) => !existsSync(join(tmpdir(), name)))).toBe(true);
});

test('a restored backup has the medias of its time', async () => {
  const { file, sandbox, get } = await openMedia();
  const id = await file('a', BYTES);
  const restore = sandbox.edit.backup();
  await file('b', BYTES);
  restore();
  expect(sandbox.state.medias().map(({ name }) => name)).toEqual(['a']);
  expect((await get(`${FILES}/${md5(BYTES)}/info`, { type: 'DIGEST' })).result.id).toBe(id);
});
