import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventsOf, openStage, type Running, type Stage } from '../commands/command-line.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { stateOf } from '../sync/world.ts';
import { expectedState } from './expected-state.ts';
import { hrOf } from './hr-of.ts';

const LIMITS = 'requestsPerSecond: 1000, concurrency: 4';
const KINDS = 'leavers joiners updates emptied unitsRemoved unitsMoved gone adopted'.split(' ');
/** Guards that hold nothing. */
export const LOOSE = Object.fromEntries(KINDS.map((kind) => [kind, 'off']));

/** Whom a unit that moves would leave behind, disabled, on its old node stays: such a node waits (README, Moves). */
export function withoutWaiting({ units, people }: MemoryWorld): MemoryWorld {
  const parents = new Map(units.flatMap((one) => ('refs' in one ? [[one.id, one.parent]] : [])));
  const follows = (id: string | null | undefined): boolean =>
    id === 'u3' || (id !== null && id !== undefined && follows(parents.get(id)));
  return {
    units,
    people: people.map((one) =>
      'username' in one && one.positions.some(({ unit }) => follows(unit)) ? { ...one, active: true } : one,
    ),
  };
}

/** A stage with the real program whose HR database holds this world; guards hold nothing. */
export async function openHr(world: MemoryWorld): Promise<Stage> {
  const stage = await openStage({ hr: hrOf(world), readings: ['maxBatch=50'] });
  stage.configure(
    ['requestsPerSecond: 1000', LIMITS],
    ['primary: is_primary', 'primary: is_primary, chief: is_chief'],
    ['state: {', `sync: { guard: ${JSON.stringify(LOOSE)} }\nstate: {`],
  );
  return stage;
}

/** Every id that the service ever had, looked at before each change; throws where something is there twice. */
export class Witness {
  readonly ids = new Set<string>();
  readonly #stage: Stage;
  /** How long the service takes to import people. */
  importMs = 0;
  #trouble: string | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
    stage.sandbox.onCall = async ({ method, operation }) => {
      if (method !== 'GET') this.look();
      if (operation === 'importEmployees') await sleep(this.importMs);
    };
    this.look();
  }

  look(): void {
    const { state } = this.#stage.sandbox;
    const [nodes, employees] = [state.organizations(), state.employees()];
    for (const { id } of [...nodes, ...employees]) this.ids.add(id);
    this.#requireOnce(nodes.flatMap(({ serialNo }) => serialNo ?? []));
    this.#requireOnce(employees.map(({ username }) => username.toLowerCase()));
  }

  /** What was found in a call cannot be thrown there: the sandbox would answer with it. */
  get trouble(): string | undefined {
    this.look();
    return this.#trouble;
  }

  #requireOnce(names: readonly string[]): void {
    if (new Set(names).size === names.length) return;
    this.#trouble ??= `twice: ${names.filter((name, index) => names.indexOf(name) !== index).join(', ')}`;
  }
}

export const PHASES = ['start', 'read', 'refresh', 'plan', 'apply', 'verify', 'after'] as const;
export type Phase = (typeof PHASES)[number];

/** By the last event of its log, and by what it asked last. */
export function phaseOf(running: Running, { sandbox }: Stage): Phase {
  const events = new Set(eventsOf(running.out()).map(({ event }) => event));
  if (events.has('run.end')) return 'after';
  if (events.has('plan.ready')) {
    return sandbox.calls.slice(-3).every(({ operation }) => operation === 'listEmployees')
      ? 'verify'
      : 'apply';
  }
  if (events.has('service.refresh')) return 'plan';
  if (events.has('source.read')) return 'refresh';
  return events.has('run.start') ? 'read' : 'start';
}

/** Starts a run and kills it so many ms later; how far it was, or `null` where it had ended well before. */
export async function killAfter(stage: Stage, ms: number): Promise<Phase | null> {
  const running = stage.start('sync');
  await Promise.race([sleep(ms), running.ended]);
  const phase = phaseOf(running, stage);
  running.child.kill('SIGKILL');
  const { signal, code, err } = await running.ended;
  if (signal === 'SIGKILL') {
    if (existsSync(stage.ledgerFile)) expireLease(stage);
    return phase;
  }
  if (code !== 0) throw new Error(`a run after a kill ended with ${code}: ${err}`);
  return null;
}

/** Killed before the first tables were there, it left no lease. */
function expireLease(stage: Stage): void {
  try {
    stage.expireLease();
  } catch (error) {
    if (!String(error).includes('no such table')) throw error;
  }
}

/** Complete, as the source says, and quiet. */
export async function expectSettled(stage: Stage, world: MemoryWorld, before?: MemoryWorld): Promise<void> {
  const last = await stage.type('sync');
  expect([last.code, last.err]).toEqual([0, '']);
  expect(stateOf(stage.sandbox)).toEqual(expectedState(world, before));
  stage.changing();
  const quiet = await stage.type('sync', '--full');
  expect([quiet.code, stage.changing()]).toEqual([0, []]);
}
