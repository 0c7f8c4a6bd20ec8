import type { Reply } from '../calls/client.ts';

/**
 * Returns the value, or `null` for a refusal. The interface shows only two codes for "there is none", so any
 * refusal of a question for one thing counts as that; except where the service has trouble of its own.
 */
export function valueOrNone<T>(reply: Reply<T | null>): T | null {
  if (reply.ok) return reply.value;
  if (reply.settled) return null;
  throw reply.refusal;
}
