import { expect, test } from 'vitest';
import { Chance } from '../chaos/chance.ts';
import type { Stage } from '../commands/command-line.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { company, reorganized } from './company.ts';
import { expectSettled, killAfter, openHr, PHASES, withoutWaiting, Witness, type Phase } from './kills.ts';
import { hrOf } from './hr-of.ts';

/** `npm run kills` is the long form; a seed of one's own makes other moments. */
const KILLS = Number(process.env['KILLS'] ?? 5);
const PEOPLE = Number(process.env['PEOPLE'] ?? 1_000);
/** One load takes all the kills, too; too long for every day. */
const isLong = process.env['KILLS'] !== undefined;
const SEED = Number(process.env['SEED'] ?? 1);

const BEFORE = company({ units: Math.max(20, PEOPLE / 50), people: PEOPLE });
const AFTER = withoutWaiting(reorganized(BEFORE));

const idsOf = ({ sandbox: { state } }: Stage): readonly string[] =>
  [...state.organizations(), ...state.employees()].map(({ id }) => id);

/** Milliseconds after its start that a run may be killed at. */
type Span = readonly [from: number, to: number];

interface Tale {
  readonly killed: Phase[];
  readonly chance: Chance;
}

/** Killed again and again over the time that one run takes, until a run ends before it is its turn. */
async function suffer(stage: Stage, tale: Tale, [from, to]: Span, importMs = 0): Promise<void> {
  const witness = new Witness(stage);
  witness.importMs = importMs;
  const before = idsOf(stage);
  while (tale.killed.length < KILLS) {
    const phase = await killAfter(stage, from + tale.chance.share() * (to - from));
    expect(witness.trouble).toBeUndefined();
    if (phase === null) break;
    tale.killed.push(phase);
  }
  witness.importMs = 0;
  expect((await stage.type('sync')).code).toBe(0);
  expect(witness.trouble).toBeUndefined();
  // Nothing was there on the way that was neither there before nor is now.
  expect(witness.ids).toEqual(new Set([...before, ...idsOf(stage)]));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

interface Spans {
  readonly load: Span;
  readonly reorganization: Span;
}

/** How long a process takes to start: Node alone needs most of what `status` takes. */
async function timeToStart(stage: Stage): Promise<number> {
  await stage.start('status').ended;
  return 0.8 * (await timed(() => stage.start('status').ended));
}

/** How long both take when nobody disturbs them. */
async function undisturbed(): Promise<Spans> {
  const stage = await openHr(BEFORE);
  const from = await timeToStart(stage);
  const load = await timed(() => stage.start('sync').ended);
  stage.hr(hrOf(AFTER));
  return { load: [from, load], reorganization: [from, await timed(() => stage.start('sync').ended)] };
}

async function round(tale: Tale, spans: Spans): Promise<void> {
  const stage = await openHr(BEFORE);
  const settled = (world: MemoryWorld, before?: MemoryWorld) => expectSettled(stage, world, before);
  await suffer(stage, tale, spans.load);
  await settled(BEFORE);
  stage.hr(hrOf(AFTER));
  await suffer(stage, tale, spans.reorganization);
  await settled(AFTER, BEFORE);
}

function tell(killed: readonly Phase[], what: string): void {
  const hits = PHASES.map((phase) => `${phase} ${killed.filter((hit) => hit === phase).length}`);
  console.info(`${killed.length} kills ${what}: ${hits.join(', ')}`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

test(`kill -9 at ${KILLS} moments of loads and reorganizations of ${PEOPLE} people, seed ${SEED}: complete, nothing twice`, async () => {
  const spans = await undisturbed();
  const tale: Tale = { killed: [], chance: new Chance(SEED) };
  let rounds = 0;
  const ms = await timed(async () => {
    for (; tale.killed.length < KILLS; rounds += 1) await round(tale, spans);
  });
  expect(tale.killed).toHaveLength(KILLS);
  const [load, reorganization] = [spans.load, spans.reorganization].map((span) => seconds(span[1]));
  if (isLong)
    tell(tale.killed, `in ${rounds} rounds, ${seconds(ms)} (undisturbed ${load} and ${reorganization})`);
}, 1_800_000);

/** The service is so slow with imports, and the kills come so soon, that one load outlasts them all. */
test.each(isLong ? [KILLS] : [])(
  'one load killed %i times (npm run kills)',
  async () => {
    const stage = await openHr(BEFORE);
    const tale: Tale = { killed: [], chance: new Chance(SEED) };
    const from = await timeToStart(stage);
    const ms = await timed(() => suffer(stage, tale, [from, from + 2_000], 1_000));
    expect(tale.killed).toHaveLength(KILLS);
    await expectSettled(stage, BEFORE);
    tell(tale.killed, `of one load, ${seconds(ms)}`);
  },
  1_800_000,
);
