import { applyEnables, applyLeavers, applyVanished } from './people/apply-leavers.ts';
import { applyPeople } from './people/apply-people.ts';
import { applyUnits } from './units/apply-units.ts';
import type { RunRequest } from './state/run-request.ts';
import { beginRun } from './begin-run.ts';
import { endRun, failRun, type RunReport } from './end-run.ts';
import { forgetUserTotal } from './refresh/full-look.ts';
import { makePlan } from './decide/make-plan.ts';
import { nameUnmatched } from './read/name-unmatched.ts';
import { readSource } from './read/read-source.ts';
import { refreshService } from './refresh/refresh-service.ts';
import { pinRecords } from './decide/pin-records.ts';
import { removeUnits } from './units/remove-units.ts';
import { settleInterrupted } from './calls/settle-interrupted.ts';
import { verify } from './verify/verify.ts';
import type { SourceEvidence } from '../domain/reading/source.ts';
import type { SendingRun, World } from './state/world.ts';
import { stopped } from '../domain/run-problems.ts';

/**
 * Does one run, from top to bottom. Nothing is sent before source and service were read to their ends, and nothing that
 * a guard holds is sent at all. A dry run ends with the plan, on a private copy of the ledger; one that only reports, on
 * the ledger itself.
 */
export async function run(world: World, request: RunRequest): Promise<RunReport> {
  const current = beginRun(world, request);
  const { tally } = current;
  let evidence: SourceEvidence | null = null;
  let failed: RunReport | null = null;
  const fail = (error: unknown): RunReport =>
    (failed ??= failRun(current, error, { source: evidence, dryRun: request.dryRun }));
  const quit = (): void => void fail(stopped('stopped-at-once', {}));
  world.quit?.addEventListener('abort', quit);
  try {
    current.ledger.requireRoom();
    await tally.timed('read', () => settleInterrupted(current));
    current.ledger.staging.begin();
    const read = await tally.timed('read', () => readSource(current));
    ({ evidence } = read);
    const view = await tally.timed('refresh', () => refreshService(current));
    const source = pinRecords(current, nameUnmatched(current, read));
    ({ evidence } = source);
    const made = await tally.timed('plan', () => makePlan(current, { source, view }, request));
    const { plan, sending } = made;
    await request.onPlan?.(plan, current.ledger.plan, made.tree, current.id);
    if (!request.dryRun && !current.reportOnly && sending !== null)
      await carryOut({ ...current, ...sending }, request);
    return await endRun(current, plan, request);
  } catch (error) {
    return fail(error);
  } finally {
    world.quit?.removeEventListener('abort', quit);
    current.progress.end();
    current.ledger.staging.end();
    current.logos.end();
  }
}

/**
 * Sends the plan: leavers first, then units with parents first, then people who join or changed. Units are
 * removed last. Which of them are empty is known only after everything was read back and old positions were
 * taken away. A run for one record (`--only`) removes no unit.
 */
async function carryOut(current: SendingRun, { only }: RunRequest): Promise<void> {
  const { tally } = current;
  forgetUserTotal(current.ledger, current.tally);
  const since = current.service.now();
  await tally.timed('apply', async () => {
    await applyVanished(current.ledger, current.approved, current.calls);
    await applyLeavers(current);
    await applyUnits(current);
    await applyEnables(current);
    await applyPeople(current);
  });
  await tally.timed('verify', () => verify(current, since));
  if (only === undefined) await tally.timed('apply', () => removeUnits(current));
}
