import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import type { ScimList } from '../wire/scim-pages.ts';
import { ScimRefusedError } from '../wire/scim-refused-error.ts';
import { LAST_MODIFIED } from './last-modified.ts';

/** Returns the list of those of its records that were changed at a time, ms, or later (RFC 7644, section 3.4.2.2). */
export function changedSince(list: ScimList, since: number): ScimList {
  const time = `${new Date(since).toISOString().slice(0, 19)}Z`;
  return narrowed(list, `${LAST_MODIFIED} ge "${time}"`);
}

/** Returns the list of those of its records that have one of these ids. */
export const withIds = (list: ScimList, ids: readonly RecordKey[]): ScimList =>
  narrowed(list, ids.map((id) => `id eq ${JSON.stringify(id)}`).join(' or '));

function narrowed(list: ScimList, filter: string): ScimList {
  return { ...list, filter: list.filter === undefined ? filter : `(${list.filter}) and (${filter})` };
}

/** Statuses that say nothing about the question: a token, or a server that wants a pause or is down. */
const OTHER_TROUBLE: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);

/** Returns the error of a question with a filter; where the server refuses that, only a full read tells. */
export function ofFilter(error: unknown, attribute: string): unknown {
  if (!(error instanceof ScimRefusedError) || OTHER_TROUBLE.has(error.status)) return error;
  return new FullReadNeededError(`the server refuses ${attribute} in a filter (${error.words})`, {
    cause: error,
  });
}
