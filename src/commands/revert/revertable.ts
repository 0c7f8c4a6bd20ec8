import { ConfigError } from '../../domain/errors.ts';
import type { HistoryEntry } from '../../domain/ports/history.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { RunRecord } from '../../domain/ports/ledger/runs.ts';
import { foldName, foldUsername } from '../../domain/text/fold.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { suggest } from '../../lib/suggest.ts';

/** A record that a run changed. */
interface One {
  readonly subject: 'unit' | 'person';
  readonly id: string;
}

const RUNS = 1_000;
const NEAREST = 3;

const refused = (run: string, why: string): ConfigError =>
  new ConfigError(`revert ${printable(run)}: ${why}; nothing was sent`);

/** Throws a ConfigError where there is nothing that could be put back of a run, with the reason. */
export function requireRevertable(ledger: Ledger, run: string): void {
  const record = ledger.runs.find(run);
  const [first] = ledger.history.ofRun(run);
  if (record?.endedAt === null && ledger.lease.holder() !== null)
    throw refused(run, 'it is still under way, or another run is: wait for its end');
  const doubt = ledger.history.inDoubt(run);
  if (doubt > 0)
    throw refused(
      run,
      `it was interrupted, and what became of ${doubt} of its changes is not known yet: rollcall sync finds out`,
    );
  if (first === undefined) throw refused(run, whyNothing(ledger, run, record));
}

/** Returns why the history has nothing of the run. */
function whyNothing(ledger: Ledger, run: string, record: RunRecord | null): string {
  const applied = record?.report?.['applied'];
  const oldest = ledger.history.oldest();
  if (ledger.history.unproven(run).length > 0)
    return 'it is in doubt whether it has changed anything: a later run finds out';
  // Of a run that has changed something nothing is left.
  const isPruned = typeof applied === 'number' && applied > 0;
  if (record === null ? oldest !== null && isBeforeHistory(ledger, run) : isPruned)
    return `it is older than the history, which ${oldest === null ? 'is empty' : `begins ${dayOf(oldest.at)}`} (state.keepDays)`;
  if (record !== null) return 'it changed nothing in the service, so there is nothing to put back';
  const quiet = startOf(run) === null ? '' : ' (those that changed nothing are forgotten after some days)';
  return `no such run is known${quiet}${nearest(ledger, run)}. rollcall history and status show the ids; rollcall plan changes nothing and has none`;
}

/** Returns whether the id is that of a run which began before the first one that the history still has. */
function isBeforeHistory(ledger: Ledger, run: string): boolean {
  const [began, oldest] = [startOf(run), ledger.history.oldest()];
  return began !== null && (oldest === null || began < (startOf(oldest.run) ?? oldest.at));
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const ID = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-[0-9a-z]{4}$/u;

/** Returns when a run began, by its id, ms; `null`: that is no id of a run. */
function startOf(run: string): number | null {
  const parts = ID.exec(run)?.slice(1) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}

function nearest(ledger: Ledger, run: string): string {
  const known = ledger.history.runs(RUNS);
  const like = suggest(run, known);
  const first = like === undefined ? [] : [like];
  const ids = [...first, ...known.filter((id) => id !== like)].slice(0, NEAREST);
  return ids.length === 0 ? '' : `; the nearest that changed something: ${ids.join(', ')}`;
}

/** Returns the one record of the run that a text names. Throws a ConfigError where it names none, or several. */
export function oneOf(ledger: Ledger, run: string, named: string): One {
  const [, only, id] = /^(?<subject>person|unit):(?<id>.+)$/su.exec(named) ?? [];
  const changed = recordsOf(ledger, run);
  const meant = changed.filter(
    (one) => (only === undefined || one.subject === only) && isNamed(one, id ?? named),
  );
  const [first, ...others] = meant;
  if (first === undefined)
    throw refused(run, `--only: it did not change "${printable(named)}", but ${names(changed)}`);
  if (others.length === 0) return { subject: first.subject, id: first.id };
  const keys = meant.map((one) => `'${one.subject}:${printable(one.id)}'`);
  throw refused(
    run,
    `--only "${printable(named)}" names ${meant.length} records: give one of ${listSome(keys)}`,
  );
}

type Changed = Pick<HistoryEntry, 'subject' | 'id' | 'label'>;

function recordsOf(ledger: Ledger, run: string): readonly Changed[] {
  const records = new Map<string, Changed>();
  for (const { subject, id, label } of ledger.history.ofRun(run))
    records.set(`${subject} ${id}`, { subject, id, label });
  return [...records.values()];
}

function isNamed({ subject, id, label }: Changed, text: string): boolean {
  if (id === text) return true;
  return subject === 'person'
    ? foldUsername(label) === foldUsername(text)
    : foldName(label) === foldName(text);
}

function names(changed: readonly Changed[]): string {
  return listSome(
    changed.map(({ subject, label }) => (subject === 'unit' ? `unit ${printable(label)}` : printable(label))),
  );
}
