import type { IncomingMessage } from 'node:http';
import type { Callbacks } from '../callback/callbacks.ts';
import type { AnswerOutcome, PersonAnswer } from './wire.ts';

/** Bytes of an answer that are taken. */
const MOST_BYTES = 64 * 1024;

/** Sends what a person answers, as the service would (interface: Events). */
export async function sendPersonAnswer(
  request: IncomingMessage,
  callbacks: Callbacks,
): Promise<AnswerOutcome> {
  const given = await readAnswer(request);
  if (given === undefined) return { problem: 'An answer needs a username and a text.' };
  const { username, text } = given;
  const { http, reply, problem } = await callbacks.send({
    msg_type: 'text',
    from_user_name: username,
    content: text,
  });
  if (http === undefined) return { problem: problem ?? 'Nobody answered.' };
  return { http, reply: reply ?? '' };
}

async function readAnswer(request: IncomingMessage): Promise<PersonAnswer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  return size > MOST_BYTES ? undefined : parseAnswer(Buffer.concat(chunks).toString('utf8'));
}

function parseAnswer(body: string): PersonAnswer | undefined {
  try {
    const { username, text } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    if (typeof username !== 'string' || typeof text !== 'string') return undefined;
    return username === '' || text === '' ? undefined : { username, text };
  } catch {
    return undefined;
  }
}
