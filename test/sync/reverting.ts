import { expect } from 'vitest';
import type { Reverts } from '../../src/domain/changes.ts';
import type { RevertRequest } from '../../src/sync/state/run-request.ts';
import { loadedWorld, openWorld, type Ran, type SyncOptions, type World } from './world.ts';

interface Reverted extends Ran {
  readonly reverts: Reverts;
}

type Options = Omit<SyncOptions, 'approve'> & { readonly approve?: readonly string[] } & Partial<
    Omit<RevertRequest, 'run'>
  >;

function withReverts(ran: Ran): Reverted {
  const reverts = ran.plan?.reverts;
  if (reverts === undefined || reverts === null) throw new Error(`there is no plan: ${ran.error}`);
  return { ...ran, reverts };
}

/** Shows how a run would be put back. */
export async function showRevert(
  world: World,
  run: Ran,
  { only, ...options }: Options = {},
): Promise<Reverted> {
  return withReverts(await world.plan({ ...options, revert: { run: run.report.run, only } }));
}

/** Puts back what a run did, as it was just shown, and whatever guards hold of it. */
export async function revert(world: World, run: Ran, options: Options = {}): Promise<Reverted> {
  const { plan } = await showRevert(world, run, options);
  const { only, ...more } = options;
  const approve = [...(options.approve ?? []), plan?.hash ?? ''];
  return withReverts(await world.sync({ ...more, revert: { run: run.report.run, only }, approve }));
}

/** `record: reason` of all that is not put back. */
export const notBack = ({ reverts }: Reverted): readonly string[] =>
  reverts.notBack.map(({ label, reason }) => `${label}: ${reason}`);

/** A world after its load, a quarter of an hour later. */
export async function loaded(...options: Parameters<typeof openWorld>): Promise<World> {
  const world = await loadedWorld(...options);
  world.minutes(15);
  return world;
}

/** Changes the source, and applies that. */
export async function changed(world: World, change: Parameters<World['change']>[0]): Promise<Ran> {
  const ran = await world.syncAfter(change);
  expect(ran.changing).not.toEqual([]);
  world.minutes(15);
  return ran;
}

/** Nothing is left to do for an incremental run, nor for a full one. */
export async function expectSilence(world: World, options: SyncOptions = {}): Promise<void> {
  for (const full of [false, true]) {
    const ran = await world.sync({ ...options, full });
    expect([ran.exitCode, ran.planned, ran.changing, ran.listed]).toEqual([0, [], [], []]);
  }
}
