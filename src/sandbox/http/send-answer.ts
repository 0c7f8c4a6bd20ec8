import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Answer } from './answer.ts';

/**
 * Sends an answer. `Date` follows the sandbox's clock, so that a test can make it differ from the client's.
 */
export async function sendAnswer(response: ServerResponse, answer: Answer, now: number): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  const headers = { ...answer.headers, Date: new Date(now).toUTCString() };
  if (answer.bytes !== undefined) return sendBytes(response, answer, headers);
  const body = Buffer.from(answer.body);
  response.writeHead(answer.http, { ...headers, 'Content-Length': body.length });
  response.end(body);
}

/** Sends bytes as fast as the client takes them; a cut answer breaks the connection half-way. */
async function sendBytes(
  response: ServerResponse,
  { http, bytes, half }: Answer,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (bytes === undefined) return;
  const { size } = bytes;
  const source = await bytes.open(half === true ? Math.ceil(size / 2) : size);
  response.writeHead(http, { ...headers, 'Content-Length': size });
  await pipeline(source, response, { end: half !== true }).catch(() => response.destroy());
  if (half === true) response.destroy();
}
