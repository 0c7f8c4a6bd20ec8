import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app/app.ts';
import { runId, type RunReport } from '../app/runs.ts';
import { timeNow, withAppLedger } from '../app/setup.ts';
import { EXIT, LedgerError, RequestError, RollcallError, sentenceOf } from '../domain/errors.ts';
import type { RunEnd } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import type { Asked } from '../http/trigger-route.ts';
import type { Requests } from '../runtime/daemon.ts';
import { recordNamed } from './sync.ts';

/** How many ends are remembered; the ledger has those of runs that began. */
const REMEMBERED = 100;
/** Milliseconds that an answer waits until it is known whether the record is there. */
const PATIENCE_MS = 5_000;

/** What `GET /sync/RUN` answers. */
interface RunState extends Pick<RunEnd, 'applied' | 'failed' | 'held' | 'blocked' | 'mode'> {
  readonly run: string;
  readonly state: 'working' | 'ended';
  readonly result: string | null;
  readonly exitCode: number | null;
  /** Why it failed, or did not begin. */
  readonly error: string | null;
}

type Ending = Pick<RunRecord, 'result' | 'exitCode' | 'report'>;

const NO_END: Ending = { result: null, exitCode: null, report: null };

function stateAs(state: RunState['state'], run: string, { result, exitCode, report }: Ending): RunState {
  const { applied = 0, failed = 0, held = 0, blocked = 0, error = null, mode } = report ?? {};
  return { run, state, result, exitCode, applied, failed, held, blocked, error, ...(mode && { mode }) };
}

/** The runs of this daemon, and those that other programs ask for. */
export class AskedRuns {
  readonly #app: () => App;
  readonly #ended = new Map<string, RunState>();
  #working: string | null = null;
  #begin: Requests['ifIdle'] = () => 'stopping';

  /** @param app as it is now: the configuration may be read again */
  constructor(app: () => App) {
    this.#app = app;
  }

  connect(begin: Requests['ifIdle']): void {
    this.#begin = begin;
  }

  /** Makes a run, and remembers how it ends, also where it could not begin. */
  async follow(run: string, work: () => Promise<RunReport>): Promise<RunReport> {
    this.#working = run;
    try {
      const report = await work();
      const { end, exitCode } = report;
      this.#remember(stateAs('ended', run, { result: end.result, exitCode, report: end }));
      return report;
    } catch (error) {
      const exitCode = error instanceof RollcallError ? error.exitCode : EXIT.failed;
      const report = { error: sentenceOf(error) };
      this.#remember(stateAs('ended', run, { result: 'failed', exitCode, report }));
      throw error;
    } finally {
      this.#working = null;
    }
  }

  /** Begins a run, unless one works or waits, of this process or another one. */
  async ask(named: string | null): Promise<Asked> {
    const elsewhere = this.#working === null ? this.#elsewhere() : null;
    if (elsewhere !== null) return busy(elsewhere.run);
    const id = runId(timeNow().time);
    let settle: ((found: ReturnType<typeof recordNamed>) => void) | undefined;
    const found = new Promise<unknown>((resolve) => (settle = resolve));
    const find = (signal: AbortSignal): ReturnType<typeof recordNamed> => {
      const record = recordNamed(this.#app(), named ?? '', signal);
      settle?.(record);
      return record;
    };
    const begun = this.#begin({ id, ...(named !== null && { find }) });
    if (begun === 'busy') return busy(this.#working);
    if (begun === 'stopping') return { code: 503, answer: { error: 'rollcall starts or stops' } };
    try {
      if (named !== null) await Promise.race([found, sleep(PATIENCE_MS)]);
    } catch (error) {
      // Whatever else it is, the run has it as its end.
      if (error instanceof RequestError)
        return { code: error.problem === 'only-unknown' ? 404 : 400, answer: { error: sentenceOf(error) } };
    }
    const { mode } = this.#app().settings.sync;
    return { code: 202, answer: { run: id, ...(mode === 'report' && { mode }) } };
  }

  stateOf(run: string): RunState | null {
    if (run === this.#working) return stateAs('working', run, NO_END);
    const ended = this.#ended.get(run);
    if (ended !== undefined) return ended;
    return this.#withLedger(({ runs, lease }) => {
      const found = runs.find(run);
      if (found === null) return null;
      const isNewest = runs.last(1)[0]?.id === run;
      const isAtWork = isNewest && found.result === null && lease.holder() !== null;
      return stateAs(isAtWork ? 'working' : 'ended', run, found);
    });
  }

  /** Returns the run of another process that is at work. What cannot be known now, the run itself will find. */
  #elsewhere(): { readonly run: string | null } | null {
    try {
      return this.#withLedger(({ runs, lease }) => {
        if (lease.holder() === null) return null;
        const [newest] = runs.last(1);
        return { run: newest?.result === null ? newest.id : null };
      });
    } catch (error) {
      if (error instanceof LedgerError) return null;
      throw error;
    }
  }

  #remember(state: RunState): void {
    this.#ended.set(state.run, state);
    for (const run of [...this.#ended.keys()].slice(0, -REMEMBERED)) this.#ended.delete(run);
  }

  #withLedger<T>(work: (ledger: Ledger) => T): T {
    return withAppLedger(this.#app(), 'read', work);
  }
}

const busy = (run: string | null): Asked => ({ code: 409, answer: { error: 'a run is at work', run } });
