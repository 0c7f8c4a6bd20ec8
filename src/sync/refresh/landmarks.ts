import type { PersonEntry, UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employee, Employees, Organization } from '../../domain/ports/service.ts';
import { shownOf, type Shown } from '../../domain/ports/shown.ts';
import { digest } from '../../lib/digest.ts';
import { changedShown } from '../../plan/values/compare-shown.ts';
import { withHidden } from './find-hidden.ts';
import { readOne } from '../ask/read-nodes.ts';
import type { Run } from '../state/world.ts';

/** How many of each kind are asked for: accounts in one question together, with usernames of a usual length. */
const LATEST = { changed: 20, known: 10, disabled: 50, units: 2 } as const;
/** How many accounts are asked for by id: a list that never shows a lock would cost a call for each. */
const ASKED_BY_ID = 5;

interface Lost {
  readonly reason: string;
  /** Digest of the record and of what it shows: the same for a record that shows the same again. */
  readonly about: string;
}

/** Why a run looks at everything, and which records made it doubt. */
export interface Doubt {
  readonly reason: string;
  readonly about: readonly string[];
}

/**
 * Looks at the records that rollcall changed last. Returns a doubt if one of them differs from what rollcall
 * sent, though the service reports no change; else `null`. Such a service was restored from a backup, or does
 * not report edits. A restore takes back the latest changes too, even if others edit after it. If a record
 * looks the same after the full look that was made for it, this service shows it so. Such records alone cause
 * no further doubt, until they have been seen as rollcall sent them.
 */
export async function lostLandmarks(run: Run): Promise<Doubt | null> {
  const { people, units } = run.ledger.people.landmarks(LATEST);
  const lost = await lostAccounts(run, people);
  if (lost.length === 0) lost.push(...(await lostNodes(run, units)));
  const doubted = run.ledger.fact('doubted') ?? [];
  const fresh = lost.find(({ about }) => !doubted.includes(about));
  const about = lost.map((one) => one.about);
  if (fresh !== undefined) return { reason: fresh.reason, about };
  if (doubted.length > 0) run.ledger.setFacts({ doubted: doubted.filter((one) => about.includes(one)) });
  return null;
}

function lostOf(name: string, how: string, shown: Shown | Organization | null): Lost {
  const reason = `${name} ${how}, and is not reported as changed`;
  return { reason, about: digest(JSON.stringify([reason, shown])) };
}

async function lostAccounts(run: Run, people: readonly PersonEntry[]): Promise<Lost[]> {
  const entries = people.slice(0, mostNames(run));
  if (entries.length === 0) return [];
  run.service.suppose(run.ledger.view.likelyEmployees(1));
  const usernames = entries.map(({ username }) => username);
  const listed = await run.service.employees(usernames, run.stop);
  const others = entries.filter((entry) => otherwise(run, entry, listed) !== null);
  const open = others.filter((entry) => needsOwnWord(run, entry, listed));
  const certain = others.filter((entry) => !open.includes(entry));
  return certain.length > 0
    ? certain.map((entry) => lostAccount(run, entry, listed))
    : lostByOwnWord(run, open, listed);
}

function mostNames({ limits, service }: Run): number {
  const most = Math.min(limits.namesPerQuery, service.listLimits().namesPerQuery ?? Infinity);
  return Math.max(1, most - 1);
}

/**
 * Returns whether the account has to be asked for by id: it is not in the list, or shown there as active although it
 * was locked. There are lists that do either with locked accounts.
 */
function needsOwnWord({ ledger }: Run, { username }: PersonEntry, { found }: Employees): boolean {
  const before = ledger.view.employee(username);
  const now = found.get(username);
  return now === undefined || (before?.id === now.id && before.locked && !now.locked);
}

async function lostByOwnWord(run: Run, open: readonly PersonEntry[], listed: Employees): Promise<Lost[]> {
  const isListed = ({ username }: PersonEntry): boolean => listed.found.has(username);
  const asked = [open.filter(isListed), open.filter((entry) => !isListed(entry))].flatMap((some) =>
    some.slice(0, ASKED_BY_ID),
  );
  if (asked.length === 0) return [];
  const usernames = asked.map(({ username }) => username);
  const answer = await withHidden(run, usernames, listed);
  const lost = asked.filter((entry) => otherwise(run, entry, answer) !== null);
  return lost.map((entry) => lostAccount(run, entry, answer));
}

function lostAccount(run: Run, entry: PersonEntry, answer: Employees): Lost {
  const now = answer.found.get(entry.username);
  const how = otherwise(run, entry, answer) ?? 'is another one';
  return lostOf(`the account ${entry.username}`, how, now === undefined ? null : shownOf(now));
}

/** Returns how the answer shows the account otherwise than last seen, in what is ours; `null` if it does not. */
function otherwise(run: Run, entry: PersonEntry, { found, unclear }: Employees): string | null {
  const { username } = entry;
  if (unclear.has(username)) return null;
  const before = run.ledger.view.employee(username);
  const now = found.get(username);
  if (before === null) return now === undefined ? null : 'is there again';
  // A locked account may be left out of the list; one that a restore has unlocked is listed.
  if (now === undefined) return before.locked ? null : 'is gone';
  if (before.id !== now.id) return 'is another one';
  if (before.locked !== now.locked) return now.locked ? 'is locked' : 'is active again';
  if (entry.state !== 'managed') return null;
  const fields = editedOf(entry, before.shown, now);
  return fields.length === 0 ? null : `shows other values (${fields.join(', ')})`;
}

/** Returns the mapped fields that were edited. Other fields may be edited by anyone. */
function editedOf({ sent }: PersonEntry, before: Shown, now: Employee): readonly string[] {
  const mapped: Shown = { fields: sent.fields, positions: before.positions };
  return changedShown(before, shownOf(now), mapped).map(({ field }) => field);
}

async function lostNodes(run: Run, changed: readonly string[]): Promise<readonly Lost[]> {
  const { units, view } = run.ledger;
  const entries = units.all().filter(({ id }) => changed.includes(id));
  const nodes = new Map(view.organizations().map((node) => [node.id, node]));
  const lost: Lost[] = [];
  for (const entry of entries) lost.push(...(await lostNode(run, entry, nodes)));
  return lost;
}

async function lostNode(
  run: Run,
  { orgId, serialNo }: UnitEntry,
  nodes: ReadonlyMap<string, Organization>,
): Promise<readonly Lost[]> {
  if (orgId === null) return [];
  const before = nodes.get(orgId) ?? null;
  const now = await readOne(
    run,
    () => run.service.organization(orgId, run.stop),
    () => before,
  );
  const how = nodeOtherwise(before, now?.disabled === true ? null : now);
  return how === null ? [] : [lostOf(`the organization ${serialNo}`, how, now)];
}

function nodeOtherwise(before: Organization | null, now: Organization | null): string | null {
  if (before === null) return now === null ? null : 'is there again';
  if (now === null) return 'is gone';
  const fields = (['name', 'parentId', 'serialNo'] as const).filter((field) => before[field] !== now[field]);
  return fields.length === 0 ? null : `shows other values (${fields.join(', ')})`;
}
