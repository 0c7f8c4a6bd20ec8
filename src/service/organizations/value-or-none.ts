import type { Reply } from '../calls/client.ts';

/**
 * The codes of "there is none" are not shown but two, so a refusal of a question for one thing is that answer; not when
 * the service has trouble of its own.
 */
export function valueOrNone<T>(reply: Reply<T | null>): T | null {
  if (reply.ok) return reply.value;
  if (reply.settled) return null;
  throw reply.refusal;
}
