import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { FILES, IMAGES, md5, mediaWire, openMedia } from './media-client.ts';
import { PNG } from './pictures.ts';
import { dataFile, wireTo } from './wire-client.ts';

const BYTES = Buffer.from('some bytes');

test('a closed sandbox has its medias again', async () => {
  const data = dataFile();
  const first = mediaWire(wireTo(await startSandbox({ data })));
  const [file, image] = [await first.file('ü.txt', BYTES), await first.image(PNG)];
  const before = first.sandbox.state.medias();
  await first.sandbox.close();
  const { bytes, get, sandbox } = await openMedia({ data });
  expect(sandbox.state.medias()).toEqual(before);
  expect((await bytes(`${FILES}/${file}`)).bytes).toEqual(BYTES);
  expect((await bytes(`${IMAGES}/${image}`)).bytes).toEqual(PNG);
  expect((await get(`${FILES}/${md5(BYTES)}/info`, { type: 'DIGEST' })).result.name).toBe('ü.txt');
});
