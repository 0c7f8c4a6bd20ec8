import type { Json, JsonObject } from '../../interface/json.ts';
import { SCHEDULE, type SCHEDULES } from '../../interface/operations/schedules.ts';
import { asRow, invalid, Refused, wireOf, type Request, type Service, type Work } from './operation.ts';
import type { ScheduleRecord, UserRecord } from '../world/records.ts';

type Created = Request<'createSchedule'>['body'];

/** Interface: Schedules. Days are those of UTC here: the document does not show a zone. */
export const scheduleWork: Work<keyof typeof SCHEDULES> = {
  createSchedule: (service, { body }) => {
    requireOrder(body);
    requirePeople(service, body);
    return shown(service, add(service, body));
  },
  // Modifies all of a schedule, or takes one day out of it and makes a schedule of its own of that.
  modifySchedule: (service, { params, body }) => {
    const schedule = own(service, params.schedule_id);
    const { ops: _, schedule_date: date, update_today_only: todayOnly, excludes, ...changes } = body;
    const fields = { ...withoutOtherList(schedule.fields, changes), ...changes } as Created;
    requireOrder(fields);
    requirePeople(service, fields);
    const excluded = [...schedule.excludes, ...(excludes ?? [])];
    if (todayOnly !== true) return [shown(service, change(service, { ...schedule, fields }, excluded))];
    const day = dayOf(timeOf({ schedule_date: date }, 'schedule_date'));
    const rest = change(service, schedule, [...excluded, { begin_date: day, end_date: day }]);
    return [shown(service, rest), shown(service, add(service, { ...fields, repeat_type: 'none' }))];
  },
  deleteSchedule: (service, { params }) => {
    service.world.schedules.remove(own(service, params.schedule_id).id);
    return null;
  },
};

/** Attendees stand in one of two lists: what is given takes the place of both. */
function withoutOtherList(fields: JsonObject, changes: JsonObject): JsonObject {
  const { attendees: _names, attendees_with_status: _statuses, ...rest } = fields;
  return changes['attendees'] === undefined && changes['attendees_with_status'] === undefined ? fields : rest;
}

function change(service: Service, schedule: ScheduleRecord, excludes: readonly JsonObject[]): ScheduleRecord {
  const days = excludes.map((one) => ({
    begin_date: Number(one['begin_date']),
    end_date: Number(one['end_date']),
  }));
  const byDays = new Map(days.map((one) => [`${one.begin_date}-${one.end_date}`, one]));
  const changed = { ...schedule, excludes: [...byDays.values()], refreshed: service.now() };
  return service.world.schedules.put(changed);
}

function add({ world, newId, applicationId, now }: Service, fields: Created): ScheduleRecord {
  const created = now();
  const ids = { id: newId(), scheduleId: newId(), applicationId };
  return world.schedules.put({ ...ids, fields, excludes: [], created, refreshed: created });
}

/** Returns one of the application's own schedules, by its id or its schedule_id. */
function own({ world, applicationId }: Service, id: string): ScheduleRecord {
  const found =
    world.schedules.get(id) ?? Array.from(world.schedules.all()).find(({ scheduleId }) => scheduleId === id);
  if (found?.applicationId !== applicationId) throw new Refused('missing', 'no matching schedule');
  return found;
}

function requireOrder(fields: Created): void {
  const begin = timeOf(fields, 'begin_time');
  if (timeOf(fields, 'end_time') < begin) throw invalid('end_time is before begin_time');
  if ((fields.repeat_end_date ?? null) !== null && timeOf(fields, 'repeat_end_date') < begin)
    throw invalid('repeat_end_date is before begin_time');
}

/** "13 digits" (interface: Conventions, 5). */
const TIMES_END = 10_000_000_000_000;

function timeOf(fields: JsonObject, name: string): number {
  const time = Number(fields[name]);
  if (time < 0 || time >= TIMES_END) throw invalid(`${name} is no time in milliseconds of at most 13 digits`);
  return time;
}

function requirePeople(service: Service, fields: Created): void {
  for (const name of [fields.owner, ...attendeesOf(fields)]) userNamed(service, name);
}

function attendeesOf({ attendees, attendees_with_status: withStatus }: Created): readonly string[] {
  return [...(attendees ?? []), ...(withStatus ?? []).map(({ username }) => username as string)];
}

function userNamed({ world }: Service, username: string): UserRecord {
  const user = world.users.byUsername(username);
  if (user === undefined) throw new Refused('missing', 'no matching user');
  return user;
}

function shown(service: Service, schedule: ScheduleRecord): Json {
  const { fields, created, refreshed } = schedule;
  const { full_time: isWhole, owner, ...rest } = fields as Created;
  const { id: userId, username, name } = userNamed(service, owner);
  const who = { domain_id: service.domainId, user_id: userId, name };
  const [begin, end] = [timeOf(fields, 'begin_time'), timeOf(fields, 'end_time')];
  const values = {
    ...UNSET,
    ...rest,
    ...wireOf(service, schedule),
    ...who,
    calendar_id: `calendar-${userId}`,
    owner: { ...who, username },
    creator: who,
    username,
    full_time: isWhole,
    begin_time: isWhole ? 0 : timeOfDay(begin),
    end_time: isWhole ? 2359 : timeOfDay(end),
    span_days: Math.floor(end / DAY_MS) - Math.floor(begin / DAY_MS),
    begin_date: dayOf(begin),
    end_date: dayOf(end),
    attendees: attendeesOf(fields as Created),
    create_time: created,
    modify_time: refreshed,
  };
  return asRow(values, SCHEDULE);
}

const UNSET = {
  description: '',
  location: '',
  attachments: [],
  schedule_role: 'owner',
  status: 'all_accepted',
  accepted_date: -1,
  disabled: false,
};

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
