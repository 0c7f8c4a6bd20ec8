import type { User } from '../../domain/ports/service.ts';
import { readList, type List, type ListRead } from '../ask/read-list.ts';
import type { Run } from '../state/world.ts';

/**
 * Reads the users that changed since the watermark, or all of them: whoever is among them may be an employee here, and
 * is asked for. Our own writes are among them too, for as long as the watermark stays behind. Of those that were read
 * back, a list of what changed since then shows who was changed again; the others are left alone. Where this list and
 * they are as many as have changed since the watermark, they are the same ones, and no other list is read.
 */
export async function refreshCandidates(run: Run, since: number | null): Promise<ListRead> {
  const { view } = run.ledger;
  const read = (await readSinceReadBack(run, since)) ?? (await readList(run, usersOf(run), since));
  view.saveUsers(read.isAll);
  return read;
}

function usersOf({ ledger: { view }, service, stop }: Run): List<User> {
  return {
    what: 'users',
    pages: (from) => service.users(from, stop),
    begin: () => view.beginCandidates(),
    take: (records) => view.candidates(records),
    count: () => view.candidateCount(),
  };
}

/** Returns `null` where the list since the watermark has to be read. */
async function readSinceReadBack(run: Run, since: number | null): Promise<ListRead | null> {
  const from = readBackSince(run, since);
  if (since === null || from === null) return null;
  const read = await readList(run, usersOf(run), from);
  if (read.isAll) return read;
  const left = run.ledger.view.leaveAsRead(from);
  const { totalCount } = await run.service.glance('users', since, run.stop);
  return totalCount === read.count + left ? { count: totalCount, total: totalCount, isAll: false } : null;
}

/** Returns when the last reading back of many began, where that is after the watermark; a wrong clock proves nothing. */
function readBackSince({ ledger, service }: Run, since: number | null): number | null {
  const from = ledger.fact('readBackFrom');
  return from === null || since === null || from <= since || from > service.now() ? null : from;
}

/**
 * Asks, bit by bit, for those who were left alone once the watermark has passed them. The watermark stays behind since
 * the clocks of the service's parts may differ; for them a part that is late may have told of an edit with a time before
 * the reading back.
 */
export function askLate(run: Run, since: number | null): void {
  run.ledger.view.askLate(readBackSince(run, since) ?? Number.MAX_SAFE_INTEGER);
}
