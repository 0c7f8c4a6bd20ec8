import { foldUsername } from '../../src/domain/text/fold.ts';
import type { Person } from '../../src/domain/records/records.ts';
import { FAULT_KINDS } from '../../src/sandbox/options/faults.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { EVERYTHING_HELD, NO_GUARD, SYNC } from '../plan/build.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { openWorld, unit, type Ran, type World, type WorldOptions } from '../sync/world.ts';
import { Approved } from './approved.ts';
import { adornmentsOf } from './adornments.ts';
import { Carried } from './carried.ts';
import { Chance } from './chance.ts';
import { headquarters, type Company } from './headquarters.ts';
import { Leavers, namedBy } from './invariants.ts';
import { differences, type Expectation, type Open } from './oracle.ts';
import { Messages } from './messages.ts';
import { Others } from './others.ts';
import { Passing } from './passing.ts';
import { reorganized, type Past } from './reorganize.ts';
import { pausing, takeLease } from './pause.ts';
import { Rival } from './rival.ts';
import { BAD_RECORDS, Spoiled } from './spoil.ts';
import { Watch, type Truth } from './watch.ts';

/** Two of three stories are told with increments of the source; in the third its people are a list over HTTP. */
const INCREMENTS = [null, 'list', 'told'] as const;
export const readsIncrements = (seed: number): boolean => seed % INCREMENTS.length !== 0;
/** Of so many runs one reads all of the source. */
const WHOLE_EVERY = 5;
/** What is held takes a run to be shown and one to be released. */
const MOST_RUNS = 10;
const MOST_SILENT_RUNS = 5;
/** Of the people, and of the units: a core that lets everything wait has done nothing. */
const MOST_WAITING = 0.25;
const TURNS = 3;
const FAULT_RATE = 0.2;
/** Writes of the journal: a run has some 50 to 200. */
const CRASH_WITHIN = 60;
/** Changing calls of the service. */
const PAUSE_WITHIN = 20;
/** One pace that is felt in the rate, one in the calls at once. */
const PACES = [
  { requestsPerSecond: 10, concurrency: 4 },
  { requestsPerSecond: 500, concurrency: 2 },
] as const;
/** An approval lapses then. */
const APPROVED_FOR_DAYS = 7;
/** By how many days our clock is wrong from one run on; the service's goes on. */
const WRONG_BY_DAYS = [0, -1, 1, -400, 3] as const;
const DAY_MINUTES = 1_440;
const CALM_RUNS = 4;
/** In the first of them messages arrive, and their answers do not. */
const UNSURE_RUNS = 2;
/** Of so many runs the clock is set before one. */
const STEP_EVERY = 4;
const BATCHES = { unitsPerImport: 20, peoplePerImport: 100 };

export interface Story {
  readonly seed: number;
  readonly readings: readonly string[];
}

/** What a story took. */
export interface Figures {
  readonly runs: number;
  /** Runs that read only what had changed in the source. */
  readonly increments: number;
  /** Most runs until all was as it should be. */
  readonly longest: number;
  /** Records that were listed instead of being as the source has them, when runs sent nothing any more. */
  readonly waiting: number;
  readonly calls: number;
  readonly faults: number;
  readonly crashes: number;
  readonly pauses: number;
  /** Most calls at once, and most that began in one second. */
  readonly busiest: number;
  readonly fastest: number;
}

/** Settings differ from story to story as well. */
const SETTINGS: readonly Partial<SyncSettings>[] = [
  {},
  { leavers: { ...SYNC.leavers, action: 'remove' } },
  { clear: 'null' },
];

/** Nothing held but another source, what the contract holds, everything: an administrator releases it all. */
const GUARDS: readonly SyncSettings['guard'][] = [NO_GUARD, SYNC.guard, EVERYTHING_HELD];
/** In half of the stories the ledger of before this turn comes back after it, and after a later one the service. */
const LEDGER_BACK_AT = 2;
/** From this turn on the source is another server. */
const MOVED_AT = 2;

/** What a terminal obeys, or what forges a line. */
const STEERS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/** What others do, or the service never does, stays listed for as long as it is so. */
const LASTING =
  /: (?:locked in the service by somebody else|.*waits to be removed|an account .* is disabled)/u;
const isLasting = (listed: string): boolean => LASTING.test(listed) || BAD_RECORDS.test(listed);

/** Opens the world of a story, whose source tells what changed in its own way. */
async function opened(seed: number, options: WorldOptions): Promise<World> {
  const world = await openWorld(options);
  world.source.increments = INCREMENTS[seed % INCREMENTS.length] ?? null;
  // Guards that let everything go let units go too.
  world.source.hidesUnits = options.sync?.guard === NO_GUARD ? null : new Set();
  return world;
}

/** The people of a source that tells no increments are a list over HTTP. */
async function carriedOf(seed: number, { source }: World): Promise<Carried | null> {
  if (readsIncrements(seed)) return null;
  const carried = await Carried.open(seed);
  source.carry = async (people, signal) => carried.carry(people, signal);
  return carried;
}

/**
 * A load and three reorganizations of a company of 1,000 or 2,000 under faults, each begun by a run that crashes, with others at
 * work beside it, and an administrator who releases what is held. Within 10 runs each record has to be as the source has it,
 * or listed, so that the exit code says it. Throws if not, if the run after that sends anything for another record, if a
 * call was out of order, and at once where a change was wrong or silent.
 */
export async function tell({ seed, readings }: Story): Promise<Figures> {
  const chance = new Chance(seed);
  const adornments = adornmentsOf(seed);
  let company: Company = adornments.of(headquarters(chance), 0);
  const settings = SETTINGS[seed % SETTINGS.length] ?? {};
  const sync = { guard: new Chance(seed).of(GUARDS), ...settings };
  const pace = PACES[seed % PACES.length] ?? PACES[0];
  const limits = { ...BATCHES, ...pace };
  const world = await opened(seed, { ...company, readings, sync, limits, ...adornments.options });
  const others = new Others(world);
  others.plant(company);
  const watch = new Watch(world, others, pace);
  const carried = await carriedOf(seed, world);
  const passing = new Passing(world, watch, sync.guard);
  const messages = messagesOf({ seed, readings }, world, watch);
  const seen = new Set<string>();
  const remember = (): void => {
    seen.clear();
    for (const { username } of world.sandbox.state.employees()) seen.add(username);
  };
  const past: Past = { missing: new Map(), removedUnits: new Set() };
  const isHere = (username: string): boolean => {
    const key = foldUsername(username);
    return world.sandbox.state.employees().some((one) => foldUsername(one.username) === key && !one.locked);
  };
  const spoiled = new Spoiled(new Chance(seed), isHere);
  let isServiceBack = false;
  const expected = (): Expectation => ({
    company,
    others,
    undecided: spoiled.undecided,
    removedUnits: past.removedUnits,
    seen,
    removes: settings.leavers?.action === 'remove',
    normalizes: readings.includes('normalizes=on'),
    hidesNumbers: isServiceBack && readings.includes('masked=on'),
    seesProperties: seesProperties(readings, isServiceBack),
  });
  const isDecided = ({ username }: Person): boolean => !spoiled.undecided.has(foldUsername(username));
  const converging = new Converging(world, watch, {
    seed,
    expected,
    isBlind: readings.includes('usersRefreshBlind=on'),
    messages,
    carried,
  });
  const spoil = (turn: number): void =>
    world.sandbox.setFaults(
      `seed=${seed * 10 + turn},rate=${FAULT_RATE},slowMs=5,kinds=${FAULT_KINDS.join('+')}`,
    );
  spoil(0);
  await converging.crash(chance);
  await converging.run('the load');
  remember();
  others.settleIn(chance.some(company.units, 6).map(({ id }) => id));
  const restores = new Chance(seed);
  const stops = new Chance(seed + 1);
  const rival = rivalOf(
    seed,
    () => new Rival(world, { others, watch, hidesLocked: readings.includes('hidesLocked=on') }),
  );
  for (let number = 1; number <= TURNS; number += 1) {
    await passing.fallBehind();
    await passing.flap(new Chance(seed + number));
    await passing.giveIds(new Chance(seed + number));
    const before = company;
    const comeBack =
      number === LEDGER_BACK_AT ? world.backupLedger() : backupService(world, others, remember);
    company = adornments.of(spoiled.after(before, reorganized({ company, chance, past, number })), number);
    const rows = spoiled.rows(company, before);
    world.change(() => rows);
    const { units, people } = company;
    others.interfere({ units, people: people.filter(isDecided) }, chance);
    adornments.interfere(world, { units, people: people.filter(isDecided) }, new Chance(seed + number));
    if (number >= MOVED_AT) world.source.identity = 'another server';
    spoil(number);
    await converging.hideStatus(sync.guard, new Chance(seed + number));
    await converging.hideWorkers(sync.guard);
    await converging.hideUnits();
    await rival?.run(rows);
    await converging.stopEarly(chance, stops);
    await converging.run(`turn ${number}`);
    remember();
    if (number === 1 + (Math.floor(seed / 2) % TURNS)) {
      await converging.requireNothingUntold(`turn ${number}`);
      spoil(number + TURNS);
      remember();
    }
    if (number < LEDGER_BACK_AT || restores.below(2) === 0) continue;
    comeBack();
    converging.comeBack();
    others.takeLocked();
    isServiceBack = number > LEDGER_BACK_AT;
    if (isServiceBack) serviceIsBack(others, watch, readings);
    const what = number === LEDGER_BACK_AT ? 'ledger' : 'service';
    await converging.run(`the ${what} of before turn ${number}`);
    remember();
  }
  return converging.figures;
}

/** Whom the service of before had locked elsewhere, a list without the locked does not tell. */
function serviceIsBack(others: Others, watch: Watch, readings: readonly string[]): void {
  others.moveIn();
  watch.isBlindToLocked = readings.includes('hidesLocked=on');
}

/** A service that masks properties shows of none that it has gone back; one that shows schemas alone shows no edit. */
function seesProperties(readings: readonly string[], isServiceBack: boolean): boolean {
  return !readings.includes('propertyShape=schema') && !(isServiceBack && readings.includes('masked=on'));
}

/** In every second story people are told, and release by answering, whether the stories differ by their seeds or by their readings. */
function messagesOf({ seed, readings }: Story, world: World, watch: Watch): Messages | null {
  // Types of messages in capitals are a setting, which these stories do not make.
  if (readings.includes('pushTypes=upper')) return null;
  if ((seed + Math.floor(seed / 1_000)) % 2 === 1) return null;
  const messages = new Messages(world);
  watch.onCall = (call) => {
    messages.watch(call);
  };
  return messages;
}

/** In every third story another rollcall works on the same organization. */
function rivalOf(seed: number, make: () => Rival): Rival | null {
  return seed % 3 === 0 ? make() : null;
}

/** All there is in the service, what is whose included. */
function backupService({ sandbox }: World, others: Others, remember: () => void): () => void {
  const restores = [sandbox.edit.backup(), others.backup()];
  return () => {
    for (const restore of restores) restore();
    remember();
  };
}

interface ConvergingOptions {
  readonly seed: number;
  readonly expected: () => Expectation;
  readonly isBlind: boolean;
  readonly messages: Messages | null;
  /** `null`: the people of the source come at once. */
  readonly carried: Carried | null;
}

class Converging {
  readonly #world: World;
  readonly #watch: Watch;
  readonly #expected: () => Expectation;
  readonly #leavers: Leavers;
  readonly #messages: Messages | null;
  readonly #carried: Carried | null;
  readonly #approved = new Approved();
  #inside: readonly string[] = [];
  /** Lines of the plan that a terminal would not show as they are. */
  #forged: readonly string[] = [];
  #wrongBy = 0;
  /** Of the clock alone, so that a story stays what it is. */
  readonly #chance: Chance;
  /** Hashes of what the last run held. */
  #held: readonly string[] = [];
  #runs = 0;
  #wrong: readonly string[] = [];
  #waiting = 0;
  #longest = 0;
  #calls = 0;
  #faults = 0;
  #increments = 0;
  #crashes = 0;
  #pauses = 0;

  constructor(world: World, watch: Watch, options: ConvergingOptions) {
    const { seed, expected, isBlind, messages, carried } = options;
    this.#messages = messages;
    this.#carried = carried;
    this.#world = world;
    this.#chance = new Chance(seed);
    this.#watch = watch;
    this.#expected = expected;
    this.#leavers = new Leavers(world.sandbox, { misses: SYNC.leavers.misses, isBlind });
  }

  get figures(): Figures {
    return {
      runs: this.#runs,
      longest: this.#longest,
      waiting: this.#waiting,
      calls: this.#calls,
      faults: this.#faults,
      increments: this.#increments,
      crashes: this.#crashes,
      pauses: this.#pauses,
      busiest: this.#watch.busiest,
      fastest: this.#watch.fastest,
    };
  }

  /** Before each run; most leave the clock as it is. */
  #stepClock(): void {
    this.#world.minutes(15);
    if (this.#chance.below(STEP_EVERY) > 0) return;
    const days = this.#chance.of(WRONG_BY_DAYS);
    this.#world.minutes((days - this.#wrongBy) * DAY_MINUTES);
    this.#world.serviceAhead(-days * DAY_MINUTES);
    this.#messages?.comeBack();
    if (days - this.#wrongBy >= APPROVED_FOR_DAYS) this.#approved.lapse();
    this.#wrongBy = days;
  }

  /** A run whose reading account does not see the status that says who has left: of everybody, or of leavers alone. */
  async hideStatus(guard: SyncSettings['guard'], chance: Chance): Promise<void> {
    if (guard === NO_GUARD) return;
    const hidden = chance.of(['everybody', 'leavers'] as const);
    const { source, sandbox } = this.#world;
    const isMeant = hidden === 'everybody' ? () => true : leaversIn(source.world.people);
    const working = (): readonly string[] =>
      sandbox.state
        .employees()
        .flatMap(({ username, locked }) => (locked || !isMeant(username) ? [] : [username]));
    this.#stepClock();
    const before = new Set(working());
    const accounts = new Set(sandbox.state.employees().map(({ username }) => username));
    source.hidesStatus = hidden;
    const ran = await this.#world.sync({ stop: this.#watch.begin() });
    source.hidesStatus = 'nobody';
    // Of leavers alone, those who are new have never shown any.
    const isNew = (username: string): boolean => hidden === 'leavers' && !accounts.has(username);
    const inside = working().filter((username) => !before.has(username) && !isNew(username));
    // One passes in 24 hours.
    if (inside.length <= 1 && (hidden === 'leavers' || ran.exitCode !== 0)) return;
    throw new Error(
      `the status of ${hidden} is hidden, exit ${ran.exitCode}: ${inside.length} accounts work that did not before: ${inside.slice(0, 9).join(', ')}`,
    );
  }

  /** A run whose reading account does not see the status of some who work, without which they count as leavers. */
  async hideWorkers(guard: SyncSettings['guard']): Promise<void> {
    if (guard === NO_GUARD) return;
    const { source, sandbox } = this.#world;
    const working = (): readonly string[] =>
      sandbox.state.employees().flatMap(({ username, locked }) => (locked ? [] : [username]));
    const people = source.world.people.flatMap((one) => ('username' in one ? [one] : []));
    const hidden = new Set(people.flatMap(({ id, username }) => (id.endsWith('13') ? [username] : [])));
    const others = new Set(
      people.flatMap(({ id, username, active }) => (id.endsWith('13') && active !== false ? [] : [username])),
    );
    this.#stepClock();
    const before = working().filter((username) => hidden.has(username) && !others.has(username));
    source.hidesStatus = 'workers';
    const ran = await this.#world.sync({ stop: this.#watch.begin() });
    source.hidesStatus = 'nobody';
    const there = new Set(working());
    const locked = before.filter((username) => !there.has(username));
    if (locked.length <= 1) return;
    throw new Error(
      `the status of some is hidden, exit ${ran.exitCode}: ${locked.length} were locked: ${locked.slice(0, 9).join(', ')}`,
    );
  }

  /** Two units in which nobody is come, do not show in the next run what says that they are in scope, and stay; then they go. */
  async hideUnits(): Promise<void> {
    const { source, sandbox } = this.#world;
    if (source.hidesUnits === null) return;
    const { world } = source;
    const ids = ['hidden-1', 'hidden-2'];
    const there = (): readonly string[] =>
      ids.filter((id) => sandbox.state.organizationBySerial(id) !== undefined);
    const run = async (): Promise<Ran> => {
      this.#stepClock();
      return this.#world.sync({ stop: this.#watch.begin() });
    };
    source.world = { ...world, units: [...world.units, ...ids.map((id) => unit(id))] };
    await run();
    const before = there();
    source.hidesUnits = new Set(ids);
    const ran = await run();
    source.hidesUnits = new Set();
    source.world = world;
    const gone = before.filter((id) => !there().includes(id));
    if (gone.length === 0) return;
    throw new Error(
      `what says that units are in scope is hidden, exit ${ran.exitCode}: ${gone.join(', ')} gone`,
    );
  }

  /** A run begins, whose source is as the company is. */
  #begin(): AbortSignal {
    const { company, undecided } = this.#expected();
    const active = company.people.filter((one) => one.active === true).map(({ username }) => username);
    const here = new Set(active.map(foldUsername));
    const owners = new Map<unknown, string>(
      company.people
        .filter(({ username }) => !undecided.has(foldUsername(username)))
        .map(({ username, fields }) => [fields['email'], username]),
    );
    const truth: Truth = {
      isActive: (username) => here.has(foldUsername(username)),
      ownerOf: (email) => owners.get(email),
    };
    return this.#watch.begin(truth);
  }

  /** A run that crashes, or sleeps while another one is done. */
  async stopEarly(chance: Chance, kind: Chance): Promise<void> {
    if (kind.below(2) === 0) await this.crash(chance);
    else await this.pause(chance);
  }

  /** A run that dies at one of its first writes of the journal: nothing is written any more. */
  async crash(chance: Chance): Promise<void> {
    const [at, when] = [1 + chance.below(CRASH_WITHIN), chance.of(['before', 'after'] as const)];
    this.#stepClock();
    const stop = this.#begin();
    try {
      await this.#world.sync({ stop, wrap: (ledger) => crashing(ledger, at, when) });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.#crashes += 1;
    }
  }

  /**
   * A run that is stopped before one of its first changes for longer than its lease lasts, as by a machine that sleeps:
   * another one is done meanwhile, and then it goes on.
   */
  async pause(chance: Chance): Promise<void> {
    this.#stepClock();
    const stop = this.#begin();
    const through = pausing(1 + chance.below(PAUSE_WITHIN), async () => {
      takeLease(this.#world);
      await this.#world.sync({ stop: this.#begin() });
    });
    const ran = await this.#world.sync({ stop, through });
    if (ran.exitCode === 1) this.#pauses += 1;
  }

  /** Runs until each record is as it should be or waits and is listed, then once more, which has to send nothing else. */
  async run(what: string): Promise<void> {
    const story: string[] = [];
    for (let times = 1; times <= MOST_RUNS; times += 1) {
      const ran = await this.#sync(times % 2 === 0);
      const { open } = differences(this.#world.sandbox.state, this.#expected());
      const silent = this.#silent(open, ran);
      const first = [...silent, ...open].slice(0, 12).map(({ text }) => text);
      story.push(
        `${times}: exit ${ran.exitCode} ${ran.error} ${ran.plan?.full === true ? 'full' : 'incremental'}, held: ${this.#heldWords(ran)}\n  ${[...first, ...ran.listed.filter((one) => !isLasting(one)).slice(0, 12)].join('\n  ')}`,
      );
      this.#require(what, story);
      this.#longest = Math.max(this.#longest, times);
      if (times < 2 || silent.length > 0 || !this.#mayBeLast(ran)) continue;
      const isDone = open.length === 0 && ran.listed.every(isLasting);
      const isOver = this.#held.length === 0 && (isDone || ran.changing.length === 0);
      if (!isOver && times < MOST_RUNS) continue;
      this.#requireFew(what, open, story);
      return this.#requireSilence(what, story);
    }
    throw new Error(`${what}: not converged in ${MOST_RUNS} runs\n${story.join('\n')}`);
  }

  /** Returns whether the run could do all: its read was whole, or shows that it was not. */
  #mayBeLast({ exitCode }: Ran): boolean {
    return exitCode !== 1 && this.#carried?.isShort !== true;
  }

  /** Returns what neither is as it should be nor is listed, or waits while the exit code is that of a run that did all. */
  #silent(open: readonly Open[], ran: Ran): readonly Open[] {
    if (ran.exitCode === 0) return open;
    const named = new Set([...namedBy(ran)].map(rootOf));
    return open.filter((one) => !this.#rootsOf(one).some((id) => named.has(id)));
  }

  #rootsOf({ username, units }: Open): readonly string[] {
    return [...units, ...(username === undefined ? [] : this.#leavers.idsOf(username))].map(rootOf);
  }

  #requireFew(what: string, open: readonly Open[], story: readonly string[]): void {
    this.#waiting += open.length;
    const { people, units } = this.#expected().company;
    const waiting = new Set(open.flatMap(({ username }) => username ?? [])).size;
    if (waiting <= people.length * MOST_WAITING && open.length - waiting <= units.length * MOST_WAITING)
      return;
    throw new Error(`${what}: ${open.length} records wait\n${story.join('\n')}`);
  }

  /**
   * Nothing is sent any more but for records that wait. What waits for others may be held again where its approval is too
   * old: released once more, it still waits. A run that failed proves nothing.
   */
  async #requireSilence(what: string, story: string[]): Promise<void> {
    for (let times = 1; times <= MOST_SILENT_RUNS; times += 1) {
      const before = differences(this.#world.sandbox.state, this.#expected()).open;
      const ran = await this.#sync(false);
      const { open } = differences(this.#world.sandbox.state, this.#expected());
      story.push(`silent ${times}: exit ${ran.exitCode} ${ran.error}, held: ${this.#heldWords(ran)}`);
      const waiting = new Set(before.flatMap((one) => this.#rootsOf(one)));
      const sends = ran.rows.filter(({ goesOn }) => goesOn).map(({ change }) => rootOf(change.id));
      // What is listed again may be tried again: two units that swap their names are refused each time.
      const named = new Set([...namedBy(ran)].map(rootOf));
      const isForOthers = waiting.size === 0 || sends.some((id) => !waiting.has(id) && !named.has(id));
      if (ran.changing.length > 0 && isForOthers) {
        const sent = [...ran.changing, ...ran.planned].slice(0, 24);
        throw new Error(`${what}: the run after all was done sends ${sent.join(', ')}\n${story.join('\n')}`);
      }
      this.#require(what, story);
      if (ran.exitCode !== 1 && (this.#held.length === 0 || open.length > 0)) return;
    }
    throw new Error(`${what}: runs after all was done hold or fail\n${story.join('\n')}`);
  }

  async #sync(full: boolean): Promise<Ran> {
    this.#stepClock();
    const stop = this.#begin();
    const messages = this.#messages;
    const release =
      messages === null
        ? { approve: this.#held }
        : { answers: await messages.release(this.#held), after: messages.after };
    const owesFullSource = (): boolean => this.#runs % WHOLE_EVERY === WHOLE_EVERY - 1;
    const request = { full, stop, describe: true, owesFullSource, ...release };
    const ran = await this.#world.sync(request);
    const { world: source, identity } = this.#world.source;
    this.#approved.after(ran, { source, identity }, this.#held);
    this.#forged = ran.text.filter((line) => STEERS.test(line));
    // After a run that failed the administrator asks again for the same, unless nothing is held under it any more.
    this.#held = ran.plan?.held.map(({ hash }) => hash) ?? (ran.exitCode === 2 ? [] : this.#held);
    this.#inside = this.#leavers.inside(this.#expected().company, ran);
    this.#wrong = differences(this.#world.sandbox.state, this.#expected()).wrong;
    this.#runs += 1;
    this.#calls += ran.calls.length;
    this.#increments += ran.lines.filter(({ fields }) => fields['read'] === 'incremental').length;
    this.#faults += ran.calls.filter(({ fault }) => fault !== undefined).length;
    return ran;
  }

  /** A backup is in the place of what was there. */
  comeBack(): void {
    this.#messages?.comeBack();
  }

  /** Calm days later everybody knows how it stands. */
  async requireNothingUntold(what: string): Promise<void> {
    const messages = this.#messages;
    if (messages === null) return;
    this.#world.sandbox.setFaults('rate=0.5,kinds=dropAfter+cut,ops=pushMessage');
    let story: string[] = [];
    for (let run = 1; run <= CALM_RUNS; run += 1) {
      if (run > UNSURE_RUNS) this.#world.sandbox.setFaults(undefined);
      this.#world.minutes(DAY_MINUTES / 2);
      const ran = await this.#sync(false);
      story = [
        `calm ${run}: exit ${ran.exitCode} ${ran.error}, held: ${this.#heldWords(ran)}`,
        ...ran.listed,
      ];
      const isTroubled = ran.report.end.failed + ran.inside.length > 0;
      if (run === CALM_RUNS) messages.requireNothingUntold(isTroubled);
    }
    this.#require(what, story);
  }

  #heldWords({ plan }: Ran): string {
    return (plan?.held ?? []).map(({ guard, count, limit }) => `${guard} ${count} > ${limit}`).join(', ');
  }

  #require(what: string, story: readonly string[]): void {
    const forged = this.#forged.map((line) => `the plan has the line ${JSON.stringify(line)}`);
    const untold = this.#messages?.findings ?? [];
    const findings = [
      ...this.#wrong,
      ...this.#watch.findings,
      ...this.#approved.findings,
      ...this.#inside,
      ...(this.#carried?.findings ?? []),
      ...untold,
      ...forged,
    ];
    if (findings.length > 0)
      throw new Error(`${what}: ${findings.slice(0, 12).join('; ')}\n${story.join('\n')}`);
  }
}

/** Returns the source id that a record had first: new numbers of people and of units end with a number of their own. */
const rootOf = (id: string): string => /^[a-z]+\d+b?/u.exec(id)?.[0] ?? id;

/** Returns whether a username is that of people who have left, and of nobody else. */
function leaversIn(people: MemoryWorld['people']): (username: string) => boolean {
  const of = (wanted: boolean): ReadonlySet<string> =>
    new Set(
      people.flatMap((one) => ('username' in one && (one.active === false) === wanted ? [one.username] : [])),
    );
  const [left, here] = [of(true), of(false)];
  return (username) => left.has(username) && !here.has(username);
}
