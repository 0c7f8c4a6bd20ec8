import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileError, RefusedError, ServiceError } from '../../src/domain/errors.ts';
import { uploadImage } from '../../src/service/resources/media.ts';
import { says, signal, talks, tempFolder } from './file-server.ts';

const world = talks();

const BYTES = Buffer.from('ffd8ffe0010203', 'hex');
const DIGEST = createHash('md5').update(BYTES).digest('hex');

function picture(name: string): { readonly path: string; readonly digest: string } {
  const file = path.join(tempFolder(), name);
  writeFileSync(file, BYTES);
  return { path: file, digest: DIGEST };
}

describe('a picture', () => {
  test.each([
    ['a.png', 'image/png'],
    ['a.jpg', 'image/jpeg'],
  ])('%s goes out as a form, with digest and size, and is to stay as it is', async (name, type) => {
    const { client, heard } = await world([says.ok('9007199254740993')]);
    await expect(uploadImage(client, picture(name), signal)).resolves.toBe('9007199254740993');
    const { request, url, body } = heard[0]!;
    expect([request.method, url.pathname]).toEqual(['POST', '/v1/medias/images']);
    const asked = [...url.searchParams].filter(([key]) => key !== 'access_token');
    expect(asked).toEqual([
      ['file_digest', DIGEST],
      ['file_size', '7'],
    ]);
    const headers = { 'content-type': String(request.headers['content-type']) };
    const form = await new Response(Uint8Array.from(body), { headers }).formData();
    const file = form.get('file') as File;
    expect([file.name, file.type, Buffer.from(await file.arrayBuffer())]).toEqual([name, type, BYTES]);
    expect(form.get('file_type')).toBe(type);
  });

  test('is sent again where nobody knows what became of it', async () => {
    const { client, heard } = await world([says.http(502), says.ok('m1')]);
    await expect(uploadImage(client, picture('a.png'), signal)).resolves.toBe('m1');
    expect(heard).toHaveLength(2);
  });

  test('that is refused, or whose file is gone, or that gets no id, is an error of its own', async () => {
    const { client } = await world([says.no(7, 'too ugly'), says.ok(null)]);
    await expect(uploadImage(client, picture('a.png'), signal)).rejects.toThrow(RefusedError);
    await expect(uploadImage(client, picture('a.png'), signal)).rejects.toThrow(ServiceError);
    const gone = { path: path.join(tempFolder(), 'none.png'), digest: DIGEST };
    await expect(uploadImage(client, gone, signal)).rejects.toThrow(FileError);
  });
});
