import { day, flag, integer, json, list, record, text, time } from '../field.ts';
import { CHANGES_OTHER, jsonOf, NOT_SHOWN, type Operation } from '../operation.ts';

/** Interface: DatePeriod. */
export const DATE_PERIOD = record({ begin_date: day({ required: true }), end_date: day({ required: true }) });

const REMINDER = record(
  { remind: flag({ required: true }), remind_before_seconds: integer({ required: true }) },
  { required: true },
);

/** Interface: Schedule (user schedule record). */
export const SCHEDULE = record({
  id: text(),
  calendar_id: text(),
  schedule_id: text(),
  schedule_role: text(),
  owner: record({ domain_id: text(), user_id: text(), username: text(), name: text() }),
  creator: record({ domain_id: text(), user_id: text(), name: text() }),
  domain_id: text(),
  user_id: text(),
  username: text(),
  name: text(),
  status: text(),
  accepted_date: integer(),
  full_time: flag(),
  summary: text(),
  description: text(),
  location: text(),
  repeat_type: text(),
  begin_time: integer(),
  end_time: integer(),
  span_days: integer(),
  begin_date: day(),
  end_date: day(),
  excludes: list(DATE_PERIOD),
  reminder: record({ remind: flag(), remind_before_seconds: integer() }),
  attachments: list(json()),
  attendees: list(json()),
  disabled: flag(),
  create_time: time(),
  modify_time: time(),
});

const AT = { section: 'Schedules' } as const;
const ALL = '/v1/apps/schedules';
const SCHEDULE_PATH = `${ALL}/{schedule_id}` as const;
const TRAITS = { ...CHANGES_OTHER, identity: 'application' } as const;
const WHICH_ID = 'which of `id` and `schedule_id` of the answer names it here: either is taken';

const COMMON = {
  summary: text({ required: true }),
  description: text(),
  location: text(),
  repeat_type: text({ required: true, values: ['none', 'daily', 'weekly', 'monthly', 'yearly', 'workday'] }),
  full_time: flag({ required: true }),
  begin_time: time({ required: true }),
  end_time: time({ required: true }),
  reminder: REMINDER,
  attendees: list(text()),
  attendees_with_status: list(
    record({
      username: text({ required: true }),
      status: text({ required: true, values: ['init', 'accepted', 'pending'] }),
    }),
  ),
  attachments: list(
    record({
      media_id: text({ required: true }),
      name: text({ required: true }),
      file_type: text({ required: true }),
      size: integer({ type: 'Long', required: true }),
      thumbnail: text(),
    }),
  ),
  attendee_notice: flag({ default: true }),
  repeat_end_date: time(),
  jump_url: text(),
} as const;

export const SCHEDULES = {
  createSchedule: {
    ...AT,
    title: 'Create',
    method: 'POST',
    path: ALL,
    query: {},
    body: jsonOf(
      record({
        ...COMMON,
        owner: text({ required: true }),
        source: text({ required: true }),
        source_id: text({ required: true }),
        source_uid: text({ required: true }),
      }),
    ),
    answer: jsonOf(SCHEDULE),
    ...TRAITS,
    open: ['the zone of a day: times are sent as milliseconds, which have none', WHICH_ID],
  },
  modifySchedule: {
    ...AT,
    title: 'Modify',
    method: 'POST',
    path: SCHEDULE_PATH,
    query: {},
    body: jsonOf(
      record({
        ops: text({ required: true, values: ['update'] }),
        ...COMMON,
        schedule_date: time({ required: true }),
        update_today_only: flag({ default: false }),
        excludes: list(DATE_PERIOD),
      }),
    ),
    answer: jsonOf(list(SCHEDULE)),
    ...TRAITS,
    open: [
      WHICH_ID,
      '`attendees` and `attendees_with_status` together: refused here; attendees stand in one list only',
    ],
  },
  deleteSchedule: {
    ...AT,
    title: 'Delete',
    method: 'POST',
    path: SCHEDULE_PATH,
    query: {},
    body: jsonOf(record({ ops: text({ required: true, values: ['delete'] }) })),
    answer: NOT_SHOWN,
    ...TRAITS,
    open: [WHICH_ID],
  },
} as const satisfies Readonly<Record<string, Operation>>;
