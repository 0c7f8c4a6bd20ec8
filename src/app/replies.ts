import { randomUUID } from 'node:crypto';
import type { Log } from '../domain/events.ts';
import { LedgerBusyError, sentenceOf } from '../domain/errors.ts';
import type { Messenger, ReceivedMessage, TakeMessage } from '../domain/ports/messenger.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Employee, Service } from '../domain/ports/service.ts';
import type { Approval, Reply } from '../domain/records/approval.ts';
import type { ApprovalSettings, Settings } from '../domain/settings.ts';
import {
  answerTo,
  busyAnswer,
  decideReply,
  decideSender,
  parseReply,
  repeatedAnswer,
  resultOf,
  type Decision,
} from '../notify/replies.ts';
import type { RunReport } from '../sync/end-run.ts';

/** Milliseconds for an answer to an approver; a stop waits for it. */
const ANSWER_MS = 15_000;
/** Milliseconds in which the service says who the sender is: it waits for the answer to its callback meanwhile. */
const LOOK_UP_MS = 4_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ANSWERS_A_DAY = 20;
const OTHER_DOMAIN =
  'an answer came from another domain: if this one is called so, list it in approvals.callback.domains';

/** Signature of what was released in the console: its result is told there. */
const IN_CONSOLE = 'console:';

/** What answers are taken with. */
interface ReplyDeps {
  readonly settings: Pick<Settings, 'notify' | 'sync'> & {
    readonly service: Pick<Settings['service'], 'domainId'>;
  };
  readonly messenger: Messenger;
  /** Of the answers; without it, that of messages. */
  readonly language?: 'en' | 'zh';
  readonly log: Log;
}

/** Answers that no run has taken, and what they approve. */
interface OpenReplies {
  readonly replies: readonly Reply[];
  readonly approvals: readonly Approval[];
}

export const NO_REPLIES: OpenReplies = { replies: [], approvals: [] };

/** Returns the answers that no run has taken; what is not held any more approves nothing. */
export function openReplies({ approvals }: Ledger): OpenReplies {
  const open = approvals.replies('open');
  const first = new Map(open.toReversed().map((reply) => [reply.hash, reply]));
  const held = [...first.values()].filter(({ hash }) => approvals.under(hash).isKnown);
  return { replies: open, approvals: held.map(({ hash, by }) => ({ hash, by })) };
}

/** Records what a run did with the replies, and answers the approvers. It never throws. */
export async function settleReplies(
  deps: ReplyDeps,
  ledger: Ledger,
  { replies, report }: { readonly replies: readonly Reply[]; readonly report: RunReport },
): Promise<void> {
  const { run, end, released } = report;
  const isComplete = end.result !== 'failed' && end.result !== 'stopped';
  // A run that failed before it took them leaves them to the next one.
  const settled = replies.filter(({ hash }) => isComplete || released.has(hash));
  for (const reply of settled) {
    // A hash of an earlier plan releases what is still planned of it, perhaps nothing.
    const count = released.get(reply.hash) ?? 0;
    const left = count === 0 ? null : ledger.approvals.under(reply.hash).left;
    const result = { reply, released: count === 0 ? null : count, remaining: left ?? 0 };
    try {
      ledger.approvals.settleReply(reply, { run, left });
      if (reply.signature.startsWith(IN_CONSOLE)) continue;
      await send(deps, reply.by, resultOf(result, languageOf(deps)));
    } catch (error) {
      deps.log.note('warn', 'could not record the result of the approval', { reason: sentenceOf(error) });
    }
  }
}

/** Opens the ledger for one piece of work. */
type WithLedger = <T>(mode: 'read' | 'write', work: (ledger: Ledger) => T) => T;

export interface Taking extends ReplyDeps {
  readonly service: Pick<Service, 'employees'>;
  readonly approvals: Pick<ApprovalSettings, 'approvers'> & {
    readonly callback: Pick<ApprovalSettings['callback'], 'domains'>;
  };
  readonly withLedger: WithLedger;
  /** Begins a run. */
  readonly released: () => void;
}

/**
 * Returns what takes the messages of approvers: it looks the sender up, notes what the answer releases, begins a run, and
 * answers.
 */
export function takeMessages(deps: () => Taking): TakeMessage {
  const [answers, warnings] = [new AtMost(ANSWERS_A_DAY, DAY_MS), new AtMost(1, MINUTE_MS)];
  return async (message) => {
    const now = deps();
    const { decision, by, text, isSentAsMessage } = await take(now, message);
    if (decision?.is === 'otherDomain' && warnings.allows(message.at)) {
      const { domain } = decision;
      now.log.note('warn', OTHER_DOMAIN, { domain });
    }
    if (by !== null && isSentAsMessage && answers.allows(message.at)) void send(now, by, text);
    return text;
  };
}

/** Who released what in the console. */
interface Released {
  readonly by: string;
  readonly hash: string;
  /** When, ms on the service's clock. */
  readonly at: number;
}

/** Takes what somebody released in the console as if it were an answer; nothing is sent about it. Throws as {@link take}. */
export async function takeRelease(
  deps: Taking,
  { by, hash, at }: Released,
): Promise<{ readonly isReleased: boolean; readonly text: string }> {
  const signature = `${IN_CONSOLE}${randomUUID()}`;
  const message = { signature, from: by, domain: null, text: `approve ${hash}`, isEvent: false, at };
  const { decision, text } = await take(deps, message);
  return { isReleased: decision?.is === 'release', text };
}

interface Taken {
  /** The approver; `null`: somebody else. */
  readonly by: string | null;
  /** `null`: the answer was taken before, or could not be noted. */
  readonly decision: Decision | null;
  readonly text: string;
  /** Whether a message says so too: the result of a run is sent after the run. */
  readonly isSentAsMessage: boolean;
}

/** Throws if the service does not say in time who the sender is: then the message may come again. */
async function take(deps: Taking, message: ReceivedMessage): Promise<Taken> {
  const { approvals, settings, service } = deps;
  const domains = approvals.callback.domains ?? [settings.service.domainId];
  const sender = decideSender(message, { approvers: approvals.approvers, domains });
  if (sender.is !== 'listed') return answered(deps, sender);
  const { by } = sender;
  const account = (await service.employees([by], AbortSignal.timeout(LOOK_UP_MS))).found.get(by);
  // The search finds an account in another case, too.
  if (account === undefined || account.username !== by || account.locked)
    return answered(deps, { is: 'stranger' });
  return decideAndNote(deps, message, account);
}

/**
 * Decides and notes in one go: of two approvers at once, one releases. Each answer with a hash is noted, so that it counts
 * once: one that released nothing must not do so after a restart.
 */
function decideAndNote(
  deps: Taking,
  message: ReceivedMessage,
  { id, username: by }: Pick<Employee, 'id' | 'username'>,
): Taken {
  const language = languageOf(deps);
  try {
    return deps.withLedger('write', ({ approvals }) => {
      const decision = decideReply(message, {
        by,
        held: approvals.held(),
        open: approvals.replies('open'),
        isReportOnly: deps.settings.sync.mode === 'report',
        isAmongHeld: (hash) => approvals.under(hash).accounts.has(id),
      });
      const reply = decision.is === 'release' ? decision.reply : refusedReply(decision, message);
      const isNew =
        reply === null || approvals.addReply(reply, decision.is === 'release' ? 'open' : 'refused');
      return isNew
        ? answered(deps, decision)
        : { by, decision: null, text: repeatedAnswer(language), isSentAsMessage: false };
    });
  } catch (error) {
    if (!(error instanceof LedgerBusyError)) throw error;
    return { by, decision: null, text: busyAnswer(language), isSentAsMessage: true };
  }
}

/** Begins a run if something is released, and returns the answer. */
function answered(deps: Taking, decision: Decision): Taken {
  const text = answerTo(decision, languageOf(deps));
  const taken = { by: 'by' in decision ? decision.by : null, decision, text };
  if (decision.is !== 'release') return { ...taken, isSentAsMessage: true };
  const { by, hash, count } = decision.reply;
  deps.log.note('info', 'released by an answer', { by, hash, changes: count });
  deps.released();
  return { ...taken, isSentAsMessage: false };
}

/** Returns the answer of an approver that released nothing; `null`: it names no hash, and never can. */
function refusedReply(decision: Decision, { signature, text, at }: ReceivedMessage): Reply | null {
  const hash = parseReply(text ?? '');
  return 'by' in decision && hash !== null
    ? { signature, hash, by: decision.by, text: text ?? '', at, count: 0 }
    : null;
}

const languageOf = ({ settings, language }: ReplyDeps): 'en' | 'zh' =>
  language ?? settings.notify?.language ?? 'en';

async function send({ messenger, log }: ReplyDeps, username: string, content: string): Promise<void> {
  try {
    await messenger.push(
      { usernames: [username] },
      { type: 'text', content },
      AbortSignal.timeout(ANSWER_MS),
    );
  } catch (error) {
    log.note('warn', 'an approver could not be answered', { username, reason: sentenceOf(error) });
  }
}

/** Allows something so many times in a span: what a machine answers would be answered for ever. */
class AtMost {
  readonly #times: number;
  readonly #ms: number;
  #allowed: readonly number[] = [];

  constructor(times: number, ms: number) {
    this.#times = times;
    this.#ms = ms;
  }

  allows(now: number): boolean {
    this.#allowed = this.#allowed.filter((at) => Math.abs(now - at) < this.#ms);
    if (this.#allowed.length >= this.#times) return false;
    this.#allowed = [...this.#allowed, now];
    return true;
  }
}
