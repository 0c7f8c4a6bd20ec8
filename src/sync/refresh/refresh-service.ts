import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { ServiceEvidence } from '../../domain/changes.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { readOne } from '../ask/read-nodes.ts';
import { readList, type List, type ListRead } from '../ask/read-list.ts';
import { askEmployees, type Asked } from './ask-employees.ts';
import { lookAtAll, refreshCandidates, rememberTotals, whyLookAtAll, type ListsRead } from './full-look.ts';
import type { Run } from '../state/world.ts';

/** How far the watermark stays behind the start of the refresh, ms: the clocks of the service's parts may differ. */
const WATERMARK_MARGIN_MS = 10 * 60_000;

/**
 * Brings the view of the service up to date: organizations, then the users as candidates, then the employees list,
 * which alone says who is an employee here. The watermark moves on only when all of that was complete (promise 1).
 */
export async function refreshService(run: Run): Promise<ServiceView> {
  if (run.isServiceSilent === true) return viewAsSeen(run.ledger);
  const started = performance.now();
  const { ledger } = run;
  // The root node also tells the time of the service's clock.
  const root = await run.service.root(run.stop);
  const began = run.service.now();
  const watermark = ledger.fact('watermark');
  // A watermark in the future comes from a wrong clock: it is unknown what has changed since, so everything is read.
  const since = run.full || watermark === null || watermark > began ? null : watermark;
  let lists = await refreshLists(run, since, root.id);
  const why = since === null ? null : await whyLookAtAll(run, lists);
  if (why !== null) {
    lookAtAll(run, why);
    lists = await refreshLists(run, null, root.id);
  }
  rememberTotals(run, lists);
  const organizations = counted(lists.organizations);
  const users = counted(lists.users);
  const onlyUsers = root.isEmpty === true && lists.users.isAll;
  const employees = await askEmployees(run, { full: run.full, onlyUsers });
  ledger.setFacts({ watermark: began - WATERMARK_MARGIN_MS });
  if (run.full) ledger.setFacts({ lastFull: run.clock.now(), fullOwed: null });
  const ms = Math.round(performance.now() - started);
  run.log.event({ event: 'service.refresh', kind: run.kind, organizations, users, employees, ms });
  return { rootOrgId: root.id, evidence: { organizations, users, employees } };
}

const counted = ({ count, total }: ListRead): ServiceEvidence['users'] => ({ count, total });

const together = (one: Asked, other: Asked): Asked => ({
  asked: one.asked + other.asked,
  found: one.found + other.found,
});

async function refreshLists(run: Run, since: number | null, rootOrgId: string): Promise<ListsRead> {
  const isSameRoot = run.ledger.fact('rootOrgId') === rootOrgId;
  const organizations = await refreshOrganizations(run, isSameRoot ? since : null);
  return { organizations, users: await refreshCandidates(run, since) };
}

async function refreshOrganizations(run: Run, since: number | null): Promise<ListRead> {
  const nodes = new Map<string, Organization>();
  const list: List<Organization> = {
    what: 'organizations',
    progress: run.progress,
    now: () => run.service.now(),
    pages: (from) => run.service.organizations(from, run.stop),
    begin: () => nodes.clear(),
    take: (records) => records.forEach((node) => nodes.set(node.id, node)),
    count: () => nodes.size,
  };
  const read = await readList(list, since);
  run.ledger.view.saveOrganizations([...nodes.values()], read.isAll);
  await askForGoneUnits(run);
  return read;
}

/**
 * Asks for units that are not listed: nothing counts as gone in the service until it was asked for by its own id
 * (promise 1).
 */
async function askForGoneUnits(run: Run): Promise<void> {
  const listed = new Set(run.ledger.view.organizations().map(({ id }) => id));
  for (const { id, state, orgId } of run.ledger.units.all()) {
    if (state !== 'managed' || orgId === null || listed.has(orgId)) continue;
    const node = await readOne(
      run,
      () => run.service.organization(orgId, run.stop),
      (reason) => run.unclear.unreadableUnit(id, reason),
    );
    if (node !== null) run.ledger.view.saveOrganizations([node], false);
  }
}

/** Returns the service as the ledger last saw it, without asking; a ledger that never saw it has an empty one. */
function viewAsSeen(ledger: Ledger): ServiceView {
  const count = ledger.view.organizations().length;
  const evidence = {
    organizations: { count, total: count },
    users: { count: 0, total: 0 },
    employees: { asked: 0, found: 0 },
  };
  return { rootOrgId: ledger.fact('rootOrgId') ?? '', evidence };
}

/**
 * Looks at all people who are to be changed, even if the service reports no change of them: an account that
 * was locked in the service is not changed (promise 2).
 */
export async function refreshDecided(run: Run, view: ServiceView): Promise<ServiceEvidence> {
  if (run.isServiceSilent === true) return view.evidence;
  const employees = together(view.evidence.employees, await askEmployees(run, 'decided'));
  return { ...view.evidence, employees };
}

/** The service as this run has read it. Nodes and accounts are in the ledger's view. */
export interface ServiceView {
  readonly rootOrgId: string;
  readonly evidence: ServiceEvidence;
}
