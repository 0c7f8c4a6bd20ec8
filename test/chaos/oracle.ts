import { foldUsername } from '../../src/domain/text/fold.ts';
import type { Person, Unit } from '../../src/domain/records/records.ts';
import type { EmployeeRecord, OrganizationRecord } from '../../src/sandbox/world/records.ts';
import type { SandboxState } from '../../src/sandbox/sandbox.ts';
import { textOf } from '../scenarios/expected-state.ts';
import { logoTrouble, valuesTrouble } from './adornments.ts';
import type { Company } from './headquarters.ts';
import type { Others } from './others.ts';

export interface Expectation {
  readonly company: Company;
  readonly others: Others;
  readonly removedUnits: ReadonlySet<string>;
  /** Usernames that were there when all was as it should be the last time. */
  readonly seen: ReadonlySet<string>;
  /** Usernames of those whom the source calls active and left at once: they stay, as they were. */
  readonly undecided: ReadonlySet<string>;
  /** Who is missing in the source is deleted instead of locked. */
  readonly removes: boolean;
  /** The service stores blanks and dashes in its own way. */
  readonly normalizes: boolean;
  /** The service came back from a backup, and shows numbers masked: that one has gone back cannot be seen. */
  readonly hidesNumbers: boolean;
  /** What accounts have as properties can be seen: not where only their schemas can be read. */
  readonly seesProperties: boolean;
}

/** A record that is not as the source has it: right for as long as it is listed, by itself or by a unit of it. */
export interface Open {
  readonly text: string;
  /** Source ids of units. */
  readonly units: readonly string[];
  /** Username of a person. */
  readonly username?: string;
}

export interface Differences {
  /** No list excuses these. */
  readonly wrong: readonly string[];
  readonly open: readonly Open[];
}

/** Compares what the service holds with the source and with what others own, knowing nothing of rollcall's plan. */
export function differences(state: SandboxState, expected: Expectation): Differences {
  return {
    wrong: [...deleted(state, expected), ...expected.others.changed(), ...twice(state)],
    open: [...unitTroubles(state, expected), ...peopleTroubles(state, expected)],
  };
}

/** Where a service tells upper from lower case, users whose names differ in case alone are two people. */
function twice(state: SandboxState): readonly string[] {
  const serials = state.organizations().flatMap(({ serialNo }) => serialNo ?? []);
  const employees = state.employees().map(({ username }) => foldUsername(username));
  const users = state.users().map(({ username }) => username);
  return [serials, employees, users].flatMap((all) =>
    all.filter((one, index) => all.indexOf(one) !== index).map((one) => `${one} is there twice`),
  );
}

const openUnit = (id: string, text: string): Open => ({ text, units: [id] });

function unitTroubles(state: SandboxState, expected: Expectation): readonly Open[] {
  const nodes = state.organizations();
  const wanted = new Map(expected.company.units.map((one) => [one.id, one]));
  const bySerial = new Map(nodes.map((node) => [node.serialNo, node]));
  const lacking = [...wanted.keys()]
    .filter((id) => !bySerial.has(id))
    .map((id) => openUnit(id, `unit ${id} is missing`));
  return [...lacking, ...nodes.flatMap((node) => nodeTrouble(state, expected, { node, wanted }))];
}

interface NodeCase {
  readonly node: OrganizationRecord;
  readonly wanted: ReadonlyMap<string, Unit>;
}

function nodeTrouble(
  state: SandboxState,
  expected: Expectation,
  { node, wanted }: NodeCase,
): readonly Open[] {
  if (node.parentId === undefined || expected.others.organizations.has(node.id)) return [];
  const unit = wanted.get(node.serialNo ?? '');
  if (unit === undefined) return leftOver(state, expected, node);
  const parent = state.organization(node.parentId);
  const shown = [node.name, node.sn ?? '', parent?.parentId === undefined ? null : parent.serialNo];
  const name = textOf(unit.fields['name']);
  const stored = expected.normalizes ? name.replaceAll(/\s+/gu, ' ') : name;
  const should = [stored, textOf(unit.fields['sn']), unit.parent];
  // A unit that takes the place of another one is adopted: the logo that its node shows stays until the picture changes.
  const logo = /^s|r\d+$/u.test(unit.id) ? [] : logoTrouble(state, node, unit.fields);
  const texts =
    JSON.stringify(shown) === JSON.stringify(should)
      ? logo
      : [`unit ${unit.id} is ${JSON.stringify(shown)} instead of ${JSON.stringify(should)}`, ...logo];
  return texts.map((text) => openUnit(unit.id, text));
}

/** An old node may only wait for somebody who is in it: others, or accounts that are locked. */
function leftOver(
  state: SandboxState,
  { others, undecided, removedUnits }: Expectation,
  node: OrganizationRecord,
): readonly Open[] {
  const serialNo = node.serialNo ?? '';
  const left = serialBefore(node.id, serialNo);
  const isOld = left !== serialNo || removedUnits.has(serialNo);
  if (!isOld) return [openUnit(serialNo, `node ${node.name} #${serialNo} is nobody's`)];
  const nodes = new Set([node.id]);
  for (const id of nodes) for (const one of state.organizations()) if (one.parentId === id) nodes.add(one.id);
  const keepsNode = [...nodes].some((id) => others.organizations.has(id));
  const keepsPerson = state
    .employees()
    .some(
      ({ username, locked, positions }) =>
        (locked || others.employees.has(username) || undecided.has(foldUsername(username))) &&
        positions.some(({ orgId }) => nodes.has(orgId)),
    );
  return keepsNode || keepsPerson
    ? []
    : [openUnit(left, `old node ${node.name} #${serialNo} is empty and still there`)];
}

/** The number of the unit that has left a node: it is listed under that. */
const serialBefore = (nodeId: string, serialNo: string): string =>
  serialNo.endsWith(`~${nodeId}`) ? serialNo.slice(0, -nodeId.length - 1) : serialNo;

/** Accounts that nobody deleted but a run, of people who are in the source or have to be locked alone. */
function deleted(
  state: SandboxState,
  { company, others, seen: usernames, removes }: Expectation,
): readonly string[] {
  const wanted = new Set(company.people.map(({ username }) => foldUsername(username)));
  const here = new Set(state.employees().map(({ username }) => foldUsername(username)));
  return [...usernames]
    .filter((username) => !here.has(foldUsername(username)) && !others.deleted.has(username))
    .filter((username) => wanted.has(foldUsername(username)) || !removes)
    .map((username) => `${username} was deleted`);
}

function peopleTroubles(state: SandboxState, expected: Expectation): readonly Open[] {
  const { company, others } = expected;
  const wanted = new Map(company.people.map((one) => [foldUsername(one.username), one]));
  const here = new Set(state.employees().map(({ username }) => foldUsername(username)));
  const lacking = company.people
    .filter(({ username, active }) => active === true && !here.has(foldUsername(username)))
    .map((person) => openPerson(person.username, person, 'is missing'));
  const different = state
    .employees()
    .filter(({ username }) => !others.employees.has(username))
    .flatMap((employee) => {
      const person = wanted.get(foldUsername(employee.username));
      const texts = personTrouble(state, expected, { employee, person });
      return texts.map((text) => openPerson(employee.username, person, text));
    });
  return [...lacking, ...different];
}

function openPerson(username: string, person: Person | undefined, text: string): Open {
  const units = (person?.positions ?? []).flatMap(({ unit }) => unit ?? []);
  return { text: `${username} ${text}`, units, username };
}

interface PersonCase {
  readonly employee: EmployeeRecord;
  readonly person: Person | undefined;
}

function personTrouble(
  state: SandboxState,
  expected: Expectation,
  { employee, person }: PersonCase,
): readonly string[] {
  const { username, locked } = employee;
  if (person === undefined && expected.others.lockedBefore.has(username)) return [];
  const active = person?.active === true && !expected.others.locked.has(username);
  if (!active) return locked ? [] : ['should be locked'];
  if (locked) return ['is locked'];
  if (expected.undecided.has(foldUsername(person.username))) return [];
  const shown = shownText(state, expected, employee);
  const should = shouldText(person, expected);
  const values = valuesTrouble(employee, person.fields, expected.seesProperties);
  return shown === should ? values : [`is ${shown} instead of ${should}`, ...values];
}

const profileText = (employee: EmployeeRecord, name: string): string => {
  const value = employee.profile[name];
  return typeof value === 'string' ? value : '';
};

/** Without seats in nodes of others. */
function shownText(state: SandboxState, expected: Expectation, employee: EmployeeRecord): string {
  const ours = employee.positions.filter(({ orgId }) => !expected.others.organizations.has(orgId));
  const seats = ours.map(({ orgId, jobTitle, primary, chief }) =>
    [state.organization(orgId)?.serialNo ?? '(root)', jobTitle ?? '', primary, chief].join('|'),
  );
  const mobile = seen(expected, profileText(employee, 'mobile'));
  const fields = [employee.name, profileText(employee, 'email'), mobile];
  return [...fields, ...seats.toSorted()].join(' ');
}

function seatsOf({ positions }: Person): readonly string[] {
  return positions.map(({ unit, fields: { job_title: title, primary, chief } }) =>
    [unit ?? '(root)', textOf(title), primary === true, chief === true].join('|'),
  );
}

/** As far as anybody can see it. */
function seen({ hidesNumbers }: Expectation, mobile: string): string {
  return hidesNumbers ? `${mobile.slice(0, 3)}****${mobile.slice(-4)}` : mobile;
}

function shouldText(person: Person, expected: Expectation): string {
  const { normalizes } = expected;
  const { fields } = person;
  const [name, mobile] = [textOf(fields['name']), textOf(fields['mobile'])];
  const stored = normalizes
    ? [name.replaceAll(/\s+/gu, ' '), mobile.replaceAll(/[\s-]/gu, '')]
    : [name, mobile];
  const mobileSeen = seen(expected, stored[1] ?? '');
  return [stored[0], textOf(fields['email']), mobileSeen, ...seatsOf(person).toSorted()].join(' ');
}
