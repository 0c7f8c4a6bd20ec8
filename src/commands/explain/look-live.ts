import { openAppSource, type App } from '../../app.ts';
import { runDry } from '../../app/runs.ts';
import type { Change, Plan } from '../../domain/changes.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { PlanBook } from '../../domain/ports/ledger/plan-book.ts';
import type { PositionSample, Sample } from '../../domain/reading/source.ts';
import { sentenceOf } from '../../domain/errors.ts';
import { findingsOf, recordsNamed, unitNames } from './known-record.ts';
import type { Findings, KnownRecord, UnitNames } from './known-record.ts';

/** What the source and a plan made now say about one record. */
export interface Live {
  /** Records of the source that name the record; several may share an id or username. */
  readonly samples: readonly Sample[];
  /** Rows of a separate positions query. */
  readonly positions: readonly PositionSample[];
  /** `null`: no plan could be made. */
  readonly planned: PlannedLive | null;
  /** Sentences that say why source, service or plan could not be asked. */
  readonly problems: readonly string[];
}

/** The record once a plan was made: the private copy of the ledger says of it what a run would write down. */
export interface PlannedLive {
  readonly record: KnownRecord;
  readonly findings: Findings;
  readonly names: UnitNames;
  /** What a run would do: of a record that is held in part, what goes on. */
  readonly change: Change | null;
  readonly isHeld: boolean;
}

/** Asks the source for the record, and makes a plan: where one cannot be done, the other still is. */
export async function readLive(app: App, record: KnownRecord, signal: AbortSignal): Promise<Live> {
  const problems: string[] = [];
  const attempt = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      problems.push(sentenceOf(error));
      return otherwise;
    }
  };
  const { subject, id, label } = record;
  const source = openAppSource(app);
  const texts = subject === 'unit' || id === label ? [id ?? label] : [...(id === null ? [] : [id]), label];
  const samples = await attempt(() => source.find(subject, texts, signal), []);
  const isPlaced = subject === 'person' && id !== null;
  const positions = isPlaced ? await attempt(() => source.findPositions(id, signal), []) : [];
  const planned = await attempt(() => planFor(app, record, signal), null);
  return { samples, positions, planned, problems: [...new Set(problems)] };
}

/** Returns every record of the source that a text names. */
export async function inSource(app: App, text: string, signal: AbortSignal): Promise<readonly Sample[]> {
  const source = openAppSource(app);
  return [...(await source.find('person', [text], signal)), ...(await source.find('unit', [text], signal))];
}

/** People of the source that settings exclude, and which settings. */
export interface Excluded {
  readonly by: readonly string[];
  readonly samples: readonly Sample[];
}

/** Looks for a person in the directory without the settings that exclude people; `null`: no one is found either way. */
export async function findExcluded(app: App, text: string, signal: AbortSignal): Promise<Excluded | null> {
  const { source } = app.settings;
  if (source.type !== 'ldap' || source.people === undefined) return null;
  for (const without of [['memberOf'], ['exclude'], ['memberOf', 'exclude']] as const) {
    const cleared = Object.fromEntries(without.map((key) => [key, undefined]));
    const settings = { ...app.settings, source: { ...source, people: { ...source.people, ...cleared } } };
    const samples = await openAppSource({ ...app, settings }).find('person', [text], signal);
    if (samples.length > 0) return { by: without.map((key) => `source.people.${key}`), samples };
  }
  return null;
}

/** Makes a plan, and returns what it says of the record. Throws what ended it early. */
async function planFor(app: App, record: KnownRecord, signal: AbortSignal): Promise<PlannedLive | null> {
  let change: Change | null = null;
  let isHeld = false;
  let places: Plan['unitNames'] = new Map();
  let planned: PlannedLive | null = null;
  const onPlan = (plan: Plan, book: PlanBook): void => {
    places = plan.unitNames;
    for (const step of book.sequencedChanges()) {
      if (step.change.subject !== record.subject || step.change.id !== record.id) continue;
      if (change === null || isHeld || step.goesOn) [change, isHeld] = [step.change, !step.goesOn];
    }
  };
  const onEnd = (ledger: Ledger): void => {
    const [current] = record.id === null ? [] : recordsNamed(ledger, `${record.subject}:${record.id}`);
    const findings = findingsOf(ledger, record);
    const names = unitNames(ledger, places);
    planned = { record: { ...record, ...current }, findings, names, change, isHeld };
  };
  const request = { full: false, approve: [], trigger: 'command', dryRun: true, onPlan } as const;
  const { error } = await runDry(app, request, signal, { onEnd });
  if (error !== null) throw error;
  return planned;
}
