import { FullReadNeededError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';
import { attributeReader, type Resource } from '../wire/attributes.ts';
import { firstValue } from '../../mapping/values/raw-record.ts';

/** When a resource was changed last, by the server's clock (RFC 7643, section 3.1). */
export const LAST_MODIFIED = 'meta.lastModified';

const read = attributeReader(LAST_MODIFIED);

/** A time without a zone is of an unknown clock. */
const TIME = /^(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?<fraction>\.\d+)?(?<zone>Z|[+-]\d\d:?\d\d)$/iu;

/** Returns when the resource was changed last, ms. Throws a FullReadNeededError where it does not tell. */
export function lastModifiedOf(resource: Resource): number {
  const { time = '', fraction = '', zone = '' } = TIME.exec(firstValue(read(resource)) ?? '')?.groups ?? {};
  const at = Date.parse(`${time}${fraction}${zone.replace(/(\d\d):?(\d\d)$/u, '$1:$2')}`);
  if (Number.isNaN(at))
    throw new FullReadNeededError(`${LAST_MODIFIED} of ${idOf(resource)} tells no time with its zone`);
  return at;
}

/** A server may compare whole seconds. */
const WITHIN_MS = 1_000;

/** Returns when it was changed last, ms. Throws a FullReadNeededError where that is before the time that was asked for. */
export function modifiedSince(resource: Resource, since: number): number {
  const at = lastModifiedOf(resource);
  if (at >= since - WITHIN_MS) return at;
  throw new FullReadNeededError(
    `the server ignores ${LAST_MODIFIED} in a filter: it answers with ${idOf(resource)}, which was not changed since`,
  );
}

const idOf = (resource: Resource): string => printable(String(resource['id']));
