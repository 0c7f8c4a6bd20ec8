import { describe, expect, test } from 'vitest';
import { COMPRESS, FILES, IMAGES, md5, openMedia, truth } from './media-client.ts';
import { PNG } from './pictures.ts';

const BYTES = Buffer.from('%PDF-1.7 not really\n\0\xff', 'latin1');

describe('a file uploaded as a form', () => {
  test('comes back byte for byte, with its name, type and length', async () => {
    const { form, bytes } = await openMedia();
    const sent = { bytes: BYTES, name: 'a.pdf', type: 'application/pdf' };
    const { result: id } = await form(FILES, sent, { query: truth(BYTES) });
    const got = await bytes(`${FILES}/${id}`);
    expect(got.bytes).toEqual(BYTES);
    expect(got.headers.get('content-type')).toBe('application/pdf');
    expect(got.headers.get('content-length')).toBe(BYTES.length.toString());
    expect(got.headers.get('content-disposition')).toBe(
      `attachment; filename="a.pdf"; filename*=UTF-8''a.pdf`,
    );
  });

  test('wants a digest and a size that are true; the digest in any case', async () => {
    const { form, sandbox } = await openMedia();
    const wrong = { ...truth(BYTES), file_digest: md5(Buffer.from('other')) };
    const [digest, size, none, upper] = [
      await form(FILES, { bytes: BYTES }, { query: wrong }),
      await form(FILES, { bytes: BYTES }, { query: { ...truth(BYTES), file_size: '5' } }),
      await form(FILES, { bytes: BYTES }, { query: { file_size: '5' } }),
      await form(
        FILES,
        { bytes: BYTES },
        { query: { ...truth(BYTES), file_digest: md5(BYTES).toUpperCase() } },
      ),
    ];
    expect([digest.status, digest.message]).toEqual([990400, expect.stringContaining(' digest ')]);
    expect([size.status, size.message]).toEqual([990400, expect.stringContaining('file_size is 5')]);
    expect([none.status, none.message]).toEqual([990400, expect.stringContaining('file_digest ')]);
    expect(upper.status).toBe(0);
    expect(sandbox.state.medias().map((media) => media.digest)).toEqual([md5(BYTES)]);
  });
});

describe('a file uploaded as JSON', () => {
  const body = { file_name: 'a.txt', file_content: BYTES.toString('base64') };

  test('comes back, with its metadata in the info, by id and by digest', async () => {
    const { post, bytes, get } = await openMedia({ now: () => 77 });
    const { result: id } = await post(FILES, {
      ...body,
      file_digest: md5(BYTES),
      file_metadata: { from: 'test' },
    });
    expect((await bytes(`${FILES}/${id}`)).bytes).toEqual(BYTES);
    const info = {
      id,
      name: 'a.txt',
      digest: md5(BYTES),
      state: 0,
      size: BYTES.length,
      timestamp: 77,
      metadata: { from: 'test' },
    };
    expect((await get(`${FILES}/${id}/info`)).result).toEqual(info);
    const byDigest = await get(`${FILES}/${md5(BYTES).toUpperCase()}/info`, { type: 'DIGEST' });
    expect(byDigest.result).toEqual(info);
    expect((await get(`${FILES}/${md5(BYTES)}/info`)).status).toBe(990404);
    expect((await get(`${FILES}/${id}/info`, { type: 'id' })).status).toBe(990400);
  });

  test.each([
    ['a wrong digest', { file_digest: 'a'.repeat(32) }, 'the digest is'],
    ['base64 that is cut', { file_content: 'QUJDRA' }, 'is not base64'],
    ['metadata that is no text', { file_metadata: { a: 1 } }, 'file_metadata.a is not text'],
  ])('is refused with %s', async (_what, more, words) => {
    const { post, sandbox } = await openMedia({ lenient: true });
    const reply = await post(FILES, { ...body, ...more });
    expect([reply.status, reply.message]).toEqual([990400, expect.stringContaining(words)]);
    expect(sandbox.state.medias()).toEqual([]);
  });
});

describe('an image', () => {
  test('is shown as it was uploaded, whatever is asked for, with its type', async () => {
    const { image, form, bytes } = await openMedia();
    const { result: id } = await form(IMAGES, { bytes: PNG }, { fields: { file_type: 'image/x-own' } });
    for (const [one, type] of [
      [await image(PNG, { width: 20, format: 'jpg' }), 'image/png'],
      [await image(PNG, { file_type: 'image/x-own' }), 'image/x-own'],
      [id, 'image/x-own'],
    ]) {
      const got = await bytes(`${IMAGES}/${one}`, { width: '20' });
      expect([got.bytes, got.headers.get('content-type')]).toEqual([PNG, type]);
    }
    const byDigest = await bytes(`${IMAGES}/${md5(PNG).toUpperCase()}`, { type: 'DIGEST' });
    expect(byDigest.bytes).toEqual(PNG);
  });

  test.each([
    [{ file_type: 'image/png\r\nX: y' }, 'no content type'],
    [{ file_content: Buffer.from('no image').toString('base64') }, 'the file is no image'],
  ])('with %j is refused', async (more, words) => {
    const { post, sandbox } = await openMedia({ lenient: true });
    const body = { file_name: 'a.png', file_content: PNG.toString('base64'), ...more };
    const reply = await post(IMAGES, body);
    expect([reply.status, reply.message]).toEqual([990400, expect.stringContaining(words)]);
    expect(sandbox.state.medias()).toEqual([]);
  });

  test('is compressed to what was asked for by name alone: its bytes stay', async () => {
    const { form, bytes } = await openMedia();
    const asked = { query: { thumb: 'true', width: '10' }, fields: { original: 'true' } };
    const { result } = await form(COMPRESS, { bytes: PNG, part: 'media' }, asked);
    const size = PNG.length;
    expect(result).toMatchObject({
      media: { size, width: 10, height: 800 },
      thumb_media: { size, width: 180, height: 180, blob: PNG.toString('base64') },
      original_media: { size },
    });
    for (const { media_id } of Object.values<{ readonly media_id: string }>(result))
      expect((await bytes(`${IMAGES}/${media_id}`)).bytes).toEqual(PNG);
    const text = await form(COMPRESS, { bytes: BYTES, part: 'media' });
    expect([text.status, text.message]).toEqual([990_400, expect.stringContaining(' image')]);
  });
});

test('a translation is a placeholder that says so; one that the interface does not have is refused', async () => {
  const { file, get, bytes } = await openMedia();
  const id = await file('a.docx', BYTES);
  const path = `${FILES}/${id}/translate`;
  const { result } = await get(path, { source_type: 'office', dest_type: 'pdf' });
  expect(result).toMatchObject({ media_id: id, name: 'a.docx', source_type: 'office', dest_type: 'pdf' });
  const made = await bytes(`${FILES}/${result.dest_ids[0]}`);
  expect(made.bytes.toString()).toMatch(/^PLACEHOLDER,.*: a\.docx /u);
  const other = await get(path, { source_type: 'amr', dest_type: 'pdf' });
  expect([other.status, other.message]).toEqual([990400, expect.stringContaining('unsupported')]);
});

describe('a call that is not as it should be', () => {
  test.each(['own', 'codes', 'null'])('an unknown media is an envelope (notFound=%s)', async (reading) => {
    const { bytes, get } = await openMedia({ readings: [`notFound=${reading}`] });
    for (const path of [`${FILES}/1`, `${IMAGES}/1`]) {
      const got = await bytes(path);
      expect([got.http, got.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(JSON.parse(got.bytes.toString())).toMatchObject({
        status: 990404,
        message: 'no matching media',
      });
    }
    expect((await get(`${FILES}/1/info`)).status).toBe(reading === 'null' ? 0 : 990404);
  });
});
