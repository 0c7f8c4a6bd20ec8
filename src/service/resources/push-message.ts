import type { Message } from '../../domain/ports/messenger.ts';
import type { Audience } from '../../domain/settings.ts';
import { OPERATIONS } from '../../interface/operations/operations.ts';
import { endpoint } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { serviceConfigProblem } from '../wire/problems.ts';

interface Push {
  readonly to: Audience;
  readonly message: Message;
  /** Whose token goes with it. */
  readonly identity: 'any' | 'application';
}

/**
 * Pushes a message (interface, Message push). It goes through the queue. A message without recipients is
 * refused here: a service might take it for one to everyone.
 */
export async function pushMessage(
  client: Client,
  { to: { usernames }, message, identity }: Push,
  signal: AbortSignal,
): Promise<void> {
  if (usernames.length === 0 || usernames.some((name) => name.trim() === ''))
    throw serviceConfigProblem('service-no-recipient', {});
  const body = { type: message.type, usernames, body: bodyOf(message) };
  await client.call(
    {
      ...endpoint(OPERATIONS.pushMessage, {}),
      identity,
      needsLease: false,
      body: JSON.stringify(body),
      decode: () => null,
    },
    signal,
  );
}

function bodyOf(message: Message): Readonly<Record<string, unknown>> {
  if (message.type === 'text') return { content: message.content };
  const { mediaId, name, size } = message;
  return { media_id: mediaId, name, size };
}
