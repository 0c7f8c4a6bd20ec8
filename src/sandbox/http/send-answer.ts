import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { Bytes } from '../media/media-service.ts';
import type { Answer } from './answer.ts';

/**
 * Sends an answer. `Date` follows the sandbox's clock, so that a test can make it differ from the client's.
 */
export async function sendAnswer(reply: FastifyReply, answer: Answer, now: number): Promise<FastifyReply> {
  const { http, body, bytes, half } = answer;
  const headers = { ...answer.headers, Date: new Date(now).toUTCString() };
  if (bytes !== undefined && half === true) return sendHalf(reply, bytes, headers);
  reply.code(http).headers(headers);
  if (bytes === undefined) return reply.send(body);
  return reply.header('Content-Length', bytes.size).send(await bytes.open(bytes.size));
}

/** Breaks the connection without an answer. */
export function dropConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** Sends the first half of the bytes, as fast as the client takes them, and breaks the connection. */
async function sendHalf(
  reply: FastifyReply,
  { size, open }: Bytes,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const source = await open(Math.ceil(size / 2));
  reply.hijack();
  reply.raw.writeHead(200, { ...headers, 'Content-Length': size });
  await pipeline(source, reply.raw, { end: false }).catch(() => undefined);
  reply.raw.destroy();
  return reply;
}
