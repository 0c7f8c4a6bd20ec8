import type { HistoryQuery } from '../domain/ports/history.ts';
import type { PersonEntry, UnitEntry } from '../domain/ports/ledger/entries.ts';
import type { RecordState } from '../domain/records/next.ts';
import type { PastCall } from '../domain/ports/ledger/journal.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import type { Note, RecordedFailure } from '../domain/ports/ledger/troubles.ts';
import type { EmployeePosition, Organization } from '../domain/ports/service.ts';
import type { Fields } from '../domain/records/fields.ts';
import { serialBefore } from '../domain/records/left-node.ts';
import type { PersonPayload, UnitPayload } from '../domain/records/payload.ts';
import { foldUsername } from '../domain/text/fold.ts';
import { say } from '../domain/words/say.ts';
import { unitName } from '../plan/units/tree.ts';
import { unitLabels, type UnitLabels } from '../plan/words/unit-labels.ts';

/** What the service was last seen to show of a record. */
export interface SeenInService {
  /** Id of the employee or organization. */
  readonly id: string;
  readonly locked: boolean;
  /** Source id under which rollcall manages it; `null`: rollcall does not. */
  readonly managedAs: string | null;
  readonly fields: Fields;
  readonly positions: readonly EmployeePosition[];
}

/** One record, a unit or a person alike, as the ledger has it. */
export interface KnownRecord {
  readonly subject: 'unit' | 'person';
  /** Source id; `null`: only the service has it. */
  readonly id: string | null;
  /** Username or name. */
  readonly label: string;
  /** State in the ledger; `null`: the record is not in it. */
  readonly state: RecordState | null;
  readonly serviceId: string | null;
  readonly serialNo: string | null;
  /** What was last sent. */
  readonly sent: PersonPayload | UnitPayload | null;
  /** Whether it was read back since the last write. */
  readonly readBack: boolean;
  readonly misses: number;
  readonly missedAt: number | null;
  readonly disabledAt: number | null;
  readonly seen: SeenInService | null;
  /** Username in the source, where it differs from the account's. */
  readonly inSource: string | null;
  /** For a node that waits to be removed: source id of the unit that has another node now. */
  readonly leftBy: string | null;
}

function unknownRecord(subject: KnownRecord['subject'], id: string | null, label: string): KnownRecord {
  const none = { state: null, serviceId: null, serialNo: null, sent: null, readBack: false };
  const times = { misses: 0, missedAt: null, disabledAt: null };
  return { subject, id, label, ...none, ...times, seen: null, inSource: null, leftBy: null };
}

/** @param employeeId `null`: not known; another account may have the username in another case */
function seenPerson(ledger: Ledger, username: string, employeeId: string | null): SeenInService | null {
  const employee = ledger.view.employee(username);
  if (employee === null) return null;
  const { id, locked, shown } = employee;
  const isSameAccount = employee.username === username || employeeId === null || employeeId === id;
  if (!isSameAccount) return null;
  const namesakes = ledger.people.named(employee.username, 'username');
  const owner = namesakes.find((entry) => entry.state !== 'removed' && (entry.employeeId ?? id) === id);
  return { id, locked, managedAs: owner?.id ?? null, fields: shown.fields, positions: shown.positions };
}

function seenUnit({ id, name, serialNo, fields }: Organization, managedAs: string | null): SeenInService {
  return { id, locked: false, managedAs, fields: { name, serial_no: serialNo, ...fields }, positions: [] };
}

/** Returns a record that rollcall does not manage, with the account or node that has its username or serial number. */
export function unmanaged(
  ledger: Ledger | null,
  { subject, id, label }: Pick<KnownRecord, 'subject' | 'id' | 'label'>,
): KnownRecord {
  const record = unknownRecord(subject, id, label);
  if (ledger === null) return record;
  if (subject === 'person') return { ...record, seen: seenPerson(ledger, label, null) };
  const node = ledger.view.organizations().find(({ serialNo }) => serialNo === id);
  return node === undefined ? record : { ...record, seen: seenUnit(node, null) };
}

function personOf(ledger: Ledger, entry: PersonEntry): KnownRecord {
  const { id, username, state, employeeId, sent, accepted, misses, missedAt, disabledAt } = entry;
  const { usernameInSource = null } = entry;
  const isOurs = state === 'managed' || state === 'disabled';
  return {
    ...unknownRecord('person', id, username),
    state,
    sent,
    misses,
    missedAt,
    disabledAt,
    readBack: accepted !== null,
    serviceId: employeeId,
    inSource: isOurs ? usernameInSource : null,
    seen: state === 'removed' ? null : seenPerson(ledger, username, employeeId),
  };
}

function unitOf(ledger: Ledger, entry: UnitEntry): KnownRecord {
  const { id, state, orgId, serialNo, sent, accepted } = entry;
  const node = ledger.view.organizations().find((organization) => organization.id === orgId);
  return {
    ...unknownRecord('unit', id, unitName(sent) || id),
    state,
    serialNo,
    sent,
    serviceId: orgId,
    readBack: accepted !== null,
    seen: node === undefined ? null : seenUnit(node, id),
  };
}

/** Number of accounts with another username than in the source that are searched for a username of the source. */
const MOST_KEPT = 10_000;

/**
 * Returns every record that a text names: a source id, a username (in any case), a unit's name or serial
 * number. `person:ID` and `unit:ID` are source ids and nothing else. Records that only the service has come
 * where the text names no other.
 */
export function recordsNamed(ledger: Ledger, text: string): readonly KnownRecord[] {
  const isNamed = namedBy(text);
  const { people, units, troubles } = ledger;
  const kept = people.kept(MOST_KEPT).filter(({ inSource }) => isNamed(inSource));
  const ids = [text, ...kept.map(({ id }) => id)];
  const entries = [...ids.flatMap((id) => people.entry(id) ?? []), ...people.named(text, 'username')];
  const named = units.all().filter(({ id, serialNo, sent }) => isNamed(id, unitName(sent), serialNo));
  const troubled = [...troubles.notes(text), ...troubles.failures({ name: text })];
  const all = [
    ...entries.map((entry) => personOf(ledger, entry)),
    ...named.map((entry) => unitOf(ledger, entry)),
    ...troubled.map((trouble) => unmanaged(ledger, trouble)),
  ];
  const byKey = new Map(all.toReversed().map((record) => [`${record.subject} ${record.id}`, record]));
  if (byKey.size > 0) return [...byKey.values()].toReversed();
  const [, only, id] = /^(person|unit):(.+)$/su.exec(text) ?? [];
  if (id === undefined) return strangers(ledger, text);
  return recordsNamed(ledger, id).filter((record) => record.subject === only && record.id === id);
}

/** Returns what {@link recordsNamed} does; if that is nothing, all people with this display name. */
export function recordsCalled(ledger: Ledger, name: string): readonly KnownRecord[] {
  const named = recordsNamed(ledger, name);
  if (named.length > 0) return named;
  return ledger.people.named(name, 'displayName').map((entry) => personOf(ledger, entry));
}

/** Returns the first records with this text in a username or name, people by username. */
export function recordsLike(ledger: Ledger, text: string, limit: number): readonly KnownRecord[] {
  const key = foldUsername(text);
  const units = ledger.units.all().filter(({ sent }) => foldUsername(unitName(sent)).includes(key));
  const people = ledger.people.like(text, limit).map((entry) => personOf(ledger, entry));
  return [...units.slice(0, limit).map((entry) => unitOf(ledger, entry)), ...people].slice(0, limit);
}

function namedBy(text: string): (...names: readonly (string | null)[]) => boolean {
  const key = foldUsername(text);
  return (...names) => names.some((name) => name !== null && foldUsername(name) === key);
}

/** Returns records that only the service has; reasons name nodes by their ids. */
function strangers(ledger: Ledger, text: string): readonly KnownRecord[] {
  const isNamed = namedBy(text);
  const { view, units } = ledger;
  const employee = view.employee(text);
  const nodes = view.organizations().filter(({ id, name, serialNo }) => isNamed(id, name, serialNo));
  return [
    ...(employee === null
      ? []
      : [unmanaged(ledger, { subject: 'person', id: null, label: employee.username })]),
    ...nodes.map((node) => ({
      ...unknownRecord('unit', null, node.name),
      seen: seenUnit(node, null),
      leftBy: units.all().find(({ serialNo }) => serialNo === serialBefore(node))?.id ?? null,
    })),
  ];
}

/** What runs have written down of one record. */
export interface Findings {
  readonly notes: readonly Note[];
  readonly failure: RecordedFailure | null;
  /** Past calls, newest first. */
  readonly calls: readonly PastCall[];
  /** The last change that disabled or removed the record; `null`: there was none, or it is older than the history. */
  readonly gone: { readonly why: string; readonly run: string } | null;
  /** The last run that ended. */
  readonly lastRun: RunRecord | null;
  /** When the last run ended that read everything, ms. */
  readonly lastRead: number | null;
}

const RUNS = 200;
const CALLS = 8;
const GONE: ReadonlySet<string> = new Set(['disable', 'remove']);
const NO_FINDINGS = { notes: [], failure: null, calls: [], gone: null } as const;

/** @param ledger `null`: there was no run yet */
export function findingsOf(
  ledger: Ledger | null,
  { subject, id }: Pick<KnownRecord, 'subject' | 'id'>,
): Findings {
  if (ledger === null || id === null) return { ...NO_FINDINGS, ...lastRuns(ledger) };
  const isSame = (note: Pick<Note, 'subject' | 'id'>): boolean => note.subject === subject && note.id === id;
  return {
    notes: ledger.troubles.notes(id).filter(isSame),
    failure: ledger.troubles.failures({ subject, id })[0] ?? null,
    calls: ledger.journal.callsOf(subject, id, CALLS),
    gone: goneIn(ledger, { subject, ids: [id] }),
    ...lastRuns(ledger),
  };
}

function goneIn({ history }: Ledger, of: NonNullable<HistoryQuery['of']>): Findings['gone'] {
  const last = [...history.entries({ since: 0, of })].findLast(({ kind }) => GONE.has(kind));
  return last === undefined ? null : { why: say(last.why), run: last.run };
}

function lastRuns(ledger: Ledger | null): Pick<Findings, 'lastRun' | 'lastRead'> {
  const runs = ledger?.runs.last(RUNS).filter(({ endedAt }) => endedAt !== null) ?? [];
  const lastRead = runs.find(({ result }) => result !== 'failed' && result !== 'stopped');
  return { lastRun: runs[0] ?? null, lastRead: lastRead?.endedAt ?? null };
}

/** Names of units, as plans have them. */
export interface UnitNames {
  /** By source id and by organization id. */
  readonly labels: UnitLabels;
  /** Organization id of a unit by its source id; `undefined`: no organization is known. */
  readonly orgIdOf: (unit: string | null) => string | undefined;
}

/** @param more names of the units of the source, with those that the ledger does not have yet */
export function unitNames(ledger: Ledger | null, more: ReadonlyMap<string, string> = new Map()): UnitNames {
  const root = ledger?.fact('rootOrgId') ?? undefined;
  const entries = ledger?.units.all() ?? [];
  const sentNames = new Map(entries.map(({ id, sent }) => [id, unitName(sent) || id]));
  const nodes = unitLabels(new Map(ledger?.view.organizations().map(({ id, name }) => [id, name])));
  const orgIds = new Map(entries.map(({ id, orgId }) => [id, orgId ?? undefined]));
  return {
    labels: new Map([...nodes, ...unitLabels(new Map([...sentNames, ...more]), sentNames)]),
    orgIdOf: (unit) => (unit === null ? root : orgIds.get(unit)),
  };
}
