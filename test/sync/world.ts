import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Change, Plan } from '../../src/domain/changes.ts';
import { RollcallError } from '../../src/domain/errors.ts';
import type { Progress, RunTrigger } from '../../src/domain/events.ts';
import type { Approval } from '../../src/domain/records/approval.ts';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { HistoryEntry } from '../../src/domain/ports/history.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { SequencedChange } from '../../src/domain/ports/ledger/plan-book.ts';
import { plain } from '../../src/domain/text/line.ts';
import type { Person, Position, Refusal, Unit } from '../../src/domain/records/records.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import type { ServiceSettings, SyncSettings } from '../../src/domain/settings.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { describePlan, type PlanDescription } from '../../src/plan/words/describe-plan.ts';
import type { SandboxCall } from '../../src/sandbox/http/call-log.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import type { EmployeeRecord, OrganizationRecord } from '../../src/sandbox/world/records.ts';
import { createService } from '../../src/service/create-service.ts';
import { withPictures } from '../../src/source/pictures/with-pictures.ts';
import type { RunReport } from '../../src/sync/end-run.ts';
import { run } from '../../src/sync/run.ts';
import type { OneRecord, RevertRequest } from '../../src/sync/state/run-request.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { MemorySource, type MemoryWorld } from '../doubles/memory-source.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { MemoryLog, type Line } from '../runtime/memory-log.ts';
import { Oracle } from '../scenarios/expected-state.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { expectTold, SILENT, type Told } from './said.ts';

export interface WorldOptions extends Partial<MemoryWorld> {
  readonly readings?: readonly string[];
  readonly faults?: string;
  readonly sync?: Partial<SyncSettings>;
  readonly limits?: Partial<ServiceSettings['limits']>;
  /** Rules of the mapping, by field of a person. */
  readonly rules?: Readonly<Record<string, string>>;
  /** Logos of units are pictures, as bytes. */
  readonly pictures?: boolean;
  /** What is read instead of the source in memory. */
  readonly from?: SyncOptions['from'];
  /** Where the token is read; the sandbox's own, as a text, without. */
  readonly token?: ServiceSettings['token'];
}

export interface SyncOptions {
  /** Changes the source before. */
  readonly change?: Edit | undefined;
  readonly full?: boolean;
  /** So many minutes pass before. */
  readonly later?: number;
  /** What asks for the run: a person, if absent. */
  readonly trigger?: RunTrigger;
  /** Hashes, or a run whose held changes are approved. */
  readonly approve?: readonly string[] | Ran;
  readonly stop?: AbortSignal;
  /** Lets a test come between the run and its ledger. */
  readonly wrap?: (ledger: Ledger) => Ledger;
  /** Lets a test come between the run and the service. */
  readonly through?: (service: Service) => Service;
  /** Lets a test come between the run and its source. */
  readonly from?: (source: Source) => Source;
  /** Describes the plan as well: `text`. */
  readonly describe?: boolean;
  /** Whether a full read of the source is due. */
  readonly owesFullSource?: (since: number) => boolean;
  /** Puts back what a run did. */
  readonly revert?: RevertRequest;
  /** The one record that is sent. */
  readonly only?: OneRecord;
  /** Sends nothing, as a daemon that only reports. */
  readonly reportOnly?: boolean;
  /** What answers have released. */
  readonly answers?: readonly Approval[];
  /** Lets a test come after the run, while it has the lease. */
  readonly after?: (ended: Ended) => Promise<void>;
}

/** A run that has ended, and what it had. */
export interface Ended {
  readonly ledger: Ledger;
  readonly service: Service;
  readonly report: RunReport;
  readonly log: MemoryLog;
}

/** What one run did. */
export interface Ran {
  readonly report: RunReport;
  readonly exitCode: number;
  /** Why it ended early, or the empty text. */
  readonly error: string;
  /** Code of that, if it has one. */
  readonly problem: string | null;
  readonly lines: readonly Line[];
  readonly calls: readonly SandboxCall[];
  /** Names of the calls that change the service, in order. */
  readonly changing: readonly string[];
  /** `kind id` of every planned change, or nothing where there was no plan. */
  readonly planned: readonly string[];
  readonly plan: Plan | null;
  readonly changes: readonly Change[];
  /** The same changes, with what holds each. */
  readonly rows: readonly SequencedChange[];
  /** What was done, from the history. */
  readonly done: readonly HistoryEntry[];
  /** The plan as a person reads it, line by line, with everybody; where it was asked for. */
  readonly text: readonly string[];
  /** What the ledger lists as blocked, waiting or failing: `id: reason`. */
  readonly listed: readonly string[];
  /** Who has left and is still active, as status names them: `id: reason`. */
  readonly inside: readonly string[];
  /** Accounts of another username than the source has: `username: that of the source`. */
  readonly kept: readonly string[];
  /** Fields that are planned to change of a record, by source id. */
  readonly fields: (id: string) => readonly string[];
}

/** What becomes of a source. */
export type Edit = (world: MemoryWorld) => Partial<MemoryWorld>;

export interface World {
  readonly sandbox: Sandbox;
  readonly source: MemorySource;
  readonly clock: FakeClock;
  readonly ledgerFile: string;
  readonly sync: (options?: SyncOptions) => Promise<Ran>;
  /** As `rollcall plan`: on a copy of the ledger. */
  readonly plan: (options?: SyncOptions) => Promise<Ran>;
  /** Changes the source. */
  readonly change: (change: Edit) => void;
  /** Changes the source if that is asked for, runs, and expects what a few words say. */
  readonly run: (how: Edit | SyncOptions, expected?: Partial<Told>) => Promise<Ran>;
  /** The same in several runs: an incremental, a full and an incremental one, or as told. */
  readonly runs: (
    how: Edit | SyncOptions,
    expected: Partial<Told>,
    full?: readonly boolean[],
  ) => Promise<Ran>;
  /** Expects that nothing is to do for any run, and that the service is as the source says, beside what others have. */
  readonly rests: (how?: SyncOptions, besides?: Partial<State>) => Promise<void>;
  /** The same, but for what the service holds. */
  readonly isSilent: (how?: SyncOptions) => Promise<void>;
  readonly minutes: (minutes: number) => void;
  /** By how much the service's clock is ahead of ours from now on. */
  readonly serviceAhead: (minutes: number) => void;
  readonly loseLedger: () => void;
  /** A copy of the ledger between two runs; what it gives back puts it in the place of the later one. */
  readonly backupLedger: () => () => void;
  /** Another rollcall on the same organization, with a ledger of its own and a source that begins as this one. */
  readonly rival: () => World;
  readonly configure: (sync: Partial<SyncSettings>) => void;
  /** Readable state of the service, without ids: `path` of each unit, and each person with its places. */
  readonly state: () => State;
  readonly employee: (username: string) => EmployeeRecord;
  readonly organization: (serialNo: string) => OrganizationRecord;
}

export interface State {
  readonly units: readonly string[];
  readonly people: readonly string[];
}

export function unit(id: string, parent: string | null = null, fields: Fields = {}): Unit {
  return { id, refs: [id], parent, fields: { name: `Unit ${id}`, ...fields } };
}

export const at = (id: string | null, fields: Fields = {}): Position => ({ unit: id, fields });

export interface PersonParts extends Partial<Omit<Person, 'fields'>> {
  readonly fields?: Fields;
}

/** In unit `u1` unless told otherwise; username `l` and the id. */
export function person(id: string, parts: PersonParts = {}): Person {
  const fields = { name: `Name ${id}`, ...parts.fields };
  return {
    id,
    username: `l${id}`,
    active: true,
    secrets: {},
    positions: [at('u1')],
    ...parts,
    fields,
  };
}

/** The person says of itself that it has left. */
export const inactive =
  (...ids: readonly string[]): Edit =>
  ({ people }) => ({
    people: people.map((one) => (ids.includes(one.id ?? '') ? { ...one, active: false } : one)),
  });

/** These people are gone. */
export const without =
  (...ids: readonly string[]): Edit =>
  ({ people }) => ({ people: people.filter(({ id }) => id === null || !ids.includes(id)) });

/** These people stand for those of their ids, or are added. */
export const having =
  (...those: MemoryWorld['people']): Edit =>
  ({ people }) => ({
    people: [
      ...people.map((one) => those.find(({ id }) => id === one.id) ?? one),
      ...those.filter(({ id }) => people.every((one) => one.id !== id)),
    ],
  });

/** The source has these people alone, or these units. */
export const ofPeople =
  (...people: MemoryWorld['people']): Edit =>
  () => ({ people });
export const ofUnits =
  (...units: MemoryWorld['units']): Edit =>
  () => ({ units });

/** Each person has these fields, beside those it has. */
export const withFields =
  (fields: Fields | ((id: string) => Fields)): Edit =>
  ({ people }) => ({
    people: people.map((one) =>
      'reason' in one
        ? one
        : { ...one, fields: { ...one.fields, ...(typeof fields === 'function' ? fields(one.id) : fields) } },
    ),
  });

export function refusal(subject: Refusal['subject'], id: string | null, field: string): Refusal {
  return { subject, id, place: `row of ${id}`, field, reason: 'cannot be used' };
}

/** Adds an account by hand, as somebody does in the service: at its root unless told otherwise. */
export function guest(
  { sandbox }: World,
  username: string,
  { at: org_id = sandbox.rootId, ...more }: { readonly at?: string; readonly name?: string } = {},
): EmployeeRecord {
  return sandbox.edit.addEmployee({ name: username, ...more, username, positions: [{ org_id }] });
}

/** Calls `asked` with the usernames of each question for employees, before it is sent. */
export const hearing =
  (asked: (usernames: readonly string[], signal: AbortSignal) => unknown) =>
  (service: Service): Service => ({
    ...service,
    async employees(usernames, signal) {
      if (usernames.length > 0) await asked(usernames, signal);
      return service.employees(usernames, signal);
    },
    async accountsById(accounts, signal) {
      const usernames = accounts.map(({ username }) => username);
      if (usernames.length > 0) await asked(usernames, signal);
      return service.accountsById(accounts, signal);
    },
  });

/** In companies of three half of all is soon reached: tests of guards set their own, others have what is always held. */
const ALWAYS_HELD: SyncSettings['guard'] = {
  ...NO_GUARD,
  lost: SYNC.guard.lost,
  source: SYNC.guard.source,
  usernameReuse: SYNC.guard.usernameReuse,
};

/** Two units below each other and three people: enough for most. */
export const SMALL = {
  units: [unit('u1'), unit('u2', 'u1')],
  people: [person('1'), person('2', { positions: [at('u2')] }), person('3')],
} as const satisfies MemoryWorld;

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { readings, faults } = options;
  const clock = new FakeClock({ auto: true });
  const ahead = { minutes: 0 };
  const now = (): number => clock.now() + ahead.minutes * 60_000;
  const sandbox = await startSandbox({ readings, faults, now });
  const folder = scratchFolder('world');
  onTestFinished(async () => {
    await sandbox.close();
    removeFolder(folder);
  });
  return worldOf({ sandbox, clock, ledgerFile: join(folder, 'ledger.db'), ahead }, options);
}

/** Usernames of the accounts that work, sorted. */
export const workingIn = ({ sandbox }: World): readonly string[] =>
  sandbox.state
    .employees()
    .flatMap(({ username, locked }) => (locked ? [] : [username]))
    .toSorted();

/** Of what is held. */
export const hashesOf = ({ plan }: Ran): readonly string[] => (plan?.held ?? []).map(({ hash }) => hash);

/** Another source is not believed before it is approved. */
const isRead = ({ exitCode, plan }: Ran): boolean =>
  exitCode !== 1 && plan?.held.some(({ guard }) => guard === 'source') !== true;

const fromOf = (
  { from, pictures }: WorldOptions,
  ledgerFile: string,
  mode: 'write' | 'scratch',
): SyncOptions => {
  if (pictures === true) return { from: pictured(ledgerFile, mode) };
  return from === undefined ? {} : { from };
};

const approvedBy = ({ approve = [] }: SyncOptions): readonly string[] =>
  'report' in approve ? hashesOf(approve) : approve;

/** A world after its first run, in which nothing went wrong. */
export async function loadedWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options);
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

interface Parts {
  readonly sandbox: Sandbox;
  readonly clock: FakeClock;
  readonly ledgerFile: string;
  readonly ahead: { minutes: number };
}

function worldOf(parts: Parts, options: WorldOptions): World {
  const { sandbox, clock, ledgerFile } = parts;
  const { units = SMALL.units, people = SMALL.people, positions } = options;
  const unitRules: Readonly<Record<string, string>> = options.pictures === true ? { logo: 'logo' } : {};
  const rules = { unit: unitRules, person: options.rules ?? {}, position: {} };
  const source = new MemorySource(
    { units, people, ...(positions === undefined ? {} : { positions }) },
    { rules },
  );
  let settings: SyncSettings = { ...SYNC, guard: ALWAYS_HELD, ...options.sync };
  const oracle = new Oracle();
  const minutes = (number: number): void => clock.set(clock.now() + number * 60_000);
  const perform =
    (mode: 'write' | 'scratch') =>
    async (request: SyncOptions = {}) => {
      if (request.later !== undefined) minutes(request.later);
      if (request.change !== undefined) change(request.change);
      const ran = await runOnce(
        { ...parts, source, sync: settings, limits: options.limits ?? {}, token: options.token },
        mode,
        { ...fromOf(options, ledgerFile, mode), ...request },
      );
      if (mode === 'write' && isRead(ran)) oracle.learn(source.world);
      return ran;
    };
  const change = (edit: Edit): void => void (source.world = { ...source.world, ...edit(source.world) });
  const sync = perform('write');
  const told: World['run'] = async (how, expected = {}) =>
    expectTold(await sync(typeof how === 'function' ? { change: how } : how), expected);
  const runs: World['runs'] = async (how, expected, [first = false, ...rest] = [false, true, false]) => {
    const asked = typeof how === 'function' ? { change: how } : how;
    let ran = await told({ ...asked, full: first }, expected);
    for (const full of rest) ran = await told({ ...asked, change: undefined, full }, expected);
    return ran;
  };
  const isSilent: World['isSilent'] = async (how = {}) => void (await runs(how, SILENT, [false, true]));
  return {
    sandbox,
    source,
    clock,
    ledgerFile,
    sync,
    plan: perform('scratch'),
    change,
    run: told,
    runs,
    isSilent,
    rests: async (how, besides) => {
      await isSilent(how);
      expect(stateOf(sandbox)).toEqual(oracle.expected(source.world, settings, besides));
    },
    minutes,
    serviceAhead: (ahead) => void (parts.ahead.minutes = ahead),
    loseLedger: () => loseLedger(ledgerFile),
    backupLedger: () => {
      const copy = `${ledgerFile}.backup`;
      copyFileSync(ledgerFile, copy);
      return () => {
        loseLedger(ledgerFile);
        copyFileSync(copy, ledgerFile);
      };
    },
    rival: () =>
      worldOf(
        { ...parts, ledgerFile: `${ledgerFile}.rival` },
        { ...options, ...source.world, sync: settings },
      ),
    configure: (changed) => void (settings = { ...settings, ...changed }),
    state: () => stateOf(sandbox),
    employee: (username) => found(sandbox.state.employee(username), username),
    organization: (serialNo) => found(sandbox.state.organizationBySerial(serialNo), serialNo),
  };
}

function loseLedger(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '.staging']) rmSync(file + suffix, { force: true });
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the service has no ${name}`);
  return value;
}

const pictured =
  (ledgerFile: string, mode: 'write' | 'scratch') =>
  (source: Source): Source =>
    withPictures(source, mode === 'write' ? ledgerFile : null);

interface RunParts extends Parts {
  readonly source: MemorySource;
  readonly sync: SyncSettings;
  readonly limits: Partial<ServiceSettings['limits']>;
  readonly token: ServiceSettings['token'] | undefined;
}

interface Parties {
  readonly source: Source;
  readonly service: Service;
  readonly ledger: Ledger;
}

const UNSHOWN: Progress = { start: () => undefined, advance: () => undefined, end: () => undefined };

/** What a test has put between the run and the others. */
function between({ from, through, wrap }: SyncOptions, { source, service, ledger }: Parties): Parties {
  return {
    source: from?.(source) ?? source,
    service: through?.(service) ?? service,
    ledger: wrap?.(ledger) ?? ledger,
  };
}

async function runOnce(parts: RunParts, mode: 'write' | 'scratch', options: SyncOptions): Promise<Ran> {
  const { sandbox, source, sync, clock, ledgerFile } = parts;
  const { baseUrl, domainId, orgCode } = sandbox;
  const limits = { requestsPerSecond: 1000, concurrency: 4, unitsPerImport: 100, peoplePerImport: 200 };
  const settings: ServiceSettings = {
    baseUrl,
    domainId,
    orgCode,
    token: parts.token ?? sandbox.token,
    limits: { ...limits, timeoutSeconds: 5, pageSize: 1000, namesPerQuery: 200, ...parts.limits },
  };
  const log = new MemoryLog();
  const opened = openLedger({
    path: ledgerFile,
    binding: `${domainId}/${orgCode}`,
    now: () => clock.now(),
    mode,
  });
  const service = createService(settings, { clock });
  const before = sandbox.calls.length;
  let plan: Plan | null = null;
  const planned: string[] = [];
  const changes: Change[] = [];
  const rows: SequencedChange[] = [];
  const text: string[] = [];
  try {
    if (mode === 'write' && opened.lease.acquire('test') !== null) throw new Error('the lease is taken');
    const world = {
      ...between(options, { source, service, ledger: opened }),
      progress: UNSHOWN,
      keepDays: 90,
      sync,
      limits: settings.limits,
      log,
      clock,
      stop: options.stop ?? new AbortController().signal,
      ...(options.owesFullSource !== undefined && { owesFullSource: options.owesFullSource }),
    };
    const report = await run(world, {
      full: options.full ?? false,
      trigger: options.trigger ?? 'command',
      approve: [...approvedBy(options).map((hash) => ({ hash, by: null })), ...(options.answers ?? [])],
      dryRun: mode === 'scratch',
      revert: options.revert,
      only: options.only,
      reportOnly: options.reportOnly,
      onPlan: (made, book, tree) => {
        // Its lists are read from the ledger when they are looked at.
        plan = { ...made };
        if (options.describe === true)
          text.push(...described({ plan: made, book, tree, leavers: sync.leavers }));
        rows.push(...book.sequencedChanges());
        changes.push(...rows.map(({ change }) => change));
        for (const change of changes) planned.push(wordsOf(change));
      },
    });
    const calls = sandbox.calls.slice(before);
    await options.after?.({ ledger: opened, service, report, log });
    const listed = [...opened.troubles.blocked(), ...opened.troubles.failures()];
    return {
      report,
      exitCode: report.exitCode,
      error: report.error instanceof Error ? report.error.message : '',
      problem: report.error instanceof RollcallError ? report.error.problem : null,
      lines: log.lines,
      calls,
      changing: calls.filter(({ method }) => method !== 'GET').map(({ operation }) => operation),
      planned,
      plan,
      changes,
      rows,
      done: [...opened.history.entries({ run: report.run })],
      text,
      listed: listed.map(({ id, reason }) => `${id}: ${reason}`),
      inside: opened.leftInside.list(10_000).first.map(({ id, reason }) => `${id}: ${reason}`),
      fields: (id) => changes.flatMap((one) => (one.id === id ? one.fields.map(({ field }) => field) : [])),
      kept: opened.people.kept(10).map(({ label, inSource }) => `${label}: ${inSource}`),
    };
  } finally {
    opened.lease.release();
    opened.close();
    await service.close();
  }
}

function described(parts: Omit<PlanDescription, 'all' | 'paint'>): readonly string[] {
  const lines = [...describePlan({ ...parts, all: true, paint: plain })];
  return lines.map((line) => (typeof line === 'string' ? line : line.head + line.text));
}

function wordsOf(change: Change): string {
  return `${change.kind} ${change.subject} ${change.id}`;
}

/** Of what the service holds, without ids, in an order of its own. */
export function stateOf({ state }: Sandbox): State {
  const units = state.organizations().map(({ id, serialNo }) => `${state.namePath(id)} #${serialNo ?? ''}`);
  const people = state.employees().map((employee) => {
    const places = employee.positions.map((position) => {
      const { jobTitle, primary, chief } = position;
      const marks = [jobTitle, primary ? 'primary' : '', chief ? 'chief' : ''].filter(Boolean).join(' ');
      return `${state.organization(position.orgId)?.serialNo ?? '(root)'}[${marks}]`;
    });
    const { email } = employee.profile;
    const more = [employee.locked ? 'locked' : '', typeof email === 'string' ? email : ''].filter(Boolean);
    return [employee.username, employee.name, ...more, ...places.toSorted()].join(' ');
  });
  return { units: units.toSorted(), people: people.toSorted() };
}
