import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { COMPRESS, FILES, IMAGES, md5, openMedia, truth, type Query } from './media-client.ts';
import { look, picture } from './pictures.ts';

describe('an uploaded image', () => {
  test('for which nothing is asked stays as it is, and shows its type', async () => {
    const { image, bytes } = await openMedia();
    const sent = await picture(40, 20);
    const id = await image(sent, { file_digest: md5(sent) });
    const got = await bytes(`${IMAGES}/${id}`);
    expect(got.bytes).toEqual(sent);
    expect(got.headers.get('content-type')).toBe('image/png');
    expect(got.headers.get('content-length')).toBe(sent.length.toString());
    const byDigest = await bytes(`${IMAGES}/${md5(sent).toUpperCase()}`, { type: 'DIGEST' });
    expect(byDigest.bytes).toEqual(sent);
  });

  test.each([
    [{ width: 20 }, 'jpeg 20x10'],
    [{ height: 10 }, 'jpeg 20x10'],
    [{ width: 30, height: 10 }, 'jpeg 20x10'],
    [{ width: 400, height: 0 }, 'jpeg 40x20'],
    [{ rotate: 90 }, 'jpeg 20x40'],
    [{ rotate: -90.0, width: 10 }, 'jpeg 10x20'],
    [{ quality: 0.5 }, 'jpeg 40x20'],
    [{ format: 'PNG' }, 'png 40x20'],
    [{ format: 'webp', width: 20 }, 'webp 20x10'],
    [{ format: 'gif' }, 'gif 40x20'],
  ])('with %j is kept as %s, in JSON and as a form', async (wish, words) => {
    const { image, form, bytes } = await openMedia();
    const sent = await picture(40, 20);
    expect(await look((await bytes(`${IMAGES}/${await image(sent, wish)}`)).bytes)).toBe(words);
    const texts = Object.entries(wish).map(([name, value]) => [name, String(value)]);
    const query: Query = Object.fromEntries(texts);
    const { result: id } = await form(IMAGES, { bytes: sent, name: 'a.png' }, { query });
    expect(await look((await bytes(`${IMAGES}/${id}`)).bytes)).toBe(words);
  });

  test('is smaller with less quality', async () => {
    const { image, bytes } = await openMedia();
    const sent = await picture(200, 200);
    const sizes: number[] = [];
    for (const quality of [0.9, 0.5, 0.1, 0])
      sizes.push((await bytes(`${IMAGES}/${await image(sent, { quality })}`)).bytes.length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBe(4);
  });

  test('shows file_type where one is given: in JSON, as a field, in the query', async () => {
    const { image, form, bytes } = await openMedia();
    const sent = { bytes: await picture(4, 4), name: 'a.png' };
    const ids = [
      await image(sent.bytes, { file_type: 'image/x-own' }),
      (await form(IMAGES, sent, { fields: { file_type: 'image/x-own' } })).result,
      (await form(IMAGES, sent, { query: { file_type: 'image/x-own' } })).result,
    ];
    for (const id of ids)
      expect((await bytes(`${IMAGES}/${id}`)).headers.get('content-type')).toBe('image/x-own');
  });

  test.each([
    [{ quality: 1.1 }, 'quality is not between'],
    [{ quality: 'good' }, 'quality is no number'],
    [{ width: -1 }, 'width is not'],
    [{ width: '20' }, 'width is no number'],
    [{ format: 'bmp' }, 'format bmp'],
    [{ file_type: 'image/png\r\nX: y' }, 'no content type'],
    [{ file_digest: 'a'.repeat(32) }, 'the digest is'],
  ])('with %j is refused', async (more, words) => {
    const { post, sandbox } = await openMedia({ lenient: true });
    const file_content = (await picture(4, 4)).toString('base64');
    const reply = await post(IMAGES, { file_name: 'a.png', file_content, ...more });
    expect([reply.status, reply.message]).toEqual([990400, expect.stringContaining(words)]);
    expect(sandbox.state.medias()).toEqual([]);
  });

  test('must be an image, and a whole one', async () => {
    const { post, form, sandbox } = await openMedia();
    const whole = await picture(300, 300, 'jpeg');
    const send = async (bytes: Buffer): Promise<readonly string[]> => [
      (await post(IMAGES, { file_name: 'a', file_content: bytes.toString('base64') })).message,
      (await form(IMAGES, { bytes }, { query: truth(bytes) })).message,
      (await form(IMAGES, { bytes }, { query: { ...truth(bytes), width: '10' } })).message,
      (await form(COMPRESS, { bytes, part: 'media' })).message,
    ];
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    for (const bytes of [Buffer.from('no image at all'), Buffer.from(svg), Buffer.from('%PDF-1.7')])
      for (const message of await send(bytes)) expect(message).toContain('is no image');
    for (const bytes of [whole.subarray(0, whole.length / 2), whole.subarray(0, 20)])
      for (const message of await send(bytes)) expect(message).toContain('cannot be read');
    expect(sandbox.state.medias()).toEqual([]);
  });
});

describe('a viewed image', () => {
  test.each([
    [{ width: '20' }, 'png 20x10'],
    [{ heigh: '10' }, 'png 20x10'],
    [{ height: '10' }, 'png 20x10'],
    [{ heigh: '10', height: '10' }, 'png 20x10'],
    [{ rotate: '270' }, 'png 20x40'],
    [{ format: 'docx' }, 'png 40x20'],
  ])('with %j is %s', async (query, words) => {
    const { image, bytes } = await openMedia({ lenient: true });
    const id = await image(await picture(40, 20));
    const got = await bytes(`${IMAGES}/${id}`, query);
    expect(await look(got.bytes)).toBe(words);
    expect(got.headers.get('content-type')).toBe('image/png');
    expect(got.headers.get('content-length')).toBe(got.bytes.length.toString());
  });

  test('quality makes it smaller', async () => {
    const { image, bytes } = await openMedia();
    const id = await image(await picture(200, 200, 'jpeg'));
    const low = await bytes(`${IMAGES}/${id}`, { quality: '0.1' });
    expect(low.bytes.length).toBeLessThan((await bytes(`${IMAGES}/${id}`)).bytes.length / 2);
  });

  test('refuses two heights, and what is no image', async () => {
    const { image, file, bytes } = await openMedia();
    const id = await image(await picture(40, 20));
    const both = await bytes(`${IMAGES}/${id}`, { heigh: '10', height: '11' });
    expect(JSON.parse(both.bytes.toString()).message).toContain('heigh is 10, and query height is 11');
    const text = await bytes(`${IMAGES}/${await file('a.txt', Buffer.from('text'))}`);
    expect(JSON.parse(text.bytes.toString()).message).toContain('no image');
  });

  test('default_thumbnail: within 180 by 180, unless a size is asked', async () => {
    const { image, bytes } = await openMedia();
    const id = await image(await picture(400, 200));
    const thumbnail = await bytes(`${IMAGES}/${id}`, { default_thumbnail: 'true' });
    expect(await look(thumbnail.bytes)).toBe('png 180x90');
    const sized = await bytes(`${IMAGES}/${id}`, { default_thumbnail: 'true', width: '200' });
    expect(await look(sized.bytes)).toBe('png 200x100');
    const unknown = await bytes(`${IMAGES}/1`, { default_thumbnail: 'true' });
    expect(JSON.parse(unknown.bytes.toString()).status).toBe(990404);
  });

  test('stands as its camera held it', async () => {
    const { form, bytes } = await openMedia();
    const sent = await sharp(await picture(40, 20, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { result } = await form(COMPRESS, { bytes: sent, part: 'media' }, { fields: { original: 'true' } });
    expect(await look((await bytes(`${IMAGES}/${result.media.media_id}`)).bytes)).toBe('jpeg 20x40');
    expect(result.original_media).toMatchObject({ width: 20, height: 40 });
  });
});

describe('compression', () => {
  test('by default: a jpg within 800 by 800, and nothing else', async () => {
    const { form, bytes } = await openMedia();
    const sent = { bytes: await picture(1000, 500), part: 'media', name: 'a.png' };
    const { result } = await form(COMPRESS, sent);
    const got = await bytes(`${IMAGES}/${result.media.media_id}`);
    expect(await look(got.bytes)).toBe('jpeg 800x400');
    expect(result).toEqual({
      media: { media_id: expect.any(String), size: got.bytes.length, width: 800, height: 400 },
    });
  });

  test('with a thumbnail and the original', async () => {
    const { form, bytes, get } = await openMedia();
    const sent = await picture(100, 200);
    const fields = { thumb: 'true', original: 'true', digest: md5(sent), width: '50', format: 'PNG' };
    const { result } = await form(COMPRESS, { bytes: sent, part: 'media', name: 'a.png' }, { fields });
    const { media, thumb_media: thumb, original_media: original } = result;
    expect(await look((await bytes(`${IMAGES}/${media.media_id}`)).bytes)).toBe('png 50x100');
    expect([original.width, original.height, original.size]).toEqual([100, 200, sent.length]);
    expect((await bytes(`${FILES}/${original.media_id}`)).bytes).toEqual(sent);
    const blob = Buffer.from(thumb.blob, 'base64');
    expect((await bytes(`${IMAGES}/${thumb.media_id}`)).bytes).toEqual(blob);
    expect(thumb.size).toBe(blob.length);
    expect(await look(blob)).toBe(`png ${thumb.width}x${thumb.height}`);
    expect((await get(`${FILES}/${thumb.media_id}/info`)).result.size).toBe(blob.length);
  });

  test.each(['20480', '5000', '1500', '700'])('the thumbnail fits into %s bytes', async (size) => {
    const { form } = await openMedia();
    const fields = { thumb: 'true', thumb_size: size, thumb_width: '500', thumb_height: '300' };
    const { result } = await form(COMPRESS, { bytes: await picture(600, 600), part: 'media' }, { fields });
    const blob = Buffer.from(result.thumb_media.blob, 'base64');
    expect(blob.length).toBeLessThanOrEqual(Number(size));
    expect(blob.length).toBeGreaterThan(Number(size) / 8);
    expect(await look(blob)).toBe(`jpeg ${result.thumb_media.width}x${result.thumb_media.height}`);
  });

  test.each([
    [{ thumb: 'true', thumb_size: '10' }, 'fits into thumb_size 10'],
    [{ thumb: 'yes' }, 'neither true nor false'],
    [{ digest: 'a'.repeat(32) }, 'the digest is'],
    [{ format: 'docx' }, 'format docx'],
  ])('with %j is refused, and keeps nothing', async (fields, words) => {
    const { form, sandbox } = await openMedia({ lenient: true });
    const reply = await form(COMPRESS, { bytes: await picture(40, 40), part: 'media' }, { fields });
    expect([reply.status, reply.message]).toEqual([990400, expect.stringContaining(words)]);
    expect(sandbox.state.medias()).toEqual([]);
  });
});

describe('translation', () => {
  const PDF = Buffer.from('%PDF-1.7 some pages');
  const OFFICE = Buffer.from('PK\u0003\u0004 a document');

  test.each([
    ['office', 'pdf', 'an office suite'],
    ['office', 'jpg', 'an office suite'],
    ['pdf', 'image', 'a renderer of PDF'],
    ['amr', 'mp3', 'a sound codec'],
    ['jpg', 'png', 'unsupported'],
    ['pdf', 'office', 'unsupported'],
    ['amr', 'jpg', 'unsupported'],
  ])('from %s to %s is refused', async (source_type, dest_type, words) => {
    const { file, get } = await openMedia();
    const path = `${FILES}/${await file('a', PDF)}/translate`;
    const reply = await get(path, { source_type, dest_type });
    expect([reply.status, reply.message]).toEqual([990400, expect.stringContaining(words)]);
  });

  test('translates=pretend: placeholders that are called so', async () => {
    const { file, get, bytes } = await openMedia({ readings: ['translates=pretend'], now: () => 77 });
    const id = await file('a.docx', OFFICE);
    const { result } = await get(`${FILES}/${id}/translate`, { source_type: 'office', dest_type: 'jpg' });
    expect(result).toEqual({
      media_id: id,
      dest_ids: [expect.any(String)],
      name: 'a.docx',
      source_type: 'office',
      dest_type: 'jpg',
      create_time: 77,
      expire_time: 86_400_077,
    });
    const [dest] = result.dest_ids;
    expect((await bytes(`${FILES}/${dest}`)).bytes.toString()).toMatch(/^PLACEHOLDER.*a\.docx as jpg$/);
    expect((await get(`${FILES}/${dest}/info`)).result.metadata).toEqual({ placeholder: 'true' });
  });

  test('translates=pretend: still refuses another kind of source, sound, and an unknown media', async () => {
    const { file, get } = await openMedia({ readings: ['translates=pretend'] });
    const id = await file('a.docx', OFFICE);
    const words = async (media: string, query: Query): Promise<string> =>
      (await get(`${FILES}/${media}/translate`, query)).message;
    expect(await words(id, { source_type: 'pdf', dest_type: 'png' })).toBe('the media is no pdf file');
    expect(await words(id, { source_type: 'amr', dest_type: 'mp3' })).toContain('a sound codec');
    expect(await words(id, { source_type: 'office' })).toContain('dest_type is required');
    expect(await words('1', { source_type: 'pdf', dest_type: 'png' })).toBe('record not found');
  });
});
