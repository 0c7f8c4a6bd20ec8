import { openAppSource, serviceInRuns, type App } from '../../app.ts';
import { runDry } from '../../app/runs.ts';
import { isRekey, type Change, type Held, type Plan } from '../../domain/changes.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { PlanBook } from '../../domain/ports/ledger/plan-book.ts';
import type { PositionSample, Sample } from '../../domain/reading/source.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { sentenceOf } from '../../domain/sentence-of.ts';
import { reasonOf, type Reason } from './findings.ts';
import type { Claim } from './held-people.ts';
import { seenEmployee, seenOrganization, type KnownRecord, type Seen } from './known-record.ts';
import { namedUnit, type NamedUnits } from './named-units.ts';
import { wantedPositions, type UnitsNow, type WantedPosition } from './wanted-positions.ts';

/** What the source, the service and a dry run say about one record now. */
export interface Live {
  /** Records of the source that name the record; several may share an id or username. */
  readonly samples: readonly Sample[];
  /** Rows of a separate positions query. */
  readonly positions: readonly PositionSample[];
  readonly seen: Seen | null;
  /** Change that a run would make now. */
  readonly change: Change | null;
  /** Guards that would hold the change or a part of it. */
  readonly held: readonly Held[];
  /** Whether the whole change would be held. */
  readonly isHeld: boolean;
  readonly blocked: readonly Reason[];
  /** Another source id that comes with the username, where the person is missing in the source. */
  readonly claim: Claim | null;
  /** Units of the source. */
  readonly places: NamedUnits;
  /** Positions that the source gives a person now. */
  readonly wanted: readonly WantedPosition[];
  /** Sentences that say why source, service or plan could not be asked. */
  readonly problems: readonly string[];
}

interface Planned extends Pick<Live, 'change' | 'held' | 'isHeld' | 'blocked' | 'claim' | 'places'> {
  /** Units as the plan has them; `null`: there is no plan. */
  readonly units: UnitsNow | null;
}

const NOTHING: Planned = {
  change: null,
  held: [],
  isHeld: false,
  blocked: [],
  claim: null,
  places: new Map(),
  units: null,
};

/** Asks source, service and plan in turn; where one cannot be asked, the others still are. */
export async function lookLive(app: App, record: KnownRecord, signal: AbortSignal): Promise<Live> {
  const problems: string[] = [];
  const attempt = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      problems.push(sentenceOf(error));
      return otherwise;
    }
  };
  const samples = await attempt(() => samplesOf(app, record, signal), []);
  const positions = await attempt(() => positionsIn(app, record, signal), []);
  const { units, ...planned } = await attempt(() => dryRun(app, record, signal), NOTHING);
  const seen = await attempt(() => serviceNow(app, record, signal), null);
  const wanted = units === null ? [] : wantedPositions(record.id, { samples, rows: positions, units });
  return { ...planned, samples, positions, wanted, seen, problems: [...new Set(problems)] };
}

/** Returns every record of the source that a text names. */
export async function inSource(app: App, text: string, signal: AbortSignal): Promise<readonly Sample[]> {
  const source = openAppSource(app);
  return [...(await source.find('person', [text], signal)), ...(await source.find('unit', [text], signal))];
}

/**
 * Returns samples of the record, of others that share its username, and of records without a readable id that
 * may be the same.
 */
async function samplesOf(app: App, record: KnownRecord, signal: AbortSignal): Promise<readonly Sample[]> {
  const { subject, id, label } = record;
  const texts = subject === 'unit' ? [id ?? label] : [...(id === null ? [] : [id]), label];
  const found = await openAppSource(app).find(subject, texts, signal);
  return found.filter(({ reading }) => {
    if (!reading.ok) return reading.refusal.id === null || reading.refusal.id === id;
    if (id === null || reading.record.id === id) return true;
    return 'username' in reading.record && foldUsername(reading.record.username) === foldUsername(label);
  });
}

async function positionsIn(
  app: App,
  { subject, id }: KnownRecord,
  signal: AbortSignal,
): Promise<readonly PositionSample[]> {
  if (subject === 'unit' || id === null) return [];
  return openAppSource(app).findPositions(id, signal);
}

async function dryRun(app: App, record: KnownRecord, signal: AbortSignal): Promise<Planned> {
  let planned = NOTHING;
  const onPlan = (plan: Plan, book: PlanBook, tree: UnitTree): void => {
    planned = plannedFor(record, { plan, book, tree });
  };
  const request = { full: false, approve: [], trigger: 'command', dryRun: true, onPlan } as const;
  const { error } = await runDry(app, request, signal);
  if (error !== null) throw error;
  return planned;
}

interface Made {
  readonly plan: Plan;
  readonly book: PlanBook;
  readonly tree: UnitTree;
}

function plannedFor({ subject, id, label }: KnownRecord, { plan, book, tree }: Made): Planned {
  const unplaced = [...plan.unitNames].map(([unit, name]) => [unit, namedUnit(unit, name, null)] as const);
  const placed = [...tree.nodes].map(
    ([unit, node]) => [unit, namedUnit(unit, node.unit.fields['name'], node.parent)] as const,
  );
  const places = new Map([...unplaced, ...placed]);
  const blocked = plan.blocked
    .filter((one) => one.subject === subject && (one.id === id || (id === null && one.label === label)))
    .map(reasonOf);
  const waiting = plan.blocked.filter((one) => one.subject === 'unit' && one.goesOn !== true);
  const units: UnitsNow = { tree, blocked: new Map(waiting.map((one) => [one.id, one.reason])) };
  const claim = subject === 'person' && id !== null ? claimOf(id, { plan, book, tree }) : null;
  let planned: Planned = { ...NOTHING, blocked, claim, places, units };
  for (const { change, isHeld, hashes } of book.sequencedChanges()) {
    if (change.subject !== subject || change.id !== id) continue;
    const held = plan.held.filter((group) => planned.held.includes(group) || hashes.includes(group.hash));
    const waits = isHeld || hashes.length > 0;
    // Of a unit that is adopted and moved take the move, of a record that is held in part what goes on.
    const isPart = waits && planned.change !== null && !planned.isHeld && change.subject === 'person';
    planned = isPart ? { ...planned, held } : { ...planned, change, held, isHeld: waits };
  }
  return planned;
}

function claimOf(id: string, { plan, book }: Made): Claim | null {
  const held = plan.held.find(({ guard }) => guard === 'usernameReuse');
  if (held === undefined) return null;
  for (const { change } of book.sequencedChanges())
    if (isRekey(change) && change.fields.some(({ field, from }) => field === 'id' && from === id))
      return { by: change.id, held };
  return null;
}

async function serviceNow(app: App, record: KnownRecord, signal: AbortSignal): Promise<Seen | null> {
  const service = serviceInRuns(app);
  if (record.subject === 'person') {
    const { label } = record;
    const listed = (await service.employees([label], signal)).found.get(label);
    const employee =
      listed ?? (record.serviceId === null ? null : await service.employee(record.serviceId, signal));
    return employee === null ? null : seenEmployee(employee);
  }
  const { serviceId, serialNo, id } = record;
  const orgId = serviceId ?? record.seen?.id ?? null;
  const node =
    orgId === null
      ? await service.organizationBySerial(serialNo ?? id ?? record.label, signal)
      : await service.organization(orgId, signal);
  return node === null ? null : seenOrganization(node);
}
