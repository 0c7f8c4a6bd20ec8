import { createTask, parse, validate } from 'node-cron';
import { REMEDY, text } from '../../schema/values.ts';

/**
 * Number of days within which, from any day on, each date falls on each weekday, even the 29th of February on
 * a Monday.
 */
const EVERY_DAY = 15_000;

const DAY = 86_400_000;

export const cron = text
  .refine(isCron, {
    error: `is no cron expression${REMEDY}five fields, as in "*/15 * * * *": minute hour day-of-month month day-of-week`,
    abort: true,
  })
  .refine(isCronReachable, {
    error: `names a day that never comes, as 30 February${REMEDY}name a day-of-month that its months have`,
  });

export const timezone = text.refine(isTimezone, {
  error: `is no time zone known here${REMEDY}use an IANA name, as in Europe/Berlin, or UTC`,
});

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns whether an expression is valid, apart from a day that its months do not have. */
function isCron(expression: string): boolean {
  return validate(expression) || validate(inAnyMonth(expression));
}

function inAnyMonth(expression: string): string {
  const fields = expression.trim().split(/\s+/u);
  return fields.length < 5 ? expression : fields.with(fields.length - 2, '*').join(' ');
}

/** Returns whether the expression ever names a time: the 30th of February never comes. */
function isCronReachable(expression: string): boolean {
  if (!validate(expression)) return false;
  const { second, minute, hour } = parse(expression);
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  // The task is only asked, never started; one that is not destroyed is kept for ever.
  void task.destroy();
  const first = Date.UTC(2026, 0, 1, hour[0], minute[0], second[0]);
  for (let day = 0; day < EVERY_DAY; day += 1) if (task.match(new Date(first + day * DAY))) return true;
  return false;
}
