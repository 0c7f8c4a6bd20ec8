import { day, flag, integer, json, list, record, text, time } from '../terms/field.ts';

/** Interface: DatePeriod. */
export const DATE_PERIOD = record({ begin_date: day({ required: true }), end_date: day({ required: true }) });

export const REMINDER = record(
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
