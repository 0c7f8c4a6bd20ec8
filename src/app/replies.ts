import type { Log } from '../domain/events.ts';
import { LedgerBusyError } from '../domain/errors.ts';
import type { TakeMessage } from '../domain/ports/callbacks.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Messenger } from '../domain/ports/messenger.ts';
import type { Approval, Reply } from '../domain/records/approval.ts';
import { sentenceOf } from '../domain/sentence-of.ts';
import type { ApprovalSettings, Settings } from '../domain/settings.ts';
import { decideReply, type Decision } from '../notify/replies/decide-reply.ts';
import { answerTo, busyAnswer, resultOf } from '../notify/words/answer.ts';
import type { RunReport } from '../sync/end-run.ts';

/** Milliseconds in which somebody is answered; a stop waits for it. */
const ANSWER_MS = 15_000;

/** What answers are taken with. */
export interface ReplyDeps {
  readonly settings: Pick<Settings, 'notify'> & { readonly service: Pick<Settings['service'], 'domainId'> };
  readonly messenger: Messenger;
  readonly log: Log;
}

/** Answers that no run has taken, and what they approve. */
export interface OpenReplies {
  readonly replies: readonly Reply[];
  readonly approvals: readonly Approval[];
}

export const NO_REPLIES: OpenReplies = { replies: [], approvals: [] };

/** Returns the answers that no run has taken; what is not held any more approves nothing. */
export function openReplies({ replies, approvals }: Ledger): OpenReplies {
  const open = replies.open();
  const first = new Map(open.toReversed().map((reply) => [reply.hash, reply]));
  const known = [...first.values()].filter(({ hash }) => approvals.isListed(hash) || approvals.isKnown(hash));
  return { replies: open, approvals: known.map(({ hash, by }) => ({ hash, by })) };
}

/** Notes what a run has made of the answers, and tells those who gave them. It never throws. */
export async function settleReplies(
  deps: ReplyDeps,
  ledger: Ledger,
  { replies, report }: { readonly replies: readonly Reply[]; readonly report: RunReport },
): Promise<void> {
  const { run, end, released } = report;
  const isWhole = end.result !== 'failed' && end.result !== 'stopped';
  // A run that failed before it took them leaves them to the next one.
  const taken = replies.filter(({ hash }) => isWhole || released.has(hash));
  for (const reply of taken) {
    const count = released.get(reply.hash) ?? null;
    const left = count === null ? 0 : ledger.approvals.leftOf(reply.hash);
    try {
      ledger.replies.settle(reply, { run, left: count === null ? null : left });
      await tell(deps, reply.by, resultOf({ reply, released: count, left }, languageOf(deps)));
    } catch (error) {
      deps.log.note('warn', 'what became of an answer could not be noted', { reason: sentenceOf(error) });
    }
  }
}

/** Opens the ledger for one piece of work. */
export type WithLedger = <T>(mode: 'read' | 'write', work: (ledger: Ledger) => T) => T;

interface Taking extends ReplyDeps {
  readonly approvals: Pick<ApprovalSettings, 'approvers'> & {
    readonly callback: Pick<ApprovalSettings['callback'], 'domains'>;
  };
  readonly withLedger: WithLedger;
  /** Begins a run. */
  readonly released: () => void;
}

/** Returns what takes the messages of approvers: it notes what they release, begins a run, and answers. */
export function takeMessages(deps: () => Taking): TakeMessage {
  const pace = new AnswerPace();
  return (message) => {
    const now = deps();
    const { approvals, withLedger, settings } = now;
    const domains = approvals.callback.domains ?? [settings.service.domainId];
    const known = withLedger('read', (ledger) => ({
      held: ledger.approvals.held(),
      open: ledger.replies.open(),
    }));
    const decision = decideReply(message, { ...known, domains, approvers: approvals.approvers });
    const answer = carriedOut(now, decision);
    if ('by' in decision && answer.isTold && pace.allows(message.at))
      void tell(now, decision.by, answer.text);
    return answer.text;
  };
}

interface Answer {
  readonly text: string;
  /** Whether a message says so too: what a run makes of it is told after the run. */
  readonly isTold: boolean;
}

function carriedOut(deps: Taking, decision: Decision): Answer {
  const { log, withLedger, released } = deps;
  const text = answerTo(decision, languageOf(deps));
  if (decision.is === 'otherDomain') {
    const { domain } = decision;
    log.note('warn', 'an answer came from another domain: list it in approvals.callback.domains', { domain });
  }
  if (decision.is !== 'release') return { text, isTold: true };
  const { by, replies } = decision;
  try {
    if (!withLedger('write', (ledger) => ledger.replies.add(replies))) return { text, isTold: false };
  } catch (error) {
    if (!(error instanceof LedgerBusyError)) throw error;
    return { text: busyAnswer(languageOf(deps)), isTold: true };
  }
  for (const { hash, count } of replies)
    log.note('info', 'released by an answer', { by, hash, changes: count });
  released();
  return { text, isTold: false };
}

const languageOf = ({ settings }: ReplyDeps): 'en' | 'zh' => settings.notify?.language ?? 'en';

async function tell({ messenger, log }: ReplyDeps, username: string, content: string): Promise<void> {
  try {
    const to = { usernames: [username], scopes: [] };
    await messenger.push(to, { type: 'text', content }, AbortSignal.timeout(ANSWER_MS));
  } catch (error) {
    log.note('warn', 'an approver could not be answered', { username, reason: sentenceOf(error) });
  }
}

const DAY_MS = 86_400_000;
const MOST_A_DAY = 20;

/** Keeps answers to so many a day: one that is answered by a machine would be answered for ever. */
class AnswerPace {
  #given: readonly number[] = [];

  allows(now: number): boolean {
    this.#given = this.#given.filter((at) => Math.abs(now - at) < DAY_MS);
    if (this.#given.length >= MOST_A_DAY) return false;
    this.#given = [...this.#given, now];
    return true;
  }
}
