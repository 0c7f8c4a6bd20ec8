import type { SchemaKeys } from '../../plan/values/schema-keys.ts';
import type { Change } from '../../domain/changes.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { PastCall } from '../../domain/ports/ledger/journal.ts';
import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';
import type { RecordState } from '../../domain/ports/ledger/entries.ts';
import type { RunRecord } from '../../domain/ports/ledger/runs.ts';
import type { Person, Unit } from '../../domain/records/records.ts';
import type { PositionSample, Sample, SourceRules } from '../../domain/reading/source.ts';
import { changeTexts, lossTexts } from '../../plan/words/describe-change.ts';
import { changedShown, expectedOf } from '../../plan/values/compare-shown.ts';
import { scopeText } from '../check/words.ts';
import { fieldRows, type FieldRow } from './field-rows.ts';
import type { Findings, Reason } from './findings.ts';
import type { Claim } from './held-people.ts';
import type { KnownRecord, Seen } from './known-record.ts';
import type { Live } from './look-live.ts';
import { positionRows, type PositionRow } from './position-rows.ts';
import type { UnitNames } from './named-units.ts';

/** A record of the source as it was read, without secrets. */
export interface RawSample {
  readonly place: string;
  readonly raw: Sample['raw'];
  /** Why it cannot be used, or `null`. */
  readonly refused: string | null;
  /** By which expression it is out of scope, or `null`. */
  readonly outOfScope: string | null;
}

/** What `explain` says about one record; `--json` prints it as it is. It has no value of a secret in it. */
export interface Explanation {
  readonly subject: 'unit' | 'person';
  /** Source id; `null`: only the service has it. */
  readonly id: string | null;
  readonly label: string;
  readonly state: RecordState | null;
  /** For a person: whether it is locked in the service or disabled by us. */
  readonly locked: boolean;
  readonly serviceId: string | null;
  readonly serialNo: string | null;
  readonly readBack: boolean;
  readonly misses: number;
  readonly missedAt: number | null;
  readonly disabledAt: number | null;
  readonly fields: readonly FieldRow[];
  readonly positionRules: Readonly<Record<string, string>>;
  readonly positions: readonly PositionRow[];
  /** Fields that somebody else edited in the service. */
  readonly edited: readonly string[];
  /** The record in the service as last seen, or as it is now with `--live`. */
  readonly seen: Seen | null;
  readonly blocked: readonly Reason[];
  readonly failure: RecordedFailure | null;
  readonly held: Findings['held'];
  readonly heldUnlisted: Findings['heldUnlisted'];
  readonly claim: Claim | null;
  /** For a new person: source id of the managed person who has the username already. */
  readonly owner: string | null;
  /** Username in the source, where it differs from the account's. */
  readonly inSource: string | null;
  /** For a node that waits to be removed: the unit that has left it. */
  readonly leftBy: string | null;
  /** Set where the record is held from the source after a revert. */
  readonly heldFromSource?: Findings['pin'];
  readonly calls: readonly PastCall[];
  readonly lastRun: LastRun | null;
  readonly lastRead: number | null;
  readonly live: LivePart | null;
}

export interface LastRun extends Pick<RunRecord, 'id' | 'kind' | 'endedAt' | 'result'> {
  /** Why the call failed, or `null`. */
  readonly error: string | null;
}

export interface LivePart {
  readonly samples: readonly RawSample[];
  /** Rows of a separate positions query. */
  readonly positions: readonly RawSample[];
  readonly change: Pick<Change, 'kind' | 'why' | 'fields' | 'guard'> | null;
  /** Change in words, field by field. */
  readonly changes: readonly string[];
  readonly isHeld: boolean;
  readonly held: Live['held'];
  readonly problems: readonly string[];
}

export interface Parts {
  readonly record: KnownRecord;
  readonly findings: Findings;
  readonly live: Live | null;
  readonly rules: SourceRules;
  readonly names: UnitNames;
  readonly keys?: SchemaKeys;
}

export function explanationOf({ record, findings, live, rules, names, keys }: Parts): Explanation {
  const { subject } = record;
  const { calls, failure, owner } = findings;
  const seen = live !== null && isWhole(live) ? live.seen : record.seen;
  const outlook = outlookOf(findings, live);
  const source = live === null ? null : mappedNow(record, live);
  const meaning =
    keys === undefined
      ? {}
      : { schemaIds: keys.idOf, waiting: new Map(keys.waiting.map(({ key, why }) => [key, why])) };
  return {
    ...factsOf(record),
    locked: seen?.locked === true,
    fields: fieldRows({ record, rules: rules[subject], seen, source, nameOf: names.unit, ...meaning }),
    positionRules: subject === 'person' ? rules.position : {},
    positions: positionRows({
      positions: positionsOf(record, live),
      seen,
      wanted: live?.wanted ?? [],
      names,
    }),
    edited: editedFields(record, seen, names),
    seen,
    ...outlook,
    blocked: outlook.blocked.map((each) => ({ ...each, reason: names.inWords(each.reason) })),
    failure,
    owner,
    inSource: usernameInSource(record, source),
    leftBy: record.leftBy === null ? null : names.unit(record.leftBy),
    heldFromSource: findings.pin,
    calls,
    ...runsOf(findings),
    live: live === null ? null : livePart(live, names),
  };
}

/** Returns whether source, service and plan could all be asked. */
function isWhole({ problems }: Live): boolean {
  return problems.length === 0;
}

/** Returns what is to come: a plan made now, if there is one, replaces what the last run left. */
function outlookOf(
  { blocked, held, heldUnlisted, claim }: Findings,
  live: Live | null,
): Pick<Explanation, 'blocked' | 'held' | 'heldUnlisted' | 'claim'> {
  if (live === null || !isWhole(live)) return { blocked, held, heldUnlisted, claim };
  return { blocked: live.blocked, held: [], heldUnlisted: [], claim: live.claim };
}

/** Returns the username as the source has it now, where it was asked; else as the last run found it. */
function usernameInSource(
  { state, label, inSource }: KnownRecord,
  source: Unit | Person | null,
): string | null {
  if (source === null || state === null || !('username' in source)) return inSource;
  return foldUsername(source.username) === foldUsername(label) ? null : source.username;
}

/** Returns the record as the source has it now, where it can be used. */
function mappedNow({ id }: KnownRecord, { samples }: Live): Unit | Person | null {
  const records = samples.flatMap(({ reading }) => (reading.ok ? [reading.record] : []));
  return records.find((record) => record.id === id && record.outOfScope === undefined) ?? null;
}

/** Returns the positions as they were sent; for a new person, as they are to be sent. */
function positionsOf({ state, positions }: KnownRecord, live: Live | null): KnownRecord['positions'] {
  const change = live?.change;
  return state === null && change?.subject === 'person' ? change.payload.positions : positions;
}

function editedFields(record: KnownRecord, seen: Seen | null, names: UnitNames): readonly string[] {
  const { state, accepted, sent, positions } = record;
  if (state !== 'managed' || accepted === null || sent === null || seen === null) return [];
  const expected = expectedOf({ fields: sent, positions }, names.orgIdOf);
  return changedShown(accepted, seen, expected, names).map(({ field }) => field);
}

function factsOf(record: KnownRecord) {
  const { subject, id, label, state, serviceId, serialNo, accepted } = record;
  const { misses, missedAt, disabledAt } = record;
  const facts = { subject, id, label, state, serviceId, serialNo, misses, missedAt, disabledAt };
  return { ...facts, readBack: accepted !== null };
}

function runsOf({ lastRun, lastRead }: Findings): Pick<Explanation, 'lastRun' | 'lastRead'> {
  return {
    lastRun: lastRun === null ? null : briefly(lastRun),
    lastRead: lastRead?.endedAt ?? null,
  };
}

function briefly({ id, kind, endedAt, result, report }: RunRecord): LastRun {
  const error = result === 'failed' || result === 'stopped' ? report?.['error'] : null;
  return { id, kind, endedAt, result, error: typeof error === 'string' ? error : null };
}

function rawOf({ place, raw, reading }: Sample | PositionSample): RawSample {
  if (!reading.ok)
    return { place, raw, refused: `${reading.refusal.field}: ${reading.refusal.reason}`, outOfScope: null };
  const { record } = reading;
  const isOut = 'outOfScope' in record && record.outOfScope !== undefined;
  return { place, raw, refused: null, outOfScope: isOut ? scopeText(record) : null };
}

function livePart(live: Live, names: UnitNames): LivePart {
  const { samples, positions, change, held, isHeld, problems } = live;
  return {
    samples: samples.map(rawOf),
    positions: positions.map(rawOf),
    change:
      change === null
        ? null
        : { kind: change.kind, why: names.inWords(change.why), fields: change.fields, guard: change.guard },
    changes: change === null ? [] : [...changeTexts(change.fields, names.short), ...lossTexts(change)],
    isHeld,
    held,
    problems,
  };
}
