import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, createReadStream, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compiled } from '../runtime/compiled.ts';
import { started, tempFolder, type Listening } from './file-server.ts';

const MB = 1_048_576;
const SIZE = 200 * MB;
/** Promise of the README: a file of 200 MB moves in less than so many MB of memory. */
const MOST_MB = 100;

const folder = tempFolder();
const big = path.join(folder, 'big');
let program = '';
let server: Listening;
let received = createHash('md5');

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

beforeAll(async () => {
  program = compiled(['src/domain', 'src/lib', 'src/interface', 'src/service', 'test/service/fixtures']);
  const descriptor = openSync(big, 'w');
  for (let written = 0; written < SIZE; written += MB) writeSync(descriptor, randomBytes(MB));
  closeSync(descriptor);
  server = await started(
    createServer((request, response) => {
      const ok = (): unknown => response.end('{"status":0}');
      if (request.url?.startsWith('/tiny') === true) return ok();
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': SIZE });
        return createReadStream(big).pipe(response);
      }
      received = createHash('md5');
      request.on('data', (chunk: Buffer) => received.update(chunk));
      return request.on('end', ok);
    }),
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function moved(direction: 'up' | 'down', file: string): Promise<number> {
  const script = path.join(program, 'test/service/fixtures/transfer.js');
  const args = [script, `http://127.0.0.1:${server.port}`, direction, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { before, growth, seconds } = JSON.parse(stdout) as Record<string, number>;
  process.stdout.write(
    `200 MB ${direction}: +${growth?.toFixed(1)} MB over ${before?.toFixed(1)} MB, ${seconds?.toFixed(2)} s\n`,
  );
  return growth ?? Number.NaN;
}

test('a file of 200 MB is sent in less than 100 MB of memory', async () => {
  expect(await moved('up', big)).toBeLessThan(MOST_MB);
});

test('a file of 200 MB is saved in less than 100 MB of memory, whole', async () => {
  const target = path.join(folder, 'down');
  expect(await moved('down', target)).toBeLessThan(MOST_MB);
  expect(statSync(target).size).toBe(SIZE);
  expect(await md5Of(target)).toBe(await md5Of(big));
});
