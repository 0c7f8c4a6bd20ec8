import type { Held } from '../../domain/changes.ts';
import type { ReceivedMessage } from '../../domain/ports/callbacks.ts';
import type { Reply } from '../../domain/records/approval.ts';
import { parseReply } from './parse-reply.ts';

/** Who may approve. */
export interface Listed {
  /** Usernames as the service spells them. */
  readonly approvers: readonly string[];
  /** Names of the domain in callbacks. */
  readonly domains: readonly string[];
}

/** What is known when a listed approver has answered. */
export interface Known {
  /** Username of the approver. */
  readonly by: string;
  /** What is held now. */
  readonly held: readonly Held[];
  /** Answers that no run has taken yet. */
  readonly open: readonly Reply[];
  /** Returns whether what is held under the hash changes the approver's own account. */
  readonly isAmongHeld: (hash: string) => boolean;
}

/**
 * What an answer comes to:
 * - `stranger`: not from an active account that may release anything, or from nobody that is named
 * - `otherDomain`: an approver's name, of a domain that is not accepted
 * - `nothing`: a picture, or an event such as those that follow each message: nobody has said anything
 * - `help`: nothing that releases; it is said what would
 * - `unknown`: a hash under which nothing is held
 * - `again`: somebody has released it, and the run is on its way
 * - `own`: the approver's own account is among the changes
 * - `release`: to be noted, and a run to be begun
 */
export type Decision =
  | { readonly is: 'nothing' }
  | { readonly is: 'stranger' }
  | { readonly is: 'otherDomain'; readonly domain: string }
  | { readonly is: 'help'; readonly by: string; readonly held: readonly Held[] }
  | { readonly is: 'unknown'; readonly by: string; readonly hash: string; readonly held: readonly Held[] }
  | { readonly is: 'again'; readonly by: string; readonly before: string }
  | { readonly is: 'own'; readonly by: string; readonly hash: string }
  | { readonly is: 'release'; readonly by: string; readonly reply: Reply };

/** Returns the listed approver whose name the message has, letter by letter; else what the message comes to. Pure. */
export function decideSender(
  { from, domain, text, isEvent }: ReceivedMessage,
  { approvers, domains }: Listed,
): { readonly is: 'listed'; readonly by: string } | Decision {
  if (text === null || (isEvent && parseReply(text) === null)) return { is: 'nothing' };
  if (from === null || !approvers.includes(from)) return { is: 'stranger' };
  return domain === null || domains.includes(domain)
    ? { is: 'listed', by: from }
    : { is: 'otherDomain', domain };
}

/** Decides what the answer of an approver comes to. Pure. */
export function decideReply({ signature, text, at }: ReceivedMessage, known: Known): Decision {
  const { by, held, open, isAmongHeld } = known;
  const hash = parseReply(text ?? '');
  if (hash === null) return { is: 'help', by, held };
  const before = open.find((reply) => reply.hash === hash);
  if (before !== undefined) return { is: 'again', by, before: before.by };
  const group = held.find((one) => one.hash === hash);
  if (group === undefined) return { is: 'unknown', by, hash, held };
  if (isAmongHeld(hash)) return { is: 'own', by, hash };
  return { is: 'release', by, reply: { signature, hash, by, text: text ?? '', at, count: group.count } };
}
