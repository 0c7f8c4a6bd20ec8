import { invalid, noMatching, type Operation, type Service } from './operation.ts';
import { identifier, requiredField, requiredObject } from './request-parts.ts';
import type { ScheduleRecord, UserRecord } from '../world/records.ts';
import { isList, isObject, type WireObject, type WireValue } from '../world/wire-value.ts';

/* Interface: Schedules. Days are those of UTC here: the document does not show a zone. */

/** "13 digits" (interface: Conventions, 5). */
const TIMES_END = 10_000_000_000_000;

export const createSchedule: Operation = (service, { body }) => {
  const fields = requiredObject(body);
  requireOrder(fields);
  requirePeople(service, fields);
  return shape(service, keep(service, { fields, excludes: [] }));
};

/** Modifies all of a schedule, or one day of it; `ops` is `update`. */
export const modifySchedule: Operation = (service, { params, body }) => {
  const schedule = scheduleOf(service, params['schedule_id'] ?? '');
  const fields = requiredObject(body);
  if (requiredField(fields, 'ops') !== 'update') throw invalid('ops is neither update nor delete');
  return update(service, schedule, fields);
};

/** Deletes a schedule; `ops` is `delete`, which has led here. The result is not shown: null. */
export const deleteSchedule: Operation = (service, { params }) => {
  service.world.schedules.remove(scheduleOf(service, params['schedule_id'] ?? '').id);
  return null;
};

function update(service: Service, schedule: ScheduleRecord, input: WireObject): WireValue {
  const { ops: _ops, schedule_date: date, update_today_only: todayOnly, excludes, ...changes } = input;
  requirePeople(service, changes);
  const fields = { ...withoutOtherList(schedule.fields, changes), ...changes };
  requireOrder(fields);
  requirePeople(service, { owner: fields['owner'] });
  const excluded = [...schedule.excludes, ...periodsOf(excludes)];
  if (todayOnly === true) return splitOff(service, { ...schedule, excludes: excluded }, { date, fields });
  return [shape(service, change(service, { ...schedule, fields, excludes: excluded }))];
}

/** Takes one day out of a schedule, and makes a schedule of its own of it ("update_today_only"). */
function splitOff(
  service: Service,
  schedule: ScheduleRecord,
  { date, fields }: { readonly date: WireValue | undefined; readonly fields: WireObject },
): WireValue {
  const day = dayOf(timeOf({ schedule_date: date }, 'schedule_date'));
  const excludes = [...schedule.excludes, { begin_date: day, end_date: day }];
  const old = change(service, { ...schedule, excludes });
  const single = keep(service, { fields: { ...fields, repeat_type: 'none' }, excludes: [] });
  return [shape(service, old), shape(service, single)];
}

/** Attendees stand in one of two lists: what is given takes the place of both. */
function withoutOtherList(fields: WireObject, changes: WireObject): WireObject {
  const { attendees: _names, attendees_with_status: _statuses, ...rest } = fields;
  const given = changes['attendees'] !== undefined || changes['attendees_with_status'] !== undefined;
  return given ? rest : fields;
}

function change(service: Service, schedule: ScheduleRecord): ScheduleRecord {
  const byDays = new Map(schedule.excludes.map((one) => [`${one.begin_date}-${one.end_date}`, one]));
  return service.world.schedules.put({
    ...schedule,
    excludes: [...byDays.values()],
    refreshed: service.now(),
  });
}

function keep(
  service: Service,
  { fields, excludes }: Pick<ScheduleRecord, 'fields' | 'excludes'>,
): ScheduleRecord {
  const created = service.now();
  const { applicationId } = service;
  const ids = { id: service.ids.take(), scheduleId: service.ids.take(), applicationId };
  return service.world.schedules.put({ ...ids, fields, excludes, created, refreshed: created });
}

/** Returns one of the application's own schedules, by its id or its schedule_id. */
function scheduleOf({ world, applicationId }: Service, id: string): ScheduleRecord {
  const found =
    world.schedules.get(id) ?? Array.from(world.schedules.all()).find(({ scheduleId }) => scheduleId === id);
  if (found?.applicationId !== applicationId) throw noMatching('schedule');
  return found;
}

function requireOrder(fields: WireObject): void {
  if (timeOf(fields, 'end_time') < timeOf(fields, 'begin_time'))
    throw invalid('end_time is before begin_time');
  const ends = fields['repeat_end_date'] ?? null;
  if (ends !== null && timeOf(fields, 'repeat_end_date') < timeOf(fields, 'begin_time'))
    throw invalid('repeat_end_date is before begin_time');
}

function timeOf(fields: WireObject, name: string): number {
  const time = Number(identifier(fields[name]) ?? Number.NaN);
  if (!Number.isInteger(time) || time < 0 || time >= TIMES_END) {
    throw invalid(`${name} is no time in milliseconds of at most 13 digits`);
  }
  return time;
}

function requirePeople(service: Service, fields: WireObject): void {
  const { attendees, attendees_with_status: withStatus, owner } = fields;
  const both = isList(attendees) && attendees.length > 0 && isList(withStatus) && withStatus.length > 0;
  if (both) throw invalid('attendees and attendees_with_status are both given');
  if (typeof owner === 'string') userNamed(service, owner);
  for (const name of namesOf(fields)) userNamed(service, name);
}

function namesOf({ attendees, attendees_with_status: withStatus }: WireObject): readonly string[] {
  const plain = isList(attendees) ? attendees : [];
  const named = isList(withStatus)
    ? withStatus.map((one) => (isObject(one) ? one['username'] : undefined))
    : [];
  return [...plain, ...named].filter((name) => typeof name === 'string');
}

function userNamed({ world }: Service, username: string): UserRecord {
  const user = world.users.byUsername(username);
  if (user === undefined) throw noMatching('user');
  return user;
}

function periodsOf(list: WireValue | undefined): ScheduleRecord['excludes'] {
  return (isList(list) ? list : []).filter(isObject).map((period) => {
    const [begin, end] = [period['begin_date'], period['end_date']];
    return { begin_date: Number(begin), end_date: Number(end) };
  });
}

function shape(
  service: Service,
  { id, scheduleId, fields, excludes, created, refreshed }: ScheduleRecord,
): WireObject {
  const owner = userNamed(service, requiredField(fields, 'owner'));
  const who = { domain_id: service.domainId, user_id: owner.id, name: owner.name };
  const [begin, end] = [timeOf(fields, 'begin_time'), timeOf(fields, 'end_time')];
  return {
    id,
    calendar_id: `calendar-${owner.id}`,
    schedule_id: scheduleId,
    schedule_role: 'owner',
    owner: { ...who, username: owner.username },
    creator: who,
    ...who,
    username: owner.username,
    status: 'all_accepted',
    accepted_date: -1,
    full_time: fields['full_time'] ?? false,
    summary: fields['summary'] ?? '',
    description: fields['description'] ?? '',
    location: fields['location'] ?? '',
    repeat_type: fields['repeat_type'] ?? 'none',
    begin_time: fields['full_time'] === true ? 0 : timeOfDay(begin),
    end_time: fields['full_time'] === true ? 2359 : timeOfDay(end),
    span_days: Math.floor(end / DAY_MS) - Math.floor(begin / DAY_MS),
    begin_date: dayOf(begin),
    end_date: dayOf(end),
    excludes,
    reminder: fields['reminder'] ?? null,
    attachments: fields['attachments'] ?? [],
    attendees: namesOf(fields),
    disabled: false,
    create_time: created,
    modify_time: refreshed,
  };
}

/** Hours and minutes as hhmm: "time-of-day style values in the sample". */
function timeOfDay(time: number): number {
  const date = new Date(time);
  return date.getUTCHours() * 100 + date.getUTCMinutes();
}

const DAY_MS = 86_400_000;

/** Returns the day of a time in UTC as yyyyMMdd: the interface does not show a zone. */
function dayOf(time: number): number {
  return Number(new Date(time).toISOString().slice(0, 10).replaceAll('-', ''));
}
