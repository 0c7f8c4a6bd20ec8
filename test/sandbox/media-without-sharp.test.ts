import { expect, test, vi } from 'vitest';
import { COMPRESS, IMAGES, openMedia, truth } from './media-client.ts';

vi.mock('sharp', () => {
  throw new Error("Cannot find package 'sharp'");
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WORDS = 'images cannot be decoded here: the optional package sharp is not installed';

test('without sharp an image is taken and shown as it is', async () => {
  const { image, form, bytes } = await openMedia();
  const id = await image(PIXEL);
  expect((await bytes(`${IMAGES}/${id}`)).bytes).toEqual(PIXEL);
  expect((await form(IMAGES, { bytes: PIXEL }, { query: truth(PIXEL) })).status).toBe(0);
});

test('without sharp what is no image is refused by its first bytes', async () => {
  const { form } = await openMedia();
  const bytes = Buffer.from('no image at all');
  expect((await form(IMAGES, { bytes }, { query: truth(bytes) })).message).toContain('is no image');
});

test('without sharp all that needs a decoded image is refused with a sentence', async () => {
  const { image, form, bytes } = await openMedia();
  const id = await image(PIXEL);
  const scaled = await bytes(`${IMAGES}/${id}`, { width: '1' });
  expect(JSON.parse(scaled.bytes.toString())).toMatchObject({ status: 990400, message: WORDS });
  const asked = { query: { format: 'jpg' } };
  expect((await form(IMAGES, { bytes: PIXEL }, asked)).message).toBe(WORDS);
  expect((await form(COMPRESS, { bytes: PIXEL, part: 'media' })).message).toBe(WORDS);
});
