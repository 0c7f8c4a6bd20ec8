import { ServiceError } from '../domain/errors.ts';
import type { ServiceEvidence } from '../domain/changes.ts';
import type { Organization, Page } from '../domain/service.ts';
import { checkpoint } from './checkpoint.ts';
import { findHidden } from './find-hidden.ts';
import { recoverMoves } from './recover-moves.ts';
import type { Run } from './world.ts';

/** How far the watermark stays behind the start of the refresh: clocks of the service's parts may differ. */
const WATERMARK_MARGIN_MS = 10 * 60_000;
/** Usernames asked in one go; the service room splits them by the length of the URL. */
const ASK_AT_ONCE = 2_000;

/**
 * Brings the view of the service up to date: organizations, then the users as candidates, then the employees list,
 * which alone says who is an employee here. The watermark moves when all of it was complete (promise 1).
 */
export async function refreshService(run: Run): Promise<void> {
  const started = performance.now();
  const { ledger, service } = run;
  const root = await service.root(run.stop);
  run.orgIds.set(null, root.id);
  const began = service.now();
  const watermark = ledger.fact('watermark');
  // One of the future was counted by a wrong clock: what changed since then is not known, so all is read.
  const since = run.full || watermark === null || watermark > began ? null : watermark;
  const isSameRoot = ledger.fact('rootOrgId') === root.id;
  const organizations = await refreshOrganizations(run, isSameRoot ? since : null);
  const users = await refreshCandidates(run, since);
  const employees = await ask(run, ledger.view.prepareToAsk(run.full));
  ledger.setFacts({ watermark: began - WATERMARK_MARGIN_MS });
  run.evidence.service = { organizations, users, employees };
  if (run.full) ledger.setFacts({ lastFull: run.clock.now() });
  const ms = Math.round(performance.now() - started);
  run.log.event({ event: 'service.refresh', kind: run.kind, organizations, users, employees, ms });
}

async function refreshOrganizations(run: Run, since: number | null): Promise<Counted> {
  const { result: found, ...counted } = await readTwice('organizations', async () => {
    const nodes = new Map<string, Organization>();
    const total = await readPages(run, run.service.organizations(since, run.stop), (page) => {
      for (const node of page.records) nodes.set(node.id, node);
      return nodes.size;
    });
    return { count: nodes.size, total, result: [...nodes.values()] };
  });
  run.ledger.view.saveOrganizations(found, since === null);
  await askForGoneUnits(run);
  recoverMoves(run);
  return counted;
}

/** Nothing counts as gone in the service until asked for by its own id (promise 1). */
async function askForGoneUnits(run: Run): Promise<void> {
  const listed = new Set(run.ledger.view.organizations().map(({ id }) => id));
  for (const { state, orgId } of run.ledger.units.all()) {
    if (state !== 'managed' || orgId === null || listed.has(orgId)) continue;
    const node = await run.service.organization(orgId, run.stop);
    if (node !== null) run.ledger.view.saveOrganizations([node], false);
  }
}

async function refreshCandidates(run: Run, since: number | null): Promise<Counted> {
  const { view } = run.ledger;
  const { count: users, total: said } = await readTwice('users', async () => {
    view.beginCandidates();
    const total = await readPages(run, run.service.users(since, run.stop), (page) => {
      view.candidates(page.records);
      return page.skip + page.records.length;
    });
    const count = view.candidateCount();
    return { count, total, result: null };
  });
  view.saveUsers(since === null);
  return { count: users, total: said };
}

/** Returns the last page's total_count. */
async function readPages<T>(
  { progress }: Run,
  pages: AsyncIterable<Page<T>>,
  take: (page: Page<T>) => number,
): Promise<number> {
  let total: number | null = null;
  progress.start('refresh', total);
  for await (const page of pages) {
    take(page);
    if (total === null) progress.start('refresh', page.totalCount);
    progress.advance(page.records.length);
    total = page.totalCount;
  }
  return total ?? 0;
}

type Counted = ServiceEvidence['organizations'];

interface PagedRead<T> {
  /** Distinct ids. */
  readonly count: number;
  readonly total: number;
  readonly result: T;
}

/** As many distinct ids as `total_count`, else read once more: somebody may have changed something in between. */
async function readTwice<T>(what: string, read: () => Promise<PagedRead<T>>): Promise<PagedRead<T>> {
  const first = await read();
  if (first.count === first.total) return first;
  const second = await read();
  if (second.count === second.total) return second;
  throw new ServiceError(
    `service: the list of ${what} is incomplete: ${second.count} distinct ids where total_count says ${second.total}, ` +
      'twice; nothing is sent. Try again later; if it stays, ask the operator of the service',
  );
}

/**
 * Whoever is to be changed was looked at in this run, also where the service told of no change: an account that somebody
 * has locked is sent nothing (promise 2).
 */
export async function refreshDecided(run: Run): Promise<void> {
  const { service } = run.evidence;
  const { asked, found } = await ask(run, run.ledger.view.prepareToAskDecided());
  if (service === undefined) return;
  const { employees } = service;
  run.evidence.service = {
    ...service,
    employees: { asked: employees.asked + asked, found: employees.found + found },
  };
}

async function ask(run: Run, total: number): Promise<ServiceEvidence['employees']> {
  const { view } = run.ledger;
  run.progress.start('refresh', total);
  let asked = 0;
  let found = 0;
  let last = '';
  for (;;) {
    checkpoint(run.stop);
    const usernames = view.usernamesToAsk({ after: last, limit: ASK_AT_ONCE });
    if (usernames.length === 0) return { asked, found };
    const employees = await run.service.employees(usernames, run.stop);
    const hidden = await findHidden(run, usernames, employees);
    view.saveEmployees(
      usernames.filter((username) => !run.unclear.has(username)),
      [...employees, ...hidden],
    );
    found += employees.length + hidden.length;
    last = usernames.at(-1) ?? last;
    asked += usernames.length;
    run.progress.advance(usernames.length);
  }
}
