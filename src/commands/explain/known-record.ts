import type { Fields } from '../../domain/records/fields.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { EmployeeView } from '../../domain/ports/ledger/person-row.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { PersonEntry, RecordState, UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import type { Employee, EmployeePosition, Organization } from '../../domain/ports/service.ts';
import { heldPeople } from './held-people.ts';
import { unitNames } from './named-units.ts';

/** What the service shows of a record. */
export interface Seen {
  /** Id of the employee or organization. */
  readonly id: string;
  readonly locked: boolean;
  readonly fields: Fields;
  readonly positions: readonly EmployeePosition[];
  /** Organization id of the parent; organizations only. */
  readonly parentId: string | null;
}

/** One record, a unit or a person alike, as the ledger and the view have it. */
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
  readonly sent: Fields | null;
  readonly parent: string | null;
  readonly positions: readonly PlacedPosition[];
  /** What the service showed after our last write; `null`: not read back yet. */
  readonly accepted: Pick<Seen, 'fields' | 'positions'> | null;
  readonly misses: number;
  readonly missedAt: number | null;
  readonly disabledAt: number | null;
  readonly seen: Seen | null;
  /** Username in the source, where it differs from the account's. */
  readonly inSource: string | null;
  /** For a node that waits to be removed: source id of the unit that has left it. */
  readonly leftBy: string | null;
}

const UNKNOWN = {
  state: null,
  serviceId: null,
  serialNo: null,
  sent: null,
  parent: null,
  positions: [],
  accepted: null,
  misses: 0,
  missedAt: null,
  disabledAt: null,
  seen: null,
  inSource: null,
  leftBy: null,
} as const satisfies Partial<KnownRecord>;

export function unknownRecord(
  subject: KnownRecord['subject'],
  id: string | null,
  label: string,
): KnownRecord {
  return { ...UNKNOWN, subject, id, label };
}

export function seenEmployee({ id, locked, fields, positions }: Employee): Seen {
  return { id, locked, fields, positions, parentId: null };
}

export function seenOrganization({ id, name, serialNo, parentId, fields }: Organization): Seen {
  return { id, locked: false, fields: { name, serial_no: serialNo, ...fields }, positions: [], parentId };
}

function viewed({ shown, ...employee }: EmployeeView): Seen {
  return seenEmployee({ ...employee, ...shown });
}

function personOf(ledger: Ledger, entry: PersonEntry): KnownRecord {
  const employee = entry.state === 'removed' ? null : ledger.view.employee(entry.username);
  const { id, username, state, employeeId, sent, accepted, misses, missedAt, disabledAt } = entry;
  const mayBe = (seen: EmployeeView): boolean =>
    seen.username === username || employeeId === null || employeeId === seen.id;
  return {
    ...unknownRecord('person', id, username),
    state,
    accepted,
    misses,
    missedAt,
    disabledAt,
    serviceId: employeeId,
    sent: sent.fields,
    positions: sent.positions,
    inSource: ledger.people.keptOf(id)?.inSource ?? null,
    seen: employee === null || !mayBe(employee) ? null : viewed(employee),
  };
}

function unitOf(entry: UnitEntry, organizations: ReadonlyMap<string, Organization>): KnownRecord {
  const { id, state, orgId, serialNo, sent, accepted } = entry;
  const node = orgId === null ? undefined : organizations.get(orgId);
  const { name } = sent.fields;
  return {
    ...unknownRecord('unit', id, typeof name === 'string' ? name : id),
    state,
    serialNo,
    serviceId: orgId,
    sent: sent.fields,
    parent: sent.parent,
    accepted: accepted === null ? null : { fields: accepted, positions: [] },
    seen: node === undefined ? null : seenOrganization(node),
  };
}

/** Returns named records that wait or fail and never got into the ledger. */
function listed(ledger: Ledger, isNamed: (text: string) => boolean): readonly KnownRecord[] {
  const all = [...ledger.troubles.blocked(), ...ledger.troubles.failures()];
  return all
    .filter(({ id, label }) => isNamed(id) || isNamed(label))
    .map(({ subject, id, label }) => unknownRecord(subject, id, label));
}

/**
 * Number of accounts with another username than in the source that are searched for a username of the source.
 */
const MOST_KEPT = 10_000;

/** Returns people who have this username in the source, but an account with another one. */
function keptOnes(ledger: Ledger, isNamed: (text: string) => boolean): readonly PersonEntry[] {
  const kept = ledger.people.kept(MOST_KEPT).filter(({ inSource }) => isNamed(inSource));
  return kept.flatMap(({ id }) => ledger.people.entry(id) ?? []);
}

/** Returns new people whom a guard holds: the ledger has them nowhere else. */
function heldOnes(ledger: Ledger, isNamed: (text: string) => boolean): readonly KnownRecord[] {
  const names = ledger.approvals.held().flatMap((group) => heldPeople(group));
  return names
    .filter(({ id, username }) => isNamed(id) || isNamed(username))
    .filter(({ id }) => ledger.people.entry(id) === null)
    .map(({ id, username }) => unknownRecord('person', id, username));
}

/**
 * Returns records that only the service has; a node is also found by its own id, since reasons name nodes by
 * it.
 */
function strangers(ledger: Ledger, text: string, isNamed: (text: string) => boolean): readonly KnownRecord[] {
  const employee = ledger.view.employee(text);
  const { leftBy } = unitNames(ledger);
  const nodes = ledger.view
    .organizations()
    .filter(
      ({ id, name, serialNo }) => id === text || isNamed(name) || (serialNo !== null && isNamed(serialNo)),
    );
  return [
    ...(employee === null
      ? []
      : [{ ...unknownRecord('person', null, employee.username), seen: viewed(employee) }]),
    ...nodes.map((node) => ({
      ...unknownRecord('unit', null, node.name),
      seen: seenOrganization(node),
      leftBy: leftBy(node.id),
    })),
  ];
}

/**
 * Returns every record that a text names: a source id, a username (in any case), a unit's name or serial
 * number. `person:ID` and `unit:ID` are source ids and nothing else. Records that only the service has come
 * where the text names no other.
 */
export function recordsNamed(ledger: Ledger, text: string): readonly KnownRecord[] {
  const [, only, id] = /^(person|unit):(.+)$/su.exec(text) ?? [];
  const key = foldUsername(text);
  const isNamed = (name: string): boolean => foldUsername(name) === key;
  const people = [
    ledger.people.entry(text),
    ...ledger.people.named(text),
    ...keptOnes(ledger, isNamed),
  ].filter((entry) => entry !== null);
  const organizations = new Map(ledger.view.organizations().map((node) => [node.id, node]));
  const units = ledger.units
    .all()
    .map((entry) => unitOf(entry, organizations))
    .filter((unit) => unit.id === text || isNamed(unit.label) || isNamed(unit.serialNo ?? ''));
  const known = [
    ...people.map((entry) => personOf(ledger, entry)),
    ...units,
    ...listed(ledger, isNamed),
    ...heldOnes(ledger, isNamed),
  ];
  const found = distinct(known);
  if (found.length > 0) return found;
  if (only === undefined || id === undefined) return strangers(ledger, text, isNamed);
  return recordsNamed(ledger, id).filter((record) => record.subject === only && record.id === id);
}

function distinct(records: readonly KnownRecord[]): readonly KnownRecord[] {
  const keyOf = ({ subject, id }: KnownRecord): string => `${subject} ${id}`;
  return records.filter(
    (record, index) => records.findIndex((other) => keyOf(other) === keyOf(record)) === index,
  );
}
