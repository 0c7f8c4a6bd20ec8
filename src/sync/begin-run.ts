import { OneByOne, UnclearUnits, type Run, type World } from './state/world.ts';
import { Calls } from './state/calls.ts';
import { Listing } from './state/listing.ts';
import { PinBook } from './state/pin-book.ts';
import { LogoBook } from './state/logo-book.ts';
import { recallListLimits } from './ask/read-list.ts';
import { fullLookDue } from '../domain/ports/ledger/ledger.ts';
import { oweFull } from './refresh/full-look.ts';
import { groupedLog } from './state/grouped-log.ts';
import type { RunRequest } from './state/run-request.ts';
import { RunTally } from './state/run-tally.ts';

/** Returns an id of the time and a few random characters: readable, sorted by time, and unique. */
export function runId(now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-');
  return `${time}-${Math.random().toString(36).slice(2, 6).padEnd(4, '0')}`;
}

/** Returns whether all of the service is read, and not what has changed there. */
function readsEverything(world: World, isWhole: boolean): boolean {
  return isWhole || (fullLookDue(world.ledger, world.clock.now()) ?? Infinity) <= world.clock.now();
}

export function beginRun(world: World, request: RunRequest): Run {
  const { full, trigger, dryRun, revert, reportOnly = false } = request;
  const now = world.clock.now();
  const { id = runId(now) } = request;
  const everything = readsEverything(world, full);
  const kind = everything ? 'full' : 'incremental';
  const log = groupedLog(world.log.ofRun(id));
  const tally = new RunTally();
  const lists = new Listing(world.ledger.plan, tally, log);
  recallListLimits(world.ledger, world.service);
  world.service.fence(() => world.ledger.lease.require());
  if (!dryRun) {
    world.ledger.runs.begin({ id, kind, at: now });
    if (everything) oweFull(world);
    log.event({ event: 'run.start', kind, trigger, ...(reportOnly && { mode: 'report' }) });
  }
  return {
    ...world,
    logos: new LogoBook(),
    pins: new PinBook(),
    reverting: revert ?? null,
    log,
    id,
    kind,
    reportOnly,
    trigger,
    full: everything,
    waitsForNothing: full && trigger === 'command',
    isSourceRight: full && trigger === 'command' && revert === undefined,
    tally,
    calls: new Calls(world, tally, lists),
    lists,
    oneByOne: new OneByOne(),
    unclear: new UnclearUnits(),
    callsBefore: world.service.stats(),
  };
}
