import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { isRefusal, narrowed, type ScimList } from '../wire/scim-list.ts';
import { LAST_MODIFIED } from './last-modified.ts';

/** Returns the list of those of its records that were changed at a time, ms, or later (RFC 7644, section 3.4.2.2). */
export function changedSince(list: ScimList, since: number): ScimList {
  const time = `${new Date(since).toISOString().slice(0, 19)}Z`;
  return narrowed(list, `${LAST_MODIFIED} ge "${time}"`);
}

/** Returns the list of those of its records that have one of these ids. */
export const withIds = (list: ScimList, ids: readonly RecordKey[]): ScimList =>
  narrowed(list, ids.map((id) => `id eq ${JSON.stringify(id)}`).join(' or '));

/** Returns the error of a question with a filter; where the server refuses that, only a full read tells. */
export function ofFilter(error: unknown, attribute: string): unknown {
  if (!isRefusal(error)) return error;
  return new FullReadNeededError(`the server refuses ${attribute} in a filter (${error.words})`, {
    cause: error,
  });
}
