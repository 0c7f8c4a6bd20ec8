import { FullReadNeededError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';
import { firstValue } from '../../mapping/values/raw-record.ts';
import { attributeReader, type Resource } from '../wire/attributes.ts';
import { isRefusal, narrowed, type ScimList } from '../wire/scim-list.ts';

/** When a resource was changed last, by the server's clock (RFC 7643, section 3.1). */
export const LAST_MODIFIED = 'meta.lastModified';

const read = attributeReader(LAST_MODIFIED);

/** A time without a zone is of an unknown clock. */
const TIME = /^(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?<fraction>\.\d+)?(?<zone>Z|[+-]\d\d:?\d\d)$/iu;

/** A server may compare whole seconds. */
const WITHIN_MS = 1_000;

/** Returns the list of those of its records that were changed at a time, ms, or later (RFC 7644, section 3.4.2.2). */
export function changedSince(list: ScimList, since: number): ScimList {
  const time = `${new Date(since).toISOString().slice(0, 19)}Z`;
  return narrowed(list, `${LAST_MODIFIED} ge "${time}"`);
}

/**
 * Returns when the resource was changed last, ms. Throws a FullReadNeededError where it does not tell, or where that is
 * before the time that was asked for.
 */
export function modifiedSince(resource: Resource, since: number): number {
  const at = lastModifiedOf(resource);
  if (at >= since - WITHIN_MS) return at;
  throw new FullReadNeededError(
    `the server ignores ${LAST_MODIFIED} in a filter: it answers with ${idOf(resource)}, which was not changed since`,
  );
}

function lastModifiedOf(resource: Resource): number {
  const { time = '', fraction = '', zone = '' } = TIME.exec(firstValue(read(resource)) ?? '')?.groups ?? {};
  const at = Date.parse(`${time}${fraction}${zone.replace(/(\d\d):?(\d\d)$/u, '$1:$2')}`);
  if (Number.isNaN(at))
    throw new FullReadNeededError(`${LAST_MODIFIED} of ${idOf(resource)} tells no time with its zone`);
  return at;
}

/** Returns the error of a question with a filter; where the server refuses that, only a full read tells. */
export function ofFilter(error: unknown, attribute: string): unknown {
  if (!isRefusal(error)) return error;
  return new FullReadNeededError(`the server refuses ${attribute} in a filter (${error.words})`, {
    cause: error,
  });
}

const idOf = (resource: Resource): string => printable(String(resource['id']));
