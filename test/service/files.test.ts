import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AmbiguousError, ServiceError } from '../../src/domain/errors.ts';
import { isAttachment } from '../../src/service/files/file-sink.ts';
import {
  anyCall,
  clientOf,
  download,
  listen,
  says,
  signal,
  talks,
  tempFolder,
  type Says,
} from './file-server.ts';
import { closing } from './odd-server.ts';

const open = closing();

const world = talks(open);

function fileOf(bytes: Uint8Array | string, name = 'photo.png'): string {
  const file = path.join(tempFolder(), name);
  writeFileSync(file, bytes);
  return file;
}

const upload = (file: string, repeatable?: boolean) =>
  anyCall('POST /v1/medias', {
    body: { form: { file: { part: 'file', path: file } } },
    ...(repeatable !== undefined && { repeatable }),
  });

describe('a body', () => {
  test('of bytes goes out as it is, with its type', async () => {
    const { client, heard } = await world([says.ok('m1')]);
    const bytes = randomBytes(3000);
    const body = { bytes, contentType: 'image/png' };
    await expect(client.call(anyCall('POST /v1/medias', { body }), signal)).resolves.toBe('m1');
    expect(heard[0]?.body.equals(bytes)).toBe(true);
    expect(heard[0]?.request.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '3000',
    });
  });

  test('that is a form has its fields and its file, byte for byte, and a length', async () => {
    const { client, heard } = await world([says.ok()]);
    const bytes = randomBytes(300_001);
    const file = { part: 'media', path: fileOf(bytes), fileName: 'a"b\r\nc é.png', contentType: 'image/png' };
    const form = { fields: { width: '800', 'na"me': 'two\r\nlines' }, file };
    await client.call(anyCall('POST /v1/medias/compress', { body: { form } }), signal);
    const { request, body } = heard[0]!;
    const boundary = /^multipart\/form-data; boundary=(----rollcall[0-9a-f]{36})$/u.exec(
      request.headers['content-type']!,
    )![1]!;
    const expected = Buffer.concat([
      Buffer.from(
        [
          `--${boundary}`,
          'Content-Disposition: form-data; name="width"',
          '',
          '800',
          `--${boundary}`,
          'Content-Disposition: form-data; name="na%22me"',
          '',
          'two\r\nlines',
          `--${boundary}`,
          'Content-Disposition: form-data; name="media"; filename="a%22b%0D%0Ac é.png"',
          'Content-Type: image/png',
          '',
          '',
        ].join('\r\n'),
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    expect(body.equals(expected)).toBe(true);
    expect(request.headers['content-length']).toBe(String(expected.length));
    expect(request.headers['transfer-encoding']).toBeUndefined();
  });
});

describe('a file to send', () => {
  test.each([
    ['that does not exist', (folder: string) => path.join(folder, 'none'), 'there is no such file or folder'],
    ['that is a folder', (folder: string) => folder, 'it is a folder'],
    [
      'that is empty',
      (folder: string) => {
        writeFileSync(path.join(folder, 'empty'), '');
        return path.join(folder, 'empty');
      },
      'it is empty',
    ],
    ['that is a device', () => '/dev/zero', 'it is no regular file'],
    ['below a file', (folder: string) => fileIn(folder), 'a folder in its path is a file'],
  ])('%s is named, and nothing is sent', async (_, make, why) => {
    const { client, heard } = await world([says.ok()]);
    const file = make(tempFolder());
    await expect(client.call(upload(file), signal)).rejects.toMatchObject({
      problem: 'file-unsendable',
      message: `The file ${file} cannot be sent: ${why}.`,
    });
    expect(heard).toHaveLength(0);
  });

  test.each([
    ['grew', (file: string) => appendFileSync(file, 'more')],
    ['shrank', (file: string) => writeFileSync(file, 'less')],
  ])('that %s before it was sent again is told, not sent as something else', async (_, change) => {
    const file = fileOf(randomBytes(200_000));
    const { client, heard } = await world([
      (response, one) => {
        change(file);
        says.http(500)(response, one);
      },
      says.ok(),
    ]);
    await expect(client.call(upload(file, true), signal)).rejects.toMatchObject({
      problem: 'file-unsendable',
      message: expect.stringMatching(/photo\.png .* 200000 bytes to \d+/u) as string,
    });
    expect(heard).toHaveLength(1);
  });

  test('that is too large for the service is told with its size', async () => {
    const file = fileOf(randomBytes(10_000));
    const { client } = await world([says.http(413, '<html>Too large</html>')]);
    await expect(client.call(upload(file), signal)).rejects.toMatchObject({
      code: 'REFUSED',
      problem: 'service-request-too-large',
      message: expect.stringMatching(/photo\.png .*\b10000 bytes\.$/u) as string,
    });
  });
});

function fileIn(folder: string): string {
  writeFileSync(path.join(folder, 'file'), 'x');
  return path.join(folder, 'file', 'inner');
}

describe('what may be repeated', () => {
  test('an upload that says so is sent again, whole, after an answer that tells nothing', async () => {
    const bytes = randomBytes(150_000);
    const { client, heard, reports } = await world([says.http(500), says.http(502), says.ok('m1')]);
    await expect(client.call(upload(fileOf(bytes), true), signal)).resolves.toBe('m1');
    expect(heard.map(({ body }) => body.includes(bytes))).toEqual([true, true, true]);
    expect(reports.map(({ changing, outcome }) => [changing, outcome])).toEqual([
      [true, 'failed'],
      [true, 'failed'],
      [true, 'done'],
    ]);
  });

  test('a GET that makes something is sent once where it says so', async () => {
    const { client, heard, reports } = await world([says.http(500)]);
    const translate = anyCall('GET /v1/medias/7/translate', { repeatable: false });
    await expect(client.call(translate, signal)).rejects.toBeInstanceOf(AmbiguousError);
    expect(heard).toHaveLength(1);
    expect(reports).toMatchObject([{ changing: false }]);
  });

  test.each([
    [true, { status: 'rejected', reason: expect.objectContaining({ code: 'STOPPED' }) as unknown }],
    [false, { status: 'fulfilled', value: 'm1' }],
  ])(
    'a stop cuts off what may be repeated (%s), and lets anything else come to its end',
    async (may, end) => {
      const stop = new AbortController();
      const answer: Says = (response, one) => {
        stop.abort();
        setTimeout(() => says.ok('m1')(response, one), may ? 3000 : 100);
      };
      const { client } = await world([answer], {}, true);
      const begin = performance.now();
      const [ended] = await Promise.allSettled([client.call(upload(fileOf('x'), may), stop.signal)]);
      expect(ended).toMatchObject(end);
      expect(performance.now() - begin).toBeLessThan(2000);
    },
  );

  test('a fence keeps changes from being sent, whether they may be repeated or not', async () => {
    const { client, heard } = await world([says.ok()]);
    client.fence(() => {
      throw new ServiceError('fenced');
    });
    await expect(client.call(upload(fileOf('x'), true), signal)).rejects.toThrow('fenced');
    await expect(client.call(upload(fileOf('x')), signal)).rejects.toThrow('fenced');
    expect(heard).toHaveLength(0);
  });
});

const cutOff: Says = (response) => {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1000 }).write('abc');
  setTimeout(() => response.destroy(), 20);
};

describe('a download', () => {
  const bytes = randomBytes(500_000);

  test('is saved byte for byte, with what the headers say about it', async () => {
    const target = path.join(tempFolder(), 'here.png');
    const { client, heard } = await world([says.file(bytes)]);
    await expect(client.call(download(target), signal)).resolves.toEqual({
      path: target,
      bytes: 500_000,
      contentType: 'image/png',
    });
    expect(readFileSync(target).equals(bytes)).toBe(true);
    expect(readdirSync(path.dirname(target))).toEqual(['here.png']);
    expect(heard[0]?.request.headers.accept).toBe('*/*');
  });

  test('that is cut off leaves the old file and nothing else, and is asked for again', async () => {
    const target = path.join(tempFolder(), 'here.png');
    writeFileSync(target, 'old');
    const { client, heard } = await world([cutOff]);
    await expect(client.call(download(target), signal)).rejects.toMatchObject({ problem: 'service-cut-off' });
    expect(heard).toHaveLength(5);
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(path.dirname(target))).toEqual(['here.png']);
  });

  test('that comes whole at the second try is whole', async () => {
    const target = path.join(tempFolder(), 'here.png');
    const { client } = await world([
      (response) => {
        response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 100_000));
        setTimeout(() => response.destroy(), 20);
      },
      says.file(bytes),
    ]);
    await client.call(download(target), signal);
    expect(readFileSync(target).equals(bytes)).toBe(true);
  });

  test.each([
    ['an envelope', says.no(208_001, 'no such media'), 'service-refuses'],
    ['an unknown token', says.no(10_011, 'token not found.'), 'service-token-unknown'],
    ['a page of HTML', htmlPage(), 'service-foreign-answer'],
    ['HTTP 404', says.http(404), 'service-refuses'],
  ])('that is answered by %s is no file', async (_, answer, problem) => {
    const target = path.join(tempFolder(), 'here.png');
    const { client } = await world([answer]);
    await expect(client.call(download(target), signal)).rejects.toMatchObject({ problem });
    expect(readdirSync(path.dirname(target))).toEqual([]);
  });

  test('of a page of HTML that is an attachment is a file', async () => {
    const target = path.join(tempFolder(), 'page.html');
    const headers = { 'content-type': 'text/html', 'content-disposition': 'attachment; filename=page.html' };
    const { client } = await world([says.file(Buffer.from('<html></html>'), headers)]);
    await expect(client.call(download(target), signal)).resolves.toMatchObject({ path: target });
  });

  test('of JSON that is an attachment is a file, unless it is an envelope', async () => {
    const headers = {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename=a.json',
    };
    const target = path.join(tempFolder(), 'a.json');
    const { client } = await world([
      says.file(Buffer.from('[1, 2]\xff', 'latin1'), headers),
      says.file(Buffer.from('{"status":208001,"message":"gone"}'), headers),
    ]);
    await expect(client.call(download(target), signal)).resolves.toMatchObject({
      bytes: 7,
    });
    expect(readFileSync(target, 'latin1')).toBe('[1, 2]\xff');
    await expect(client.call(download(target), signal)).rejects.toMatchObject({ problem: 'service-refuses' });
  });

  test.each([
    ['a folder', (folder: string) => folder],
    ['no folder', (folder: string) => path.join(folder, 'none', 'x')],
  ])('to %s is refused before anything is asked', async (_, make) => {
    const { client, heard } = await world([says.file(bytes)]);
    const saved = client.call(download(make(tempFolder())), signal);
    await expect(saved).rejects.toMatchObject({ problem: 'file-unsavable', exitCode: 2 });
    expect(heard).toHaveLength(0);
  });

  test('to a disk that takes nothing is told as such, once', async () => {
    const { client, heard } = await world([says.file(bytes)]);
    const call = download('/proc/rollcall');
    await expect(client.call(call, signal)).rejects.toMatchObject({ problem: 'file-unsavable' });
    expect(heard).toHaveLength(1);
    expect(existsSync('/proc/rollcall')).toBe(false);
  });
});

function htmlPage(): Says {
  return (response) => response.setHeader('content-type', 'text/html').end('<html>Log in</html>');
}

const drip =
  (pieces: number): Says =>
  (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 8 });
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      if (sent <= pieces) response.write('x');
      if (sent === 8) response.end();
    }, 100);
    response.on('close', () => clearInterval(timer));
  };

describe('the time for a file', () => {
  test('goes on while bytes come, and ends where none come', async () => {
    const limits = { timeoutSeconds: 0.4 };
    const target = path.join(tempFolder(), 'slow');
    const { client } = await world([drip(8)], { limits });
    await expect(client.call(download(target), signal)).resolves.toMatchObject({ bytes: 8 });
    const { client: other } = await world([drip(2)], { limits });
    await expect(other.call({ ...download(target), repeatable: false }, signal)).rejects.toMatchObject({
      problem: 'service-cut-off',
      message: expect.stringMatching(/ 0\.4 s\b/u) as string,
    });
  });

  test('goes on while bytes are taken', async () => {
    const server = await listen([says.ok('m1')]);
    const { createServer, connect } = await import('node:net');
    const { started } = await import('./file-server.ts');
    // Passes on 3 MB a second at most: the file takes 5 s, in which no answer can come.
    const slow = await started(
      createServer((socket) => {
        const onward = connect(server.port, '127.0.0.1');
        onward.on('data', (data) => socket.write(data)).on('error', () => undefined);
        socket.on('error', () => undefined).on('close', () => onward.destroy());
        socket.on('data', (data) => {
          onward.write(data);
          socket.pause();
          setTimeout(() => socket.resume(), data.length / 3000);
        });
      }),
    );
    const { client } = clientOf(`http://127.0.0.1:${slow.port}`, { limits: { timeoutSeconds: 4 } });
    open.push(client, slow, server);
    const begin = performance.now();
    await expect(client.call(upload(fileOf(randomBytes(16_000_000))), signal)).resolves.toBe('m1');
    expect(performance.now() - begin).toBeGreaterThan(4000);
  });
});

test('an attachment is one by its first word', () => {
  expect(['attachment', 'Attachment; filename=a', 'inline; attachment', null].map(isAttachment)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a folder named like the temporary file of a download is not touched', async () => {
  const folder = tempFolder();
  mkdirSync(path.join(folder, 'here.png.part'));
  const { client } = await world([says.file(Buffer.from('x'))]);
  await client.call(download(path.join(folder, 'here.png')), signal);
  expect(readdirSync(folder).toSorted()).toEqual(['here.png', 'here.png.part']);
});
