import type { ServiceEvidence } from '../../domain/changes.ts';
import type { Employees, Organization } from '../../domain/ports/service.ts';
import { answersAhead } from '../../lib/ahead.ts';
import { inSteps, othersGo } from '../../lib/in-steps.ts';
import { readList, type List, type ListRead } from '../ask/read-list.ts';
import { lookAtAll, refreshCandidates, rememberTotals, whyLookAtAll, type ListsRead } from './full-look.ts';
import { withHidden } from './find-hidden.ts';
import { recoverMoves } from './recover-moves.ts';
import { checkpoint, type Run } from '../state/world.ts';

/** How far the watermark stays behind the start of the refresh, ms: the clocks of the service's parts may differ. */
const WATERMARK_MARGIN_MS = 10 * 60_000;
/** How many usernames are asked for together. The service client splits them by the length of the URL. */
const ASK_AT_ONCE = 2_000;
const PAGES_AHEAD = 2;
/** How many likely employees are named to the service client; at least one of them should exist. */
const WITNESSES = 3;

/**
 * Brings the view of the service up to date: organizations, then the users as candidates, then the employees list,
 * which alone says who is an employee here. The watermark moves on only when all of that was complete (promise 1).
 */
export async function refreshService(run: Run): Promise<ServiceView> {
  if (run.isServiceSilent === true) return viewAsSeen(run);
  const started = performance.now();
  const { ledger, service } = run;
  const root = await service.root(run.stop);
  const began = service.now();
  const watermark = ledger.fact('watermark');
  // A watermark in the future comes from a wrong clock: it is unknown what has changed since, so everything is read.
  const since = run.full || watermark === null || watermark > began ? null : watermark;
  let lists = await refreshLists(run, since, root.id);
  const why = run.full || since === null ? null : await whyLookAtAll(run, lists, since);
  if (why !== null) {
    lookAtAll(run, why);
    lists = await refreshLists(run, null, root.id);
  }
  rememberTotals(run, lists, since);
  const organizations = counted(lists.organizations);
  const users = counted(lists.users);
  const onlyUsers = root.isEmpty === true && lists.users.isAll;
  const employees = await ask(run, await inSteps(ledger.view.prepareToAsk({ full: run.full, onlyUsers })));
  ledger.setFacts({ watermark: began - WATERMARK_MARGIN_MS });
  if (run.full) ledger.setFacts({ lastFull: run.clock.now(), fullOwed: null });
  if (why !== null) ledger.setFacts({ doubted: why.about });
  const ms = Math.round(performance.now() - started);
  run.log.event({ event: 'service.refresh', kind: run.kind, organizations, users, employees, ms });
  return { rootOrgId: root.id, evidence: { organizations, users, employees } };
}

const counted = ({ count, total }: ListRead): ServiceEvidence['users'] => ({ count, total });

async function refreshLists(run: Run, since: number | null, rootOrgId: string): Promise<ListsRead> {
  const isSameRoot = run.ledger.fact('rootOrgId') === rootOrgId;
  const organizations = await refreshOrganizations(run, isSameRoot ? since : null, rootOrgId);
  return { organizations, users: await refreshCandidates(run, since) };
}

async function refreshOrganizations(run: Run, since: number | null, rootOrgId: string): Promise<ListRead> {
  const nodes = new Map<string, Organization>();
  const list: List<Organization> = {
    what: 'organizations',
    pages: (from) => run.service.organizations(from, run.stop),
    begin: () => nodes.clear(),
    take: (records) => records.forEach((node) => nodes.set(node.id, node)),
    count: () => nodes.size,
  };
  const read = await readList(run, list, since);
  run.ledger.view.saveOrganizations([...nodes.values()], read.isAll);
  await askForGoneUnits(run);
  takeBackUnits(run);
  recoverMoves(run, rootOrgId);
  return read;
}

/**
 * Asks for units that are not listed: nothing counts as gone in the service until it was asked for by its own id
 * (promise 1).
 */
async function askForGoneUnits(run: Run): Promise<void> {
  const listed = new Set(run.ledger.view.organizations().map(({ id }) => id));
  for (const { state, orgId } of run.ledger.units.all()) {
    if (state !== 'managed' || orgId === null || listed.has(orgId)) continue;
    const node = await run.service.organization(orgId, run.stop);
    if (node !== null) run.ledger.view.saveOrganizations([node], false);
  }
}

/** Returns the service as the ledger last saw it, without asking; a ledger that never saw it has an empty one. */
function viewAsSeen({ ledger }: Run): ServiceView {
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
  const { asked, found } = await ask(run, await inSteps(run.ledger.view.prepareToAsk('decided')));
  const { employees } = view.evidence;
  return {
    ...view.evidence,
    employees: { asked: employees.asked + asked, found: employees.found + found },
  };
}

/**
 * Asks for all people. If a question turns out to be too long, people who were asked for before may have been
 * missed, so all are asked for again. This ends, since the length falls each time.
 */
async function ask(run: Run, total: number): Promise<ServiceEvidence['employees']> {
  const { view } = run.ledger;
  await othersGo();
  run.service.suppose(view.likelyEmployees(WITNESSES));
  for (;;) {
    run.progress.start('refresh', total);
    const answered = await askOnce(run);
    if (answered !== 'again') return answered;
  }
}

async function askOnce(run: Run): Promise<ServiceEvidence['employees'] | 'again'> {
  const { view } = run.ledger;
  let asked = 0;
  let found = 0;
  const list = async (usernames: readonly string[]): Promise<Listed> => {
    const most = namesPerQuery(run);
    return { most, employees: await run.service.employees(usernames, run.stop) };
  };
  for await (const { question: usernames, answer: listed } of answersAhead(toAsk(run), list, PAGES_AHEAD)) {
    checkpoint(run.stop);
    if (asked > 0 && namesPerQuery(run) < listed.most) return 'again';
    const answer = await withHidden(run, usernames, listed.employees);
    view.saveEmployees(usernames, answer);
    found += answer.found.size;
    asked += usernames.length;
    run.progress.advance(usernames.length);
  }
  return { asked, found };
}

interface Listed {
  /** How many names a question might have when these people were asked for. */
  readonly most: number;
  readonly employees: Employees;
}

function* toAsk({ ledger: { view } }: Run): Generator<readonly string[]> {
  for (let after = ''; ;) {
    const usernames = view.usernamesToAsk({ after, limit: ASK_AT_ONCE });
    if (usernames.length === 0) return;
    yield usernames;
    after = usernames.at(-1) ?? after;
  }
}

function namesPerQuery({ service }: Run): number {
  return service.listLimits().namesPerQuery ?? Infinity;
}

/** The service as this run has read it. Nodes and accounts are in the ledger's view. */
export interface ServiceView {
  readonly rootOrgId: string;
  readonly evidence: ServiceEvidence;
}

/**
 * Takes back units that rollcall removed and whose nodes exist again, under the same id and serial number.
 * They came back with a backup of the service, and are still ours. Their names may differ: a removed unit
 * makes room for another one that gets its name. The id alone proves nothing, since it may now be another
 * node's.
 */
function takeBackUnits({ ledger: { units, view } }: Run): void {
  const removed = units.all().filter(({ state }) => state === 'removed');
  if (removed.length === 0) return;
  const byId = new Map(view.organizations().map((node) => [node.id, node]));
  for (const { id, orgId, serialNo } of removed)
    if (byId.get(orgId ?? '')?.serialNo === serialNo) units.note({ is: 'back', unit: id, orgId });
}
