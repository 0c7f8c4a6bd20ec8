import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Calls } from '../state/calls.ts';
import type { Clock } from '../../lib/clock.ts';
import type { UnitChange } from '../../domain/changes.ts';
import { RefusedError } from '../../domain/errors.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type {
  Organization,
  OrganizationBody,
  OrganizationImportAnswer,
  Service,
} from '../../domain/ports/service.ts';
import { NODE_FIELDS_ALONG, UNIT_FIELDS } from '../../domain/records/fields.ts';
import { sentAlong } from '../../plan/nodes/node-values.ts';
import { outgoingUnit } from '../../plan/values/outgoing.ts';
import { lookAgain, Patience } from '../ask/look-again.ts';
import { READ_BACK_MARGIN_MS } from '../ask/read-nodes.ts';
import { itemOf } from '../state/call-item.ts';
import { type OneByOne, type SendingRun, UNSTOPPABLE } from '../state/world.ts';

const LATER = { firstMs: 500, longestMs: 4_000 };

/**
 * Imports new and moved units, and reads back what became of each. If the service refuses imports, each is created
 * on its own.
 *
 * @param again whether some of the batch may be there already: it was part of an import that failed as a whole
 */
export async function importUnits(
  run: SendingRun,
  batch: readonly UnitChange[],
  again: boolean,
): Promise<'settled' | 'split'> {
  if (run.oneByOne.works && batch.length > 1) {
    for (const change of batch) await importUnits(run, [change], again);
    return 'settled';
  }
  const attempt = { creating: false };
  const since = run.service.now() - READ_BACK_MARGIN_MS;
  const look: NodeLook = () =>
    isCreated(run.oneByOne, attempt)
      ? readBySerial(run.service, batch)
      : readCreated(run.service, batch, since);
  const find = async (taken: number): ReturnType<NodeLook> => {
    const found = await findCreated(run.clock, look, taken);
    if (attempt.creating && found.size > 0) run.oneByOne.worked();
    return found;
  };
  const there = again ? await look() : new Map<string, Organization>();
  let left = batch.filter(({ serialNo }) => !there.has(serialNo));
  return run.calls.make({
    operation: 'org.import',
    items: batch.map((change) => itemOf(run.approved, change)),
    send: async () => {
      if (left.length === 0) return settle(run, batch, there, []);
      const bodies = left.map((change) => bodyOf(run, change));
      const failures = await sendUnits(run, bodies, attempt);
      return settle(run, batch, await find(batch.length - failures.length), failures);
    },
    splits: batch.length > 1,
    look: async () => {
      const found = await find(batch.length);
      left = batch.filter(({ serialNo }) => !found.has(serialNo));
      return left.length === 0 ? settle(run, batch, found, []) : null;
    },
  });
}

const NOT_CARRIED: ReadonlySet<string> = new Set(['serial_no', ...NODE_FIELDS_ALONG]);

const isCarried = ([name]: readonly [string, unknown]): boolean =>
  name in UNIT_FIELDS && !NOT_CARRIED.has(name);

/**
 * Returns the body of a new node. A moved unit keeps the fields that its old node shows and no rule maps, and
 * a logo that was set in the service.
 */
function bodyOf(run: SendingRun, change: UnitChange): OrganizationBody {
  const { payload, serialNo, orgId } = change;
  const node = run.nodes.node(orgId);
  const shown = Object.fromEntries(Object.entries(node?.fields ?? {}).filter(isCarried));
  const fields = { ...shown, ...(node === undefined ? {} : sentAlong(node)), ...run.logos.fieldsOf(change) };
  return {
    parentId: run.nodes.orgIdOf(payload.parent) ?? '',
    fields: outgoingUnit(fields, { clear: run.sync.clear, creating: true, serialNo }),
  };
}

/** Reads the nodes that are there now, by serial number. */
type NodeLook = () => Promise<ReadonlyMap<string, Organization>>;

/** Looks for new nodes a few times before one counts as not there. */
async function findCreated(
  clock: Clock,
  look: NodeLook,
  taken: number,
): Promise<ReadonlyMap<string, Organization>> {
  return lookAgain(new Patience(clock, LATER), {
    look,
    isSettled: ({ size }) => size >= taken,
    signal: UNSTOPPABLE,
  });
}

/**
 * Returns the nodes that have these serial numbers now. The form of an import's keys is not specified, so its answer
 * alone proves nothing: the list of what changed since is read, then each missing node by its serial number.
 */
async function readCreated(
  service: Service,
  batch: readonly UnitChange[],
  since: number,
): Promise<ReadonlyMap<string, Organization>> {
  const wanted = new Set(batch.map(({ serialNo }) => serialNo));
  const old = oldNodes(batch);
  const found = new Map<string, Organization>();
  for await (const page of service.organizations(since, UNSTOPPABLE)) {
    for (const node of page.records)
      if (node.serialNo !== null && node.disabled !== true && wanted.has(node.serialNo) && !old.has(node.id))
        found.set(node.serialNo, node);
  }
  const missing = batch.filter(({ serialNo }) => !found.has(serialNo));
  return new Map([...found, ...(await readBySerial(service, missing))]);
}

const oldNodes = (batch: readonly UnitChange[]): ReadonlySet<string | null> =>
  new Set(batch.map(({ orgId }) => orgId));

/** Returns the nodes that have these serial numbers now, each asked for on its own. */
async function readBySerial(
  service: Service,
  batch: readonly UnitChange[],
): Promise<ReadonlyMap<string, Organization>> {
  const old = oldNodes(batch);
  const found = new Map<string, Organization>();
  for (const serialNo of new Set(batch.map((change) => change.serialNo))) {
    const node = await service.organizationBySerial(serialNo, UNSTOPPABLE);
    if (node?.serialNo === serialNo && node.disabled !== true && !old.has(node.id)) found.set(serialNo, node);
  }
  return found;
}

function settle(
  run: SendingRun,
  batch: readonly UnitChange[],
  found: ReadonlyMap<string, Organization>,
  failures: Failures,
): readonly Settlement[] {
  const { nodes } = run;
  run.ledger.view.saveOrganizations([...found.values()], false);
  const refused = refusalsIn(batch, failures);
  return batch.map((change): Settlement => {
    const { id, payload, serialNo } = change;
    const node = found.get(serialNo);
    const reasons = refused.get(change);
    // What was refused and is there all the same is only ours if it is as it was sent.
    if (node === undefined || (reasons !== undefined && !isAsSent(run, change, node)))
      return notCreated(run.calls, change, reasons);
    nodes.put(node);
    nodes.stand(id, node.id);
    return { is: 'unit', id, orgId: node.id, sent: payload, accepted: node.fields, serialNo };
  });
}

type Failures = OrganizationImportAnswer['failures'];

const isAsSent = ({ nodes }: SendingRun, { name, payload }: UnitChange, node: Organization): boolean =>
  node.name === name && node.parentId === nodes.orgIdOf(payload.parent);

/**
 * Returns the reasons of refusals by unit. A key is a path of unknown form that ends with the name: it means the units
 * with the longest name that it ends with, or all if there is none.
 */
function refusalsIn(
  batch: readonly UnitChange[],
  failures: Failures,
): ReadonlyMap<UnitChange, ReadonlySet<string>> {
  const refused = new Map<UnitChange, Set<string>>();
  for (const [key, reason] of failures) {
    const fit = ({ name }: UnitChange): number =>
      key.toLowerCase().endsWith(name.toLowerCase()) ? name.length : 0;
    const best = Math.max(...batch.map(fit));
    for (const change of batch.filter((one) => fit(one) === best))
      refused.set(change, (refused.get(change) ?? new Set()).add(reason));
  }
  return refused;
}

/** Returns the settlement of a unit that is not there, with the reasons that may be its own. */
function notCreated(calls: Calls, change: UnitChange, reasons: ReadonlySet<string> | undefined): Settlement {
  if (reasons === undefined)
    return calls.doubt(change, 'the service neither named it nor shows it; it is read again');
  return calls.failed(change, `refused by the service: ${[...reasons].join(' / ')}`);
}

/** One journalled attempt at making units. */
interface Attempt {
  /** Whether the import was refused, and the unit is created instead. */
  creating: boolean;
}

/**
 * Sends new units: by an import, or the only one by "Create node" if this run has found that imports are refused.
 * Returns what the service says it has not made.
 */
async function sendUnits(
  run: SendingRun,
  bodies: readonly OrganizationBody[],
  attempt: Attempt,
): Promise<Failures> {
  const [only, ...others] = bodies;
  const isAlone = only !== undefined && others.length === 0;
  if (isAlone && isCreated(run.oneByOne, attempt)) return create(run, only);
  try {
    const { failures } = await run.service.importOrganizations(bodies, UNSTOPPABLE);
    if (run.ledger.fact('takesUnitImports') !== true) run.ledger.setFacts({ takesUnitImports: true });
    return failures;
  } catch (error) {
    if (!(error instanceof RefusedError) || !isAlone || !mayCreate(run.oneByOne, run.ledger)) throw error;
    attempt.creating = true;
    run.oneByOne.tried();
    return createInstead(run, only, error);
  }
}

/** Returns whether the unit is not imported, but created. */
function isCreated(oneByOne: OneByOne, { creating }: Attempt): boolean {
  return creating || oneByOne.works;
}

/** Returns whether the refusal may be about imports as such: this service has never answered one. */
function mayCreate(oneByOne: OneByOne, ledger: Ledger): boolean {
  return oneByOne.mayBeTried && ledger.fact('takesUnitImports') !== true;
}

async function create({ service }: SendingRun, body: OrganizationBody): Promise<readonly []> {
  await service.createOrganization(body, UNSTOPPABLE);
  return [];
}

/** Creates the unit; if that is refused too, the words of the import count. */
async function createInstead(
  run: SendingRun,
  body: OrganizationBody,
  refusal: RefusedError,
): Promise<readonly []> {
  try {
    return await create(run, body);
  } catch (error) {
    throw error instanceof RefusedError ? refusal : error;
  }
}
