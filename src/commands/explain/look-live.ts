import { isDeepStrictEqual } from 'node:util';
import { openAppSource, type App } from '../../app/app.ts';
import { planDry, type DryPlan } from '../../app/runs.ts';
import type { Change, Plan } from '../../domain/changes.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Sample } from '../../domain/reading/source.ts';
import { sentenceOf } from '../../domain/errors.ts';
import { findingsOf, recordsNamed, unitNames, unmanaged } from '../../report/known-record.ts';
import type { OneSource, SourceSettings } from '../../domain/source-settings.ts';
import type { KnownRecord } from '../../report/known-record.ts';
import type { FoundSample, Live, PlannedLive } from '../../report/live.ts';

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
  const samples = await attempt(() => find(app, { subject, texts, id }, signal), []);
  const isPlaced = subject === 'person' && id !== null;
  const positions = isPlaced ? await attempt(() => source.findPositions(id, signal), []) : [];
  const planned = await attempt(() => planFor(app, record, signal), null);
  return { samples, positions, planned, problems: [...new Set(problems)] };
}

/** Returns every record of the source that a text names; `person:ID` and `unit:ID` are source ids and nothing else. */
export async function inSource(app: App, text: string, signal: AbortSignal): Promise<readonly FoundSample[]> {
  const [, only, id = text] = /^(person|unit):(.+)$/su.exec(text) ?? [];
  const found: FoundSample[] = [];
  for (const subject of ['person', 'unit'] as const)
    if (only === undefined || only === subject)
      found.push(...(await find(app, { subject, texts: [id], id: null }, signal)));
  return only === undefined ? found : found.filter((sample) => idOf(sample) === id);
}

const idOf = ({ reading }: Sample): string | null => (reading.ok ? reading.record.id : reading.refusal.id);

/** `id`: source id that one record has to have; `null`: any will do. */
type Wanted = Pick<KnownRecord, 'subject' | 'id'> & { readonly texts: readonly string[] };

const EXCLUDING = [['memberOf'], ['exclude'], ['memberOf', 'exclude']] as const;

/** Finds records in scope, and if there is none, in a directory without the settings that exclude records. */
async function find(app: App, wanted: Wanted, signal: AbortSignal): Promise<readonly FoundSample[]> {
  const { subject, texts, id } = wanted;
  const { settings } = app;
  const part = subject === 'person' ? 'people' : 'units';
  const findIn = (source: SourceSettings): Promise<readonly Sample[]> =>
    openAppSource({ ...app, settings: { ...settings, source } }).find(subject, texts, signal);
  const inScope = await findIn(settings.source);
  if (inScope.some((sample) => id === null || [null, id].includes(idOf(sample)))) return inScope;
  for (const keys of EXCLUDING) {
    const source = withoutKeys(settings.source, part, keys);
    if (isDeepStrictEqual(source, settings.source)) continue;
    const excludedBy = `out of scope by ${keys.map((key) => `source.${part}.${key}`).join(' and ')}`;
    const excluded = (await findIn(source)).filter((sample) => id === null || idOf(sample) === id);
    if (excluded.length > 0) return [...inScope, ...excluded.map((sample) => ({ ...sample, excludedBy }))];
  }
  return inScope;
}

/** Returns the settings without these keys of each source that has them. */
function withoutKeys(
  source: SourceSettings,
  part: 'people' | 'units',
  keys: readonly string[],
): SourceSettings {
  const clear = (one: OneSource): OneSource => {
    if (one[part] === undefined) return one;
    const rules = Object.entries(one[part]).filter(([key]) => !keys.includes(key));
    return { ...one, [part]: Object.fromEntries(rules) };
  };
  return { ...source, members: source.members.map((one) => ({ ...one, source: clear(one.source) })) };
}

/** Makes a plan, and returns what it says of the record. Throws what ended it early. */
async function planFor(app: App, record: KnownRecord, signal: AbortSignal): Promise<PlannedLive | null> {
  let change: Change | null = null;
  let isHeld = false;
  let places: Plan['unitNames'] = new Map();
  let planned: PlannedLive | null = null;
  const work = ({ plan, book }: DryPlan): void => {
    places = plan.unitNames;
    for (const step of book.sequencedChanges()) {
      if (step.change.subject !== record.subject || step.change.id !== record.id) continue;
      if (change === null || isHeld || step.goesOn) [change, isHeld] = [step.change, !step.goesOn];
    }
  };
  const onEnd = (ledger: Ledger): void => {
    const [current = record.id === null ? record : unmanaged(ledger, record)] =
      record.id === null ? [] : recordsNamed(ledger, `${record.subject}:${record.id}`);
    const findings = findingsOf(ledger, record);
    const names = unitNames(ledger, places);
    planned = { record: current, findings, names, change, isHeld };
  };
  await planDry(app, signal, work, { onEnd });
  return planned;
}
