import type { Held } from '../../domain/changes.ts';
import type { ReceivedMessage } from '../../domain/ports/callbacks.ts';
import type { Reply } from '../../domain/records/approval.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { parseReply } from './parse-reply.ts';

/** What is known when an answer comes. */
export interface Known {
  readonly approvers: readonly string[];
  /** Domains whose users may approve. */
  readonly domains: readonly string[];
  /** What is held now. */
  readonly held: readonly Held[];
  /** Answers that no run has taken yet. */
  readonly open: readonly Reply[];
}

/**
 * What an answer comes to:
 * - `stranger`: nobody who may release anything, or nobody that is named
 * - `otherDomain`: an approver's name, of a domain that is not accepted
 * - `nothing`: a picture, or an event such as those that follow each message: nobody has said anything
 * - `help`: nothing that releases; it is said what would
 * - `unknown`: a hash under which nothing is held: then none of them is released
 * - `again`: somebody has released it, and the run is on its way
 * - `release`: to be noted, and a run to be begun
 */
export type Decision =
  | { readonly is: 'nothing' }
  | { readonly is: 'stranger' }
  | { readonly is: 'otherDomain'; readonly domain: string }
  | { readonly is: 'help'; readonly by: string; readonly held: readonly Held[] }
  | { readonly is: 'unknown'; readonly by: string; readonly hash: string; readonly held: readonly Held[] }
  | { readonly is: 'again'; readonly by: string; readonly before: string }
  | { readonly is: 'release'; readonly by: string; readonly replies: readonly Reply[] };

/** Decides what an answer comes to. Pure. Usernames are the same where they are equal without case. */
export function decideReply(message: ReceivedMessage, known: Known): Decision {
  const { signature, from, domain, text, isEvent, at } = message;
  const hashes = parseReply(text ?? '');
  if (text === null || (isEvent && hashes === null)) return { is: 'nothing' };
  const by = known.approvers.find((name) => from !== null && isSame(name, from));
  if (by === undefined) return { is: 'stranger' };
  if (domain !== null && !known.domains.includes(domain)) return { is: 'otherDomain', domain };
  if (hashes === null) return { is: 'help', by, held: known.held };
  const before = hashes.map((hash) => known.open.find((reply) => reply.hash === hash));
  const [first] = before;
  if (first !== undefined && !before.includes(undefined)) return { is: 'again', by, before: first.by };
  const groups = hashes.map((hash) => known.held.find((held) => held.hash === hash));
  const missing = hashes.find((_, n) => groups[n] === undefined);
  if (missing !== undefined) return { is: 'unknown', by, hash: missing, held: known.held };
  const replies = groups.flatMap((held) =>
    held === undefined ? [] : [{ signature, hash: held.hash, by, text, at, count: held.count }],
  );
  return { is: 'release', by, replies };
}

const isSame = (one: string, other: string): boolean => foldUsername(one) === foldUsername(other);
