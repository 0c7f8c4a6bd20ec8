import type { Backend } from '../http/backend.ts';
import { shownBody, type CallLog, type SandboxCall } from '../http/call-log.ts';
import type {
  CallRow,
  MediaRow,
  MessageRow,
  Overview,
  Paged,
  PersonRow,
  ScheduleRow,
  UnitRow,
} from './wire.ts';
import type { EmployeeRecord, MediaRecord, PushRecord, ScheduleRecord } from '../world/records.ts';
import { isList, isObject, writeWire, type WireValue } from '../world/wire-value.ts';
import type { World } from '../world/world.ts';

/** What is looked at, and which part of it. */
interface Seen {
  readonly backend: Backend;
  readonly log: CallLog;
  /** Whether callbacks have an address. */
  readonly callback: boolean;
  readonly query: URLSearchParams;
}

/** Returns what is shown, as JSON; `undefined` where there is nothing. */
export type View = (seen: Seen) => object | undefined;

/** Recipients of a message that are named. */
const NAMED = 50;

/** What the page can look at, by the last part of its address. */
export const VIEWS: Readonly<Record<string, View>> = {
  overview,
  units,
  people,
  messages,
  medias,
  schedules,
  calls,
  call,
};

function overview({ backend, log, callback }: Seen): Overview {
  const { organizations, employees, pushes, medias: kept, schedules: planned } = backend.world;
  const { domainId, orgCode } = backend.identity;
  const counts = {
    units: organizations.size,
    people: employees.size,
    messages: pushes.size,
    medias: kept.size,
    schedules: planned.size,
    calls: Object.values(log.counts).reduce((sum, count) => sum + count, 0),
  };
  return { domainId, orgCode, counts, callback };
}

/** Shows the units below the one that is asked for; without one, the root. */
function units({ backend, query }: Seen): Paged<UnitRow> {
  const { organizations, employees } = backend.world;
  const above = query.get('of');
  const found = above === null ? [organizations.root] : organizations.childrenOf(above);
  return paged(found, pageOf(query), ({ id, name }) => {
    return { id, name, people: employees.everyone.total(id), folds: organizations.hasChildren(id) };
  });
}

function people({ backend: { world }, query }: Seen): Paged<PersonRow> {
  const wanted = (query.get('search') ?? '').trim().toLowerCase();
  const fits = ({ id, username, name }: EmployeeRecord): boolean =>
    [id, username, name].some((text) => text.toLowerCase().includes(wanted));
  const found = Array.from(world.employees.all()).filter(fits);
  return paged(found, pageOf(query), (employee) => personRow(world, employee));
}

function personRow(world: World, { id, username, name, locked, positions }: EmployeeRecord): PersonRow {
  const places = positions.map(({ orgId, jobTitle }) => {
    const path = world.organizations.namePath(orgId);
    return jobTitle === undefined ? path : `${path}: ${jobTitle}`;
  });
  return { id, username, name, locked, positions: places };
}

function messages({ backend: { world }, query }: Seen): Paged<MessageRow> {
  const newest = Array.from(world.pushes.all()).toReversed();
  return paged(newest, pageOf(query), (push) => messageRow(world, push));
}

function messageRow(world: World, { id, type, shown, refreshed, recipients, body }: PushRecord): MessageRow {
  const usernames = recipients.slice(0, NAMED).map((user) => world.users.get(user)?.username ?? user);
  const named = usernames.map((username) => ({ username, sentAs: username }));
  const [names, recipientCount] = [namedIn(body), recipients.length];
  return { id, type, shown, at: refreshed, recipientCount, recipients: named, names };
}

/** Returns "template_id 7", "media_id 8" of a message, wherever they stand. */
function namedIn(value: WireValue | undefined, name = ''): readonly string[] {
  if (isList(value)) return value.flatMap((one) => namedIn(one, name));
  if (isObject(value)) return Object.entries(value).flatMap(([key, one]) => namedIn(one, key));
  const named =
    /(?:template|media)_?id/iu.test(name) && (typeof value === 'string' || typeof value === 'bigint');
  return named ? [`${name} ${value}`] : [];
}

function medias({ backend: { world }, query }: Seen): Paged<MediaRow> {
  return paged(Array.from(world.medias.all()).toReversed(), pageOf(query), mediaRow);
}

function mediaRow({ id, name, type, size }: MediaRecord): MediaRow {
  return { id, name, type, size, picture: isPicture(type) };
}

function schedules({ backend: { world }, query }: Seen): Paged<ScheduleRow> {
  return paged(Array.from(world.schedules.all()).toReversed(), pageOf(query), scheduleRow);
}

function scheduleRow({ scheduleId, created, fields }: ScheduleRecord): ScheduleRow {
  return { id: scheduleId, at: created, fields: shownBody(writeWire(fields)) };
}

function calls({ log }: Seen): readonly CallRow[] {
  return log.latest.map((seen) => callRow(seen, log.bodies(seen.number)?.ms ?? null));
}

function callRow(
  { number, at, operation, method, path, http, status, fault }: SandboxCall,
  ms: number | null,
): CallRow {
  const said = [http, status === undefined ? undefined : `status ${status}`, fault];
  const outcome = said.filter((word) => word !== undefined).join(', ');
  return {
    number,
    at,
    operation,
    method,
    path,
    outcome: outcome || (ms === null ? 'under way' : 'no answer'),
    ms,
  };
}

function call({ log, query }: Seen): { readonly request: string; readonly answer: string } | undefined {
  const bodies = log.bodies(Number(query.get('number')));
  return bodies && { request: bodies.request, answer: bodies.answer };
}

/** Rows of one page. */
const ROWS = 50;

/** Returns the number of the page that is asked for. */
function pageOf(query: URLSearchParams): number {
  return Number(query.get('page') ?? '0');
}

/** Returns the rows of the page that is asked for; the last one where there are not so many. */
function paged<R, Row>(records: readonly R[], page: number, row: (record: R) => Row): Paged<Row> {
  const pages = Math.max(1, Math.ceil(records.length / ROWS));
  const shown = Math.min(Math.max(0, Number.isSafeInteger(page) ? page : 0), pages - 1);
  const rows = records.slice(shown * ROWS, (shown + 1) * ROWS).map(row);
  return { rows, total: records.length, page: shown, pages };
}

/** Pictures that a browser draws without running anything in them; SVG can hold a script. */
export function isPicture(type: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/iu.test(type);
}
