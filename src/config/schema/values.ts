import { z } from 'zod';
import { cronComes, isCron } from './checks/cron-comes.ts';
import { REMEDY } from './checks/section.ts';

/** Small value schemas. None of their sentences repeats a text that may be a secret. */

export const text = z.string().trim().min(1, `is empty${REMEDY}give it a value`);

/** A secret, not trimmed: a password may begin or end with a blank. */
export const secret = z.string().min(1, `is empty${REMEDY}give it a value`);

export const count = z.int().min(0);
export const atLeastOne = z.int().min(1);
export const percent = z.number().min(0).max(100);
export const seconds = z.number().positive();

export const changes = z
  .enum(['auto', 'off'])
  .optional()
  .describe('auto: only what changed is read, where the source can tell; off (the default): everything.');

export const cron = text
  .refine(isCron, {
    error: `is no cron expression${REMEDY}five fields, as in "*/15 * * * *": minute hour day-of-month month day-of-week`,
    abort: true,
  })
  .refine(cronComes, {
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

/** A URL with http or https and nothing after the path; the slash at its end is removed. */
export const httpUrl = text
  .refine((url) => isHttpUrl(url), {
    error: `is no http:// or https:// URL without user, query and fragment${REMEDY}write it as https://im.example.com`,
  })
  .overwrite((url) => url.replace(/\/+$/, ''));

function isHttpUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
}
