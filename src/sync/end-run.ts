import type { PinBook } from './state/pin-book.ts';
import type { Plan } from '../domain/changes.ts';
import {
  EXIT,
  LedgerError,
  RequestError,
  RollcallError,
  StoppedError,
  sentenceOf,
  wordsOf,
} from '../domain/errors.ts';
import type { Log, RunEnd, RunResult } from '../domain/events.ts';
import { describeUnknown, type SourceEvidence } from '../domain/reading/source.ts';
import { othersGo } from '../lib/in-steps.ts';
import type { Runs } from '../domain/ports/ledger/runs.ts';
import type { RunRequest } from './state/run-request.ts';
import { runId } from './begin-run.ts';
import { nameAfterFailure, nameLeftInside } from './decide/left-inside.ts';
import { rememberListLimits } from './ask/read-list.ts';
import { RunTally } from './state/run-tally.ts';
import { earlierClock } from './state/both-clocks.ts';
import type { Run } from './state/world.ts';

export interface RunReport {
  readonly run: string;
  readonly end: RunEnd;
  readonly exitCode: number;
  /** What ended the run early; `null` if nothing did. */
  readonly error: unknown;
  /** How many changes were released under each hash that was approved for this run, done or not. */
  readonly released: ReadonlyMap<string, number>;
}

const EXIT_OF = {
  ok: EXIT.done,
  partial: EXIT.partial,
  held: EXIT.held,
  stopped: EXIT.failed,
  failed: EXIT.failed,
} as const satisfies Record<RunResult, number>;

const LOADING_MS = 7 * 86_400_000;

export async function endRun(run: Run, plan: Plan, request: RunRequest): Promise<RunReport> {
  const held = plan.heldChanges;
  for (const one of plan.held) run.log.event({ event: 'guard.held', ...one });
  const isWhole = request.only === undefined && request.revert === undefined;
  // The private copy of a dry run is asked what it found.
  if (request.dryRun) run.ledger.troubles.keepNotes();
  const left = request.dryRun ? 0 : noteEnd(run, plan, isWhole);
  const trouble = run.tally.failed + run.tally.blocked + left > 0 || (isWhole && lacksFields(plan));
  const result = plan.held.length > 0 ? 'held' : trouble ? 'partial' : 'ok';
  const { source } = plan.evidence;
  await othersGo();
  run.ledger.view.rememberNotOurs();
  await othersGo();
  return finish(run, { result, held, source, error: null, dryRun: request.dryRun, isWhole });
}

/**
 * Notes what a run that came to its end has found, and returns how many people have left and are still active. Of one
 * record, or of those that are put back, the others say nothing.
 */
function noteEnd(run: Run, plan: Plan, isWhole: boolean): number {
  if (isWhole && !run.reportOnly) noteLoaded(run);
  const { blocked } = run.tally;
  const inside = nameLeftInside(run, plan.held);
  noteTroubles(run);
  if (isWhole) {
    // Whoever failed before fails until the change is done, also while something else stops it: so `status` counts.
    const { tally, ledger } = run;
    tally.failed = Math.max(tally.failed, tally.bad + ledger.troubles.failures().length);
    return inside;
  }
  const own = ownInside(run.pins);
  run.tally.blocked = blocked + own;
  return own;
}

/** Returns how many of the people that a revert puts back have left in the source. */
function ownInside(pins: PinBook): number {
  return pins.leavers().filter((one) => pins.isOwn(one)).length;
}

/**
 * Notes the end of a first load: from then on joiners are guarded. A load in which more failed than the guard allows
 * goes on with the next run. What cannot be loaded within a week is no part of it.
 */
function noteLoaded({ ledger, tally, sync, clock }: Run): void {
  if (ledger.fact('loaded') === true) return;
  const since = ledger.fact('loadingSince') ?? clock.now();
  const isLate = Math.abs(clock.now() - since) > LOADING_MS;
  ledger.setFacts({ loadingSince: since });
  if (isLate || tally.failed + tally.blocked <= sync.guard.joiners.count) ledger.setFacts({ loaded: true });
}

/**
 * Returns whether a field reads an attribute that the directory does not know: then the field stays unchanged
 * for all people.
 */
function lacksFields({ evidence: { source } }: Plan): boolean {
  const places = source.unknown.flatMap((each) => each.places);
  return (source.unmatched ?? []).length > 0 || places.some((place) => place.includes('.fields.'));
}

/**
 * Ends a run that was stopped or failed: what it did is settled, the rest is for the next run.
 *
 * @param source `null` if it was not read to its end
 */
export function failRun(
  run: Run,
  error: unknown,
  { source, dryRun }: Pick<Ending, 'source' | 'dryRun'>,
): RunReport {
  const result = error instanceof StoppedError ? 'stopped' : 'failed';
  const foreseen = error instanceof RollcallError;
  if (!foreseen) run.log.note('error', 'unexpected error: please report it', { error });
  // Without a complete read, the run knows of no new leavers.
  if (!dryRun && source !== null) tolerant(run.log, () => nameAfterFailure(run, error));
  return finish(run, { result, held: 0, source, error, dryRun, isWhole: true });
}

/** A run that could not begin. */
interface Unstarted extends Pick<RunRequest, 'id' | 'full' | 'trigger'> {
  readonly now: number;
  /** Where it is recorded; `null`: the ledger could not be opened, or another run is at work. */
  readonly runs: Runs | null;
}

/** Logs the one line of a run that could not begin, records it for `status`, and returns its report. */
export function endUnstarted(
  log: Log,
  { now, id = runId(now), full, trigger, runs }: Unstarted,
  error: unknown,
): RunReport {
  const tally = new RunTally();
  const { applied, failed, blocked, phases } = tally;
  const end: RunEnd = {
    result: 'failed',
    kind: full ? 'full' : 'incremental',
    counts: tally.counts(),
    applied,
    failed,
    blocked,
    phases,
    held: 0,
    unmanaged: 0,
    requests: 0,
    retries: 0,
    rssMB: megabytes(),
    error: endingOf(error),
  };
  log.ofRun(id).event({ event: 'run.end', ...end });
  const exitCode = exitCodeOf(error, end.result);
  runs?.begin({ id, kind: end.kind, at: now });
  runs?.end(endedRun(end, { id, now, exitCode, trigger }));
  return { run: id, end, exitCode, error, released: new Map() };
}

const exitCodeOf = (error: unknown, result: RunResult): number =>
  error instanceof RollcallError ? error.exitCode : EXIT_OF[result];

const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1_048_576);

interface Ending {
  readonly result: RunResult;
  readonly held: number;
  readonly source: SourceEvidence | null;
  readonly error: unknown;
  readonly dryRun: boolean;
  /** Whether the run was about all records. */
  readonly isWhole: boolean;
}

/** Returns sentences about what this read could not find: unknown attributes, and names that match nothing. */
const unknownParts = ({ unknown, unmatched = [] }: SourceEvidence): readonly string[] => [
  ...unknown.map((each) => describeUnknown(each)),
  ...unmatched,
];

function finish(run: Run, { result, held, source, error, dryRun, isWhole }: Ending): RunReport {
  const { tally, ledger, callsBefore } = run;
  const calls = run.service.stats();
  const unknown = source === null ? [] : unknownParts(source);
  const end: RunEnd = {
    result,
    kind: run.kind,
    counts: tally.counts(),
    applied: tally.applied,
    failed: tally.failed,
    blocked: tally.blocked,
    held,
    ...(run.reportOnly && { mode: 'report' }),
    unmanaged: ledger.view.unmanaged(0).count,
    requests: calls.requests - callsBefore.requests,
    retries: calls.retries - callsBefore.retries,
    phases: tally.phases,
    rssMB: megabytes(),
    ...(isWhole ? {} : { only: true }),
    ...(unknown.length === 0 ? {} : { unknown }),
    ...(error === null ? {} : { error: endingOf(error) }),
  };
  const exitCode = exitCodeOf(error, result);
  if (!dryRun) {
    if (error === null) record(run, end, exitCode);
    else if (error instanceof RequestError) tolerant(run.log, () => ledger.runs.end({ id: run.id }));
    else tolerant(run.log, () => record(run, end, exitCode));
    run.log.event({ event: 'run.end', ...end });
  }
  return { run: run.id, end, exitCode, error, released: tally.released };
}

const UNWRITTEN = 'the end of the run cannot be written into the ledger';

/**
 * Does the work, and only logs a LedgerError: if the ledger has failed, the end of the run cannot be written to it.
 */
function tolerant(log: Log, work: () => void, message = UNWRITTEN): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    log.note('warn', message, { error });
  }
}

/** Returns a sentence, with its code if it has one; for an unexpected error its words alone. */
const endingOf = (error: unknown): string =>
  error instanceof RollcallError ? sentenceOf(error) : wordsOf(error);

function record(run: Run, end: RunEnd, exitCode: number): void {
  const { id, ledger, clock, trigger } = run;
  const now = clock.now();
  rememberListLimits(run.ledger, run.log, run.service);
  // An approval is good for one time: if the very next run plans the same change again, it is asked about again.
  ledger.runs.end(endedRun(end, { id, now, exitCode, trigger }));
  for (const [hash, released] of run.tally.released) {
    const { left } = ledger.approvals.under(hash);
    if (left > 0) run.log.note('warn', NOT_DONE, { hash, released, notDone: left });
    else if (released > 0)
      run.log.note('info', 'all changes that this hash released are done', { hash, released });
  }
  tolerant(run.log, () => forgetOld(run), 'the ledger cannot forget what is old');
}

const NOT_DONE =
  'not all changes that this hash released are done: rollcall status lists why, and the next run tries again';

interface Ended extends Pick<RunRequest, 'trigger'> {
  readonly id: string;
  readonly now: number;
  readonly exitCode: number;
}

/** Returns an end as the ledger records it. */
function endedRun(end: RunEnd, { id, now, exitCode, trigger }: Ended): Parameters<Runs['end']>[0] {
  const { kind, result } = end;
  return {
    id,
    kind,
    startedAt: now,
    endedAt: now,
    result,
    exitCode,
    report: { ...end, trigger },
    isQuiet: isQuiet(end),
  };
}

const DAY_MS = 86_400_000;
/** Days for which calls and ended runs are of use; the history alone is kept for longer. */
const CALLS_DAYS = 90;
/** A run a minute makes 1,440 quiet runs a day. */
const QUIET_DAYS = 3;

/** Forgets what is old by our clock and by the service's: a clock that is set too far ahead must not erase it. */
function forgetOld(run: Run): void {
  const { ledger, keepDays } = run;
  const now = earlierClock(run.clock, run.service);
  ledger.forgetOld({
    calls: now - Math.min(keepDays, CALLS_DAYS) * DAY_MS,
    quietRuns: now - QUIET_DAYS * DAY_MS,
    history: now - keepDays * DAY_MS,
  });
}

/** Returns whether nothing was planned, held, listed or sent. */
function isQuiet({ result, applied, counts }: RunEnd): boolean {
  const planned = [counts.units, counts.people].flatMap((kinds) => Object.values(kinds));
  return result === 'ok' && [applied, ...planned].every((n) => n === 0);
}

/** Notes who is blocked, held or edited. A revert decides nothing about the others: what was listed of them stays. */
function noteTroubles({ ledger, tally, reverting, pins }: Run): void {
  if (reverting !== null) return ledger.troubles.keepNotes(pins.own());
  ledger.troubles.keepNotes();
  ledger.setFacts({ edited: tally.edited() });
}
