import { counted } from '../domain/text/counted.ts';
import { commandProblem } from './problems.ts';
import { loadApp, openAppSource, type App } from '../app/app.ts';
import { hasLedger } from '../app/setup.ts';
import { forgetLastPlan } from '../app/last-plan.ts';
import { planDry, underLease } from '../app/runs.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import { recordsNamed } from '../report/known-record.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { PersonEntry } from '../domain/ports/ledger/entries.ts';
import type { RecordState } from '../domain/records/next.ts';
import type { Erased } from '../domain/ports/ledger/people.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { SyncSettings } from '../domain/settings.ts';
import { listSome, printable } from '../domain/text/printable.ts';
import { shellQuoted } from '../domain/text/shell.ts';

interface ForgetOptions {
  readonly wait: number;
}

/** Runs `rollcall forget`: erases a person who is gone. Nothing is sent to the service. */
export async function forgetCommand(
  context: CommandContext,
  text: string,
  { wait }: ForgetOptions,
): Promise<number> {
  const app = loadApp(context, { logTo: 'stderr', logsAll: true });
  const stop = stopOnSignals();
  try {
    const { path } = app.settings.state;
    if (!hasLedger(app)) throw refused(text, `no run has been recorded yet in ${path}`);
    const waiting = { stop: stop.signal, quit: stop.quit, waitSeconds: wait };
    const lines = await underLease(app, waiting, (ledger) =>
      forget({ app, ledger, text, stop: stop.signal }),
    );
    await context.show({ lines: () => lines });
    return EXIT.done;
  } finally {
    await app.service.close();
    stop.release();
  }
}

interface ForgetRequest {
  readonly app: App;
  readonly ledger: Ledger;
  readonly text: string;
  readonly stop: AbortSignal;
}

const refused = (text: string, why: string): ConfigError =>
  commandProblem('forget-refused', { name: printable(text), why });

/** Erases the person; returns what is said about it. Throws a ConfigError where the person is not gone. */
async function forget(request: ForgetRequest): Promise<readonly string[]> {
  const { app, ledger, text } = request;
  const entry = entryOf(request);
  if (entry === null)
    return [`${printable(text)} is forgotten already.`, ...wiped(ledger.forgotten.erase(null))];
  await requireGone(request, entry);
  const erased = ledger.forgotten.erase(entry);
  forgetLastPlan(app.settings.state.path);
  const { entries } = erased;
  app.log.note('info', 'a person was forgotten', { entries });
  return [...resultLines(entry, entries), ...wiped(erased)];
}

/** Returns the one person who is meant; `null`: the person was forgotten before. */
function entryOf({ ledger, text }: ForgetRequest): PersonEntry | null {
  const people = recordsNamed(ledger, text).filter(
    ({ subject, state }) => subject === 'person' && state !== null,
  );
  const ids = people.flatMap(({ id }) => (id === null ? [] : [id]));
  const [id] = ids;
  if (id === undefined) {
    if (ledger.forgotten.has(text)) return null;
    throw refused(text, 'no person is known under this username or source id: check the spelling');
  }
  if (ids.length > 1) {
    const named = listSome(ids.map((key) => `rollcall forget ${shellQuoted(`person:${key}`)}`));
    throw refused(text, `it names ${ids.length} people: ask for one of them (${named})`);
  }
  return ledger.people.entry(id);
}

/** Reads the source to its end. Throws a ConfigError where the person is in it and in scope, or is not gone by what ledger and service have. */
async function requireGone(request: ForgetRequest, entry: PersonEntry): Promise<void> {
  const { app, text, stop } = request;
  const refusal = whyRefused(request, entry);
  if (refusal !== null) throw refused(text, refusal);
  // Tries the source as a run does, which refuses one that is behind or not whole.
  await planDry(app, stop, () => undefined);
  if (entry.state === 'disabled' && (await isActive(app, entry, stop)))
    throw refused(text, `${printable(entry.username)} ${ENABLED}`);
  const samples = await openAppSource(app).find('person', [entry.id, entry.username], stop);
  const record = samples.find(({ reading }) => {
    if (!reading.ok) return reading.refusal.id === null || reading.refusal.id === entry.id;
    return reading.record.id === entry.id && reading.record.outOfScope === undefined;
  });
  if (record === undefined) return;
  throw refused(
    text,
    `is in the source (${printable(record.place)}): only people who are gone there can be forgotten`,
  );
}

const ENABLED = 'has an account that somebody has enabled: the next run decides about it (rollcall sync)';

/** Asks the service whether the account that rollcall disabled is active again; a list may show it, and not that it is locked. */
async function isActive(
  { service }: App,
  { username, employeeId }: PersonEntry,
  stop: AbortSignal,
): Promise<boolean> {
  const { found } = await service.employees([username], stop);
  const account = found.get(username);
  if (account === undefined || account.id !== employeeId || account.locked) return false;
  return (await service.employee(employeeId, stop))?.locked !== true;
}

function resultLines({ id, username, state }: PersonEntry, entries: number): readonly string[] {
  const history = counted(entries, 'entry', 'entries');
  return [
    `${printable(username)} (${printable(id)}) is forgotten: ${history} of the history, and all else that the ledger had.`,
    'A keyed hash stays: a person with the same username is held by sync.guard.usernameReuse.',
    ...(state === 'disabled'
      ? [
          'The account stays in the service, disabled, and rollcall no longer manages it. As long as it is there,',
          'the next run reads what the service shows of it, as of every account.',
        ]
      : []),
    'Not erased, as rollcall does not touch them: backups of the ledger, logs.',
  ];
}

/** Returns what is said where the erased bytes could not be removed from the file. */
function wiped({ isWiped }: Erased): readonly string[] {
  if (isWiped) return [];
  return ['Another process is reading the ledger, so old bytes stay in its log: run the same command again.'];
}

/** Returns why a person cannot be forgotten, by what the ledger has; `null`: the person is gone. */
function whyRefused({ app, ledger }: ForgetRequest, entry: PersonEntry): string | null {
  const inDoubt = ledger.journal.unsettled().flatMap(({ items }) => items);
  if (inDoubt.some(({ subject, id }) => subject === 'person' && id === entry.id))
    return 'a call about this person was interrupted: the next run settles it (rollcall sync)';
  const why = STATES[entry.state](app.settings.sync);
  return why === null ? null : `${printable(entry.username)} ${why}`;
}

const STATES = {
  creating: () => 'is being created: the next run settles that (rollcall sync)',
  managed: () => 'is managed and has not left: remove the person from the source, and let runs see that',
  disabled: ({ leavers: { removeAfterDays } }) =>
    removeAfterDays === null
      ? null
      : `is to be removed ${removeAfterDays} days after the disable (sync.leavers.removeAfterDays): forget the person after that`,
  removed: () => null,
} as const satisfies Record<RecordState, (sync: SyncSettings) => string | null>;
