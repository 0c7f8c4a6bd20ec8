import { identifier, requiredField, requiredObject } from '../operation/body-fields.ts';
import { invalid, noSchedule, noUser } from '../operation/refused.ts';
import type { Operation, Service } from '../operation/service.ts';
import type { ScheduleRecord, UserRecord } from '../world/records.ts';
import { isList, isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';
import { dayOf } from './occurrences.ts';

/* Interface: Schedules. Days are those of UTC here: the document does not show a zone. */

export const createSchedule: Operation = (service, { body }) => {
  const fields = requiredObject(body);
  requireOrder(fields);
  requirePeople(service, fields);
  return shape(service, keep(service, { fields, excludes: [] }));
};

/** Modifies all of a schedule, or one day of it; `ops` is `update`. */
export const modifySchedule: Operation = (service, { params, body }) => {
  const schedule = scheduleOf(service, params['schedule_id'] ?? '');
  const given = requiredObject(body);
  if (requiredField(given, 'ops') !== 'update') throw invalid('ops is neither update nor delete');
  return update(service, schedule, given);
};

/** Deletes a schedule; `ops` is `delete`, which has led here. The result is not shown: null. */
export const deleteSchedule: Operation = (service, { params }) => {
  service.world.schedules.remove(scheduleOf(service, params['schedule_id'] ?? '').id);
  return null;
};

function update(service: Service, schedule: ScheduleRecord, given: WireObject): WireValue {
  const {
    ops: _ops,
    schedule_date: date,
    update_today_only: todayOnly = false,
    excludes,
    ...changes
  } = given;
  const fields = { ...schedule.fields, ...changes };
  requireOrder(fields);
  requirePeople(service, fields);
  const left = [...schedule.excludes, ...periodsOf(excludes)];
  if (todayOnly !== true) {
    const changed = service.world.schedules.put({
      ...schedule,
      fields,
      excludes: left,
      refreshed: service.now(),
    });
    return [shape(service, changed)];
  }
  const day = dayOf(timeOf({ date }, 'date'));
  const rest = [...left, { begin_date: day, end_date: day }];
  const old = service.world.schedules.put({ ...schedule, excludes: rest, refreshed: service.now() });
  const single = keep(service, { fields: { ...fields, repeat_type: 'none' }, excludes: [] });
  return [shape(service, old), shape(service, single)];
}

function keep(
  service: Service,
  { fields, excludes }: Pick<ScheduleRecord, 'fields' | 'excludes'>,
): ScheduleRecord {
  const created = service.now();
  const ids = { id: service.ids.take(), scheduleId: service.ids.take() };
  return service.world.schedules.put({ ...ids, fields, excludes, created, refreshed: created });
}

/** "{schedule_id}" is the id, the schedule_id, or either, as the reading says. */
function scheduleOf({ world, readings }: Service, id: string): ScheduleRecord {
  const byId = readings.scheduleIds === 'schedule_id' ? undefined : world.schedules.get(id);
  const byOther =
    readings.scheduleIds === 'id'
      ? undefined
      : Array.from(world.schedules.all()).find(({ scheduleId }) => scheduleId === id);
  const found = byId ?? byOther;
  if (found === undefined) throw noSchedule();
  return found;
}

function requireOrder(fields: WireObject): void {
  if (timeOf(fields, 'end_time') < timeOf(fields, 'begin_time'))
    throw invalid('end_time is before begin_time');
}

function timeOf(fields: WireObject, name: string): number {
  const time = Number(identifier(fields[name]) ?? Number.NaN);
  if (!Number.isSafeInteger(time)) throw invalid(`${name} is no time in milliseconds`);
  return time;
}

function requirePeople(service: Service, fields: WireObject): void {
  const { attendees, attendees_with_status: withStatus, owner } = fields;
  const both = isList(attendees) && attendees.length > 0 && isList(withStatus) && withStatus.length > 0;
  if (both && service.readings.attendeeLists === 'one') {
    throw invalid('attendees and attendees_with_status are both given');
  }
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
  if (user === undefined) throw noUser();
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
    begin_time: timeOfDay(begin),
    end_time: timeOfDay(end),
    span_days: Math.floor((end - begin) / 86_400_000),
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
