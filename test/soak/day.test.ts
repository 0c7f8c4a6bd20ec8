import { expect, test } from 'vitest';
import { expectedState } from '../scenarios/expected-state.ts';
import { stateOf } from '../sync/world.ts';
import { hasServer } from '../servers/install.ts';
import type { LogLine, SimulatedDaemon } from './simulated-daemon.ts';
import { SoakStage } from './soak-stage.ts';
import { growthOf, type Sample } from './steadiness.ts';

/** Minutes of the day, with a run each; `SOAK_HOURS=24 npm run soak` is all of it. */
const MINUTES = Number(process.env['SOAK_HOURS'] ?? 0) * 60 || 40;
/** Until then the daemon is restarted now and then; after it, one process goes on to the end. */
const RESTARTS_UNTIL = Math.floor(MINUTES / 4);
const DAY_MS = 86_400_000;
const KEEP_DAYS = 1;
const DAYS_AFTER = 3;
/** Free pages that a ledger keeps for its next runs; the others are given back. */
const FREE_PAGES = 64;
const HOURS_APART = 3;
/** Longer runs show their progress. */
const QUIET_MS = 9_000;

const every = (minutes: number, at: number) => (minute: number) => minute % minutes === at;
const ROUND = Math.min(MINUTES, 240);

/** What happens in which minutes. */
const PLAN = {
  changes: every(4, 2),
  faults: (minute: number) => Math.floor(minute / 5) % 3 === 1,
  serviceRestarts: every(Math.max(20, Math.floor(MINUTES / 24)), 15),
  daemonStops: every(Math.max(10, Math.floor(RESTARTS_UNTIL / 6)), 5),
  daemonDies: every(Math.max(10, Math.floor(RESTARTS_UNTIL / 6)), 7),
  clockGoesAhead: every(ROUND, Math.floor(ROUND * 0.4)),
  clockGoesBack: every(ROUND, Math.floor(ROUND * 0.55)),
  samples: every(Math.max(1, Math.floor(MINUTES / 120)), 0),
};
const AHEAD_MINUTES = 180;

/** A day of one daemon, and what it showed. */
class Day {
  readonly stage: SoakStage;
  daemon: SimulatedDaemon;
  readonly samples: Sample[] = [];
  readonly results = new Map<string, number>();
  readonly unquiet: (readonly LogLine[])[] = [];
  readonly strange: string[] = [];
  quietRuns = 0;

  constructor(stage: SoakStage) {
    this.stage = stage;
    this.daemon = stage.start();
  }

  /** Lets a minute pass in which whatever is planned happens. */
  async minute(minute: number): Promise<void> {
    const { stage } = this;
    stage.setFaults(PLAN.faults(minute) ? `seed=${minute},rate=0.05,slowMs=20` : undefined);
    if (PLAN.changes(minute)) stage.change();
    if (minute < RESTARTS_UNTIL && PLAN.daemonStops(minute)) await this.#stops();
    if (PLAN.clockGoesAhead(minute)) await stage.setClock(AHEAD_MINUTES);
    if (PLAN.clockGoesBack(minute)) return this.#goesBack();
    await stage.pass(1);
    if (PLAN.serviceRestarts(minute)) await this.#restartsService();
    if (minute < RESTARTS_UNTIL && PLAN.daemonDies(minute)) await this.#dies();
    await this.ran();
    if (minute >= RESTARTS_UNTIL && PLAN.samples(minute)) await this.#sample(minute);
  }

  /** Waits for the run, and looks at what it wrote. */
  async ran(): Promise<void> {
    await this.daemon.runsEnded();
    await this.stage.idle();
    this.#lookAt(this.daemon.takeLines());
  }

  /** The clock that was ahead is set right: no time of the schedule came, and none is made up for. */
  async #goesBack(): Promise<void> {
    await this.stage.setClock(0);
    await this.stage.pass(1);
    // Its answer comes after whatever the minute began: on a slow machine a full minute may really have passed.
    await this.daemon.memory();
    if (this.daemon.hasLine(({ event }) => event === 'run.start')) await this.ran();
  }

  async #stops(): Promise<void> {
    const code = await this.stage.end(this.daemon, 'SIGTERM');
    if (code !== 0) this.strange.push(`the daemon ended with ${code}`);
    this.#goesOn();
    await this.ran();
  }

  /** In the middle of a run; whoever starts it again needs a minute, after which the lease has run out. */
  async #dies(): Promise<void> {
    await this.daemon.line(({ event }) => event === 'run.start', 'a run to be killed in');
    await this.stage.end(this.daemon, 'SIGKILL');
    for (let minute = 0; minute < 2; minute += 1) await this.stage.pass(1, []);
    this.#goesOn();
  }

  #goesOn(): void {
    this.strange.push(...this.daemon.strange);
    this.daemon = this.stage.start();
  }

  async #restartsService(): Promise<void> {
    await this.daemon.line(({ event }) => event === 'run.start', 'a run to be disturbed');
    await this.stage.restartService();
  }

  #lookAt(lines: readonly LogLine[]): void {
    const end = lines.find(({ event }) => event === 'run.end');
    const result = String(end?.['result']);
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
    if (end === undefined || !isQuiet(end)) return;
    this.quietRuns += 1;
    const ofRun = lines.filter(({ run }) => run === end.run);
    if (ofRun.length !== 2) this.unquiet.push(ofRun);
  }

  async #sample(minute: number): Promise<void> {
    const { heapMB, rssMB } = await this.daemon.memory();
    // Those of SQLite are there while somebody has the ledger open: a moment longer, or not any more.
    const files = this.stage.files().filter((name) => !/-(?:wal|shm)$/u.test(name)).length;
    const ledgerKB = this.stage.ledgerBytes() / 1024;
    const sample = { minute, heapMB, rssMB, handles: this.daemon.handles(), files, ledgerKB };
    this.samples.push(sample);
    const cells = Object.entries(sample).map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`);
    process.stdout.write(`${cells.join('  ')}\n`);
  }
}

/** Nothing to do, nothing that waits, and short. */
function isQuiet(end: LogLine): boolean {
  const { result, applied, failed, blocked, counts, phases } = end as LogLine & {
    readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
    readonly phases: Readonly<Record<string, number>>;
  };
  const planned = Object.values(counts).flatMap((kinds) => Object.values(kinds));
  const ms = Object.values(phases).reduce((sum, phase) => sum + phase, 0);
  return result === 'ok' && [applied, failed, blocked, ...planned].every((n) => n === 0) && ms < QUIET_MS;
}

test.runIf(hasServer('slapd'))(
  `${MINUTES} runs, one a minute, with changes, faults, restarts and a clock that is set: nothing grows, nobody is left inside`,
  async () => {
    const schedule = { cron: '* * * * *', fullCron: '30 * * * *' };
    const stage = await SoakStage.open({ people: 300, keepDays: KEEP_DAYS, ...schedule });
    const day = new Day(stage);
    await day.ran();
    for (let minute = 1; minute <= MINUTES; minute += 1) await day.minute(minute);
    const atEvening = { bytes: stage.ledgerBytes(), ...pages(stage) };
    await daysAfter(day);
    const growth = growthOf(day.samples);
    const atEnd = { bytes: stage.ledgerBytes(), ...pages(stage) };
    tell({ results: Object.fromEntries(day.results), quietRuns: day.quietRuns, growth, atEvening, atEnd });
    tell({ first: day.samples[0], last: day.samples.at(-1), files: stage.files() });

    expect(stateOf(stage.sandbox)).toEqual(expectedState(stage.company.world, stage.company.everybodyIn));
    expect(stage.ledger('SELECT * FROM left_inside')).toEqual([]);
    expect([...day.strange, ...day.daemon.strange]).toEqual([]);
    expect(day.quietRuns).toBeGreaterThan(MINUTES / 4);
    expect(day.unquiet).toEqual([]);
    expect(growth.heapMB).toBeLessThan(4);
    expect(growth.rssMB).toBeLessThan(25);
    expect(growth.handles).toBeLessThanOrEqual(0);
    expect(growth.files).toBeLessThanOrEqual(0);
    expect(oldestDays(stage)).toBeLessThan(KEEP_DAYS + 1);
    expect(atEnd.pages - atEnd.free).toBeLessThanOrEqual(atEvening.pages - atEvening.free);
    expect(atEnd.free).toBeLessThanOrEqual(FREE_PAGES);
    expect(await stage.end(day.daemon, 'SIGTERM')).toBe(0);
  },
  Math.max(600_000, MINUTES * 10_000),
);

/** Some days with few runs: what is older than a day is forgotten. Then a calm evening. */
async function daysAfter(day: Day): Promise<void> {
  const { stage } = day;
  stage.setFaults(undefined);
  stage.configure({ cron: `0 */${HOURS_APART} * * *`, fullCron: '0 0 * * *' });
  day.daemon.child.kill('SIGHUP');
  await day.daemon.line(({ msg }) => msg === 'configuration read again', 'the new schedule');
  for (let hours = 0; hours < DAYS_AFTER * 24; hours += HOURS_APART) {
    if (hours < (DAYS_AFTER - 1) * 24) stage.change();
    await stage.pass(HOURS_APART * 60);
    await day.ran();
  }
}

function pages(stage: SoakStage): { readonly pages: number; readonly free: number } {
  const [row] = stage.ledger<{ readonly pages: number; readonly free: number }>(
    'SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count, pragma_freelist_count',
  );
  return row ?? { pages: 0, free: 0 };
}

/** Age of the oldest entry that is forgotten by its age, in days. */
function oldestDays(stage: SoakStage): number {
  const [row] = stage.ledger<{ readonly oldest: number }>(
    `SELECT min(at) AS oldest FROM (
       SELECT min(at) AS at FROM history UNION ALL SELECT min(at) FROM call UNION ALL SELECT min(started_at) FROM run)`,
  );
  return (stage.now - (row?.oldest ?? 0)) / DAY_MS;
}

function tell(what: object): void {
  process.stdout.write(`${JSON.stringify(what, null, 1)}\n`);
}
