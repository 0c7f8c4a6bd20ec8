import type { PersonEntry, UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Failure } from '../../domain/ports/ledger/troubles.ts';
import type { ReadBackAccount } from '../../domain/ports/ledger/view.ts';
import type { Employee, Employees, Organization } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { answersAhead } from '../../lib/ahead.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { sameValue } from '../../plan/values/compare.ts';
import { Patience } from '../ask/look-again.ts';
import { countFailed, failureOf } from '../calls/call-item.ts';
import { oldPositions, rewriteOf, stillThere, takeAwayOldPositions } from '../calls/old-positions.ts';
import { shownOtherwise } from '../calls/person-body.ts';
import { importedPeople } from '../calls/steps.ts';
import { lookAt, merged, readPeopleBack, writtenPeople, type SeenPage } from './look-at-people.ts';
import { readBack as readNodesBack } from '../ask/read-nodes.ts';
import { checkpoint, type SendingRun } from '../state/world.ts';

const PAGES_AHEAD = 2;

/**
 * Reads back what was written and not seen since (promise 9). What the service shows becomes what is
 * accepted: a value that it stores differently is noted and not set again. A later difference counts as an
 * edit.
 *
 * @param since service clock, ms: before the first write of this run
 */
export async function verify(run: SendingRun, since: number): Promise<void> {
  await verifyUnits(run, since);
  await verifyPeople(run);
}

async function verifyUnits(run: SendingRun, since: number): Promise<void> {
  const inDoubt = unitsInDoubt(run);
  const written = new Map<string, UnitEntry>();
  for (const entry of run.ledger.units.all()) {
    const { id, state, orgId, accepted } = entry;
    if (state !== 'managed' || orgId === null || accepted !== null || inDoubt.has(id)) continue;
    written.set(orgId, entry);
  }
  if (written.size === 0) return;
  const before = new Map(run.ledger.view.organizations().map((node) => [node.id, node]));
  const isStoredSo = (node: Organization): boolean =>
    storedOtherwise(run, written.get(node.id), node).length === 0;
  const nodes = await readNodesBack(run, [...written.keys()], {
    since,
    isAsSent: isStoredSo,
    signal: run.stop,
  });
  for (const node of nodes.values()) {
    const entry = written.get(node.id);
    if (entry === undefined) continue;
    const { id } = entry;
    const other = storedOtherwise(run, entry, node);
    if (isNodeAsBefore(run, entry, { node, before: before.get(node.id), other })) {
      fail(run, { subject: 'unit', id, label: node.name, reason: NODE_AS_BEFORE });
      continue;
    }
    if (other.length > 0) note(run, { subject: 'unit', id, fields: other });
    run.ledger.transaction(() => {
      run.ledger.view.saveOrganizations([node], false);
      run.ledger.units.note({ is: 'accepted', unit: id, fields: node.fields });
    });
  }
}

interface NodeShown {
  readonly node: Organization;
  /** As it was shown before the first write of this run. */
  readonly before: Organization | undefined;
  /** Fields that are shown otherwise than sent. */
  readonly other: readonly string[];
}

/**
 * Returns whether an update has changed nothing of what a node shows, as `isAsBefore` does for an account. The next run
 * writes a unit in doubt whole, and plans no field: then the service has its own way to keep what was sent.
 */
function isNodeAsBefore(
  { ledger }: SendingRun,
  { id }: UnitEntry,
  { node, before, other }: NodeShown,
): boolean {
  if (other.length === 0) return false;
  if (before === undefined || JSON.stringify(before.fields) !== JSON.stringify(node.fields)) return false;
  return ledger.plan.updatedFields({ subject: 'unit', id }).some((field) => other.includes(field));
}

const NODE_AS_BEFORE = 'was changed, but is shown exactly as before: it is changed once more';

/** Returns the fields that a node shows with another value than was sent. */
function storedOtherwise(
  { logos }: SendingRun,
  entry: UnitEntry | undefined,
  { fields }: Organization,
): readonly string[] {
  const sent = logos.withMediaId(entry?.sent.fields ?? {});
  return Object.keys(sent).filter((name) => name in fields && !sameValue(sent[name], fields[name]));
}

/**
 * Returns the units whose last write may not have been done. What they show is no answer to it: the next run writes
 * them again.
 */
function unitsInDoubt(run: SendingRun): ReadonlySet<string> {
  const failures = run.ledger.troubles.failures();
  const units = failures.filter(({ subject, kind }) => subject === 'unit' && kind === 'doubt');
  return new Set(units.map(({ id }) => id));
}

async function verifyPeople(run: SendingRun): Promise<void> {
  run.progress.start('verify', importedPeople(run));
  const patience = new Patience();
  const patienceAfter = new Patience();
  const left = leftAlone(run);
  const look = async (entries: readonly PersonEntry[]) => {
    const asOf = patience.waits;
    return { asOf, first: await lookAt(run, entries) };
  };
  // The service answers for the next ones while these are compared and put down.
  for await (const { question: entries, answer } of answersAhead(writtenPeople(run), look, PAGES_AHEAD)) {
    checkpoint(run.stop);
    const seen = await readPeopleBack(run, { entries, ...answer, patience });
    const done = await withoutOldPositions(run, { entries, ...seen, patience: patienceAfter, left });
    accept(run, done, left);
    run.progress.advance(entries.length);
  }
}

/**
 * Returns the people who are listed as blocked or waiting. Nothing is sent to them in this run, not even if an
 * earlier write is not read back.
 */
function leftAlone(run: SendingRun): ReadonlySet<string> {
  return new Set(run.ledger.plan.blockedPeople());
}

interface ReadBack extends SeenPage {
  readonly entries: readonly PersonEntry[];
}

interface Unfinished extends ReadBack {
  readonly patience: Patience;
  readonly left: ReadonlySet<string>;
}

/**
 * Takes old positions away, once in a run for each person, and looks for these people again. If it failed, that is
 * recorded already, and the person is left out of the result.
 */
async function withoutOldPositions(
  run: SendingRun,
  { entries, answer, open, patience, left }: Unfinished,
): Promise<ReadBack> {
  const { found } = answer;
  const stale = entries
    .filter(({ id }) => !left.has(id))
    .filter((entry) => hasOldPositions(run, entry, found.get(entry.username)));
  if (stale.length === 0) return { entries, answer, open };
  const failed = new Set<string>();
  await inParallel(stale, run.limits.concurrency, async (entry) => {
    const employee = found.get(entry.username);
    if (employee === undefined || (await takeAwayOldPositions(run, entry, employee))) return;
    failed.add(entry.id);
  });
  const sent = stale.filter(({ id }) => !failed.has(id));
  const kept = entries.filter(({ id }) => !failed.has(id));
  if (sent.length === 0) return { entries: kept, answer, open };
  const asOf = patience.waits;
  const again = await readPeopleBack(run, { entries: sent, asOf, first: await lookAt(run, sent), patience });
  const isSent = new Set(sent);
  const others = open.filter((entry) => !isSent.has(entry));
  return { entries: kept, answer: merged(answer, again.answer), open: [...others, ...again.open] };
}

function hasOldPositions(run: SendingRun, entry: PersonEntry, employee: Employee | undefined): boolean {
  return employee?.locked === false && oldPositions(run, entry, employee).length > 0;
}

function accept(run: SendingRun, seen: ReadBack, left: Unfinished['left']): void {
  const { entries, answer } = seen;
  const open = new Set(seen.open);
  const judged = entries.map((entry) => judge(run, entry, { isOpen: open.has(entry), ...answer }));
  const accounts = judged.filter((one) => typeof one !== 'string');
  // These are saved as they are accepted.
  const asSpelled = new Set(accounts.map(({ employee }) => employee.username));
  const found = new Map([...answer.found].filter(([username]) => !asSpelled.has(username)));
  const asked = entries.map(({ username }) => username).filter((username) => !asSpelled.has(username));
  run.ledger.transaction(() => {
    run.ledger.view.saveEmployees(asked, { ...answer, found });
    run.ledger.view.accept(accounts);
    const unseen = entries.filter(({ username }) => !answer.found.has(username));
    run.ledger.history.unseen(unseen.map(({ id }) => id));
    entries.forEach((entry, index) => {
      const trouble = judged[index];
      if (typeof trouble === 'string' && !left.has(entry.id))
        fail(run, failureOf(rewriteOf(entry, null), trouble));
    });
  });
}

interface Judged extends Employees {
  /** Whether the person is not shown as sent. */
  readonly isOpen: boolean;
}

/** Returns the account that can be accepted, or why what is shown cannot be. */
function judge(
  run: SendingRun,
  entry: PersonEntry,
  { found, unclear, isOpen }: Judged,
): ReadBackAccount | string {
  const employee = found.get(entry.username);
  if (employee === undefined) {
    const why = unclear.get(entry.username);
    return `was imported, but the employees list does not have it${why === undefined ? '' : `: ${why}`}`;
  }
  const old = oldPositions(run, entry, employee);
  if (old.length > 0) return stillThere(old);
  const other = isOpen ? shownOtherwise(run, entry.sent, employee).map(({ field }) => field) : [];
  if (other.length > 0 && isAsBefore(run, entry, { employee, other })) return AS_BEFORE;
  if (other.length > 0)
    note(run, { subject: 'person', id: entry.id, username: entry.username, fields: other });
  return { id: entry.id, employee };
}

const AS_BEFORE = 'was imported, but is shown exactly as before: it is imported once more';

interface ShownOtherwise {
  readonly employee: Employee;
  /** Fields that are shown otherwise than sent. */
  readonly other: readonly string[];
}

/**
 * Returns whether an update has changed nothing of what is shown, although one of the fields that it changes is not shown
 * as sent: it was not done, or shows later. After a second one the service has its own way to keep what was sent.
 */
function isAsBefore(
  { ledger }: SendingRun,
  { id, username }: PersonEntry,
  { employee, other }: ShownOtherwise,
): boolean {
  const before = ledger.view.employee(username);
  if (before?.id !== employee.id || JSON.stringify(before.shown) !== JSON.stringify(shownOf(employee)))
    return false;
  const record = { subject: 'person', id } as const;
  const isChanged = ledger.plan.updatedFields(record).some((field) => other.includes(field));
  return isChanged && ledger.troubles.reasonOf(record) !== AS_BEFORE;
}

/** Records that a write is not shown: the record is written again, or compared anew, by the next run. */
function fail(run: SendingRun, failure: Failure): void {
  run.ledger.troubles.failed([failure]);
  countFailed(run, failure);
}

interface Note {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  readonly username?: string;
  readonly fields: readonly string[];
}

function note(run: SendingRun, fields: Note): void {
  run.log.note('debug', 'stored differently from what was sent; accepted', { ...fields });
}
