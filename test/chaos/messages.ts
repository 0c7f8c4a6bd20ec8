import { settleReplies, openReplies, takeMessages } from '../../src/app/replies.ts';
import { notifyOfRun } from '../../src/app/tell.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Employees } from '../../src/domain/ports/service.ts';
import type { Approval } from '../../src/domain/records/approval.ts';
import type { NotifyBook } from '../../src/domain/ports/ledger/ledger-facts.ts';
import { NOTIFY_ON, type NotifySettings } from '../../src/domain/settings.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { SandboxCall } from '../../src/sandbox/http/call-log.ts';
import { SYNC } from '../plan/build.ts';
import { MemoryLog } from '../runtime/memory-log.ts';
import type { Ended, World } from '../sync/world.ts';

const READER = 'nobody';
const APPROVER = 'Anna.Approver';
const NOTIFY: NotifySettings = {
  to: { usernames: [READER] },
  on: NOTIFY_ON,
  language: 'en',
};
/** What a message never has: addresses and numbers of people. A domain of all of them is the cause of a hold. */
const CONTACT = /[^…]@example\.com|151\D?\d{7}/u;
/** The service shows everybody who is asked for, as active. */
const showing = (names: readonly string[]): Employees => ({
  found: new Map(
    names.map((username) => [username, { id: username, username, locked: false, fields: {}, positions: [] }]),
  ),
  unclear: new Map(),
});
/** Between two equal messages there was one that nobody may have got. */
const LOST = '(perhaps lost)';

/**
 * The messages of a story, and its answers: people are told after each run, and what is held is released by answering.
 * What breaks a promise is kept as a finding:
 * - no message goes out twice for one state, also where nobody knows whether it went out;
 * - no message has an address or a number of somebody;
 * - nobody but an approver releases anything, and no answer is taken twice;
 * - whatever is held after a run has been told, unless a message was refused;
 * - once all is as it should be, nothing is left untold.
 */
export class Messages {
  readonly findings: string[] = [];
  readonly #world: World;
  readonly #settings;
  #last = '';
  #answered = 0;

  constructor(world: World) {
    this.#world = world;
    this.#settings = {
      notify: NOTIFY,
      approvals: { callback: {}, approvers: [APPROVER] },
      state: { path: '', keepDays: 400 },
      sync: SYNC,
      service: { domainId: world.sandbox.domainId },
    };
    world.sandbox.onPush = ({ body, recipients }) => {
      this.#arrived(JSON.stringify(body['content']), recipients.length);
    };
  }

  /** Before the service does its work. */
  watch({ operation, fault }: SandboxCall): void {
    if (operation === 'pushMessage' && fault !== undefined) this.#last = LOST;
  }

  /** What was told since a backup, or by another clock, may be told again. */
  comeBack(): void {
    this.#last = LOST;
  }

  #arrived(text: string, recipients: number): void {
    if (recipients !== 1) this.#find(`a message went to ${recipients}`);
    const contact = CONTACT.exec(text);
    if (contact !== null) this.#find(`a message has ${contact[0]}`);
    const isAgain = text === this.#last && !text.includes('(still)');
    if (isAgain) this.#find(`a message came twice: ${text.slice(0, 60)}`);
    this.#last = text;
  }

  /** Answers as strangers and as the approver do, and returns what is released by it. */
  async release(hashes: readonly string[]): Promise<readonly Approval[]> {
    const take = takeMessages(() => ({
      settings: this.#settings,
      approvals: this.#settings.approvals,
      service: { employees: (names) => Promise.resolve(showing(names)) },
      messenger: {
        push: () => Promise.resolve(),
        uploadFile: () => Promise.reject(new Error('nothing is uploaded')),
      },
      log: new MemoryLog(),
      withLedger: (_, work) => this.#withLedger(work),
      released: () => undefined,
    }));
    const say = (from: string, text: string): Promise<string> => {
      this.#answered += 1;
      const at = this.#world.clock.now();
      const signature = String(this.#answered).padStart(40, '0');
      return take({ signature, from, domain: null, text, isEvent: false, at });
    };
    const before = this.#open();
    for (const hash of hashes) {
      await say('mallory', `approve ${hash}`);
      await say(APPROVER.toLowerCase(), `approve ${hash}`);
      await say(APPROVER, `approve ${hash} please`);
      await say(APPROVER, 'approve 000000000000');
    }
    if (this.#open() !== before) this.#find('somebody has released what they may not');
    for (const hash of hashes) {
      await say(APPROVER, `批准 ${hash}`);
      const once = this.#open();
      await say(APPROVER, `approve ${hash}`);
      if (this.#open() !== once) this.#find(`the answer to ${hash} was taken twice`);
    }
    return this.#withLedger((ledger) => openReplies(ledger).approvals);
  }

  #open(): number {
    return this.#withLedger(({ approvals }) => approvals.replies('open').length);
  }

  #withLedger<T>(work: (ledger: Ledger) => T): T {
    const { ledgerFile, clock, sandbox } = this.#world;
    const binding = `${sandbox.domainId}/${sandbox.orgCode}`;
    const ledger = openLedger({ path: ledgerFile, binding, now: () => clock.now(), mode: 'write' });
    try {
      return work(ledger);
    } finally {
      ledger.close();
    }
  }

  /** After a run: what answers came to, and what is news. */
  readonly after = async ({ ledger, service, report, log }: Ended): Promise<void> => {
    const settings = { ...this.#settings, state: { path: this.#world.ledgerFile, keepDays: 1 } };
    const { replies } = openReplies(ledger);
    await settleReplies({ settings, messenger: service, log }, ledger, { replies, report });
    await notifyOfRun({ settings, service, log }, ledger, {
      report,
      page: null,
      at: this.#world.clock.now(),
    });
    const { end } = report;
    const book = ledger.fact('notified')?.messenger;
    if (book === undefined || book === null) return this.#find('nobody is told anything');
    if (end.result === 'failed' || end.result === 'stopped' || isExcused(book)) return;
    const held = ledger.approvals.held();
    for (const hash of Object.keys(book.held))
      if (held.every((one) => one.hash !== hash)) this.#find(`${hash} is not held, and would not be news`);
    for (const { hash, guard } of held)
      if (book.held[hash] === undefined) this.#find(`${guard} is held, and nobody was told`);
  };

  /** After runs without faults, and time enough for what was refused: what nobody was told of. */
  requireNothingUntold(isTroubled: boolean): void {
    const book = this.#withLedger((ledger) => ledger.fact('notified')?.messenger);
    if (book === undefined || book === null) return this.#find('nobody is told anything');
    const { lastError, failedAt, partialAt, wasHeld, waitingSince } = book;
    if (waitingSince !== undefined) return;
    if (lastError !== null) this.#find(`the last message was not taken: ${lastError.reason}`);
    if (failedAt !== null) this.#find('nobody was told that runs are well again');
    if (wasHeld === true && !isTroubled) this.#find('nobody was told that nothing is held any more');
    if ((partialAt !== null) !== isTroubled) this.#find(`people believe that records fail: ${!isTroubled}`);
  }

  #find(finding: string): void {
    if (!this.findings.includes(finding)) this.findings.push(finding);
  }
}

/** Somebody was not told because a message was refused, or because there were many. */
const isExcused = ({ lastError, waitingSince }: NotifyBook): boolean =>
  lastError !== null || waitingSince !== undefined;
