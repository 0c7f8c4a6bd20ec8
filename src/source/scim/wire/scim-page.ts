import { SourceError } from '../../../domain/errors.ts';
import { isObject, type Resource } from './attributes.ts';
import type { ScimAnswer } from './scim-client.ts';

/** A resource with its `id`, which no other one of the server has and which never changes (RFC 7643, section 3.1). */
export interface Identified {
  readonly id: string;
  readonly record: Resource;
}

/** One page of a list. */
export interface Page {
  /** `totalResults`. */
  readonly total: number;
  /** `startIndex`; `null`: the server does not tell it. */
  readonly start: number | null;
  readonly resources: readonly Identified[];
  /** Time of the server's clock, ms; `null`: it does not tell it. */
  readonly date: number | null;
}

/** Returns the page that a server has answered with. Throws a SourceError where it is none. */
export function pageOf({ value, date }: ScimAnswer, resource: string): Page {
  const { totalResults, startIndex, Resources = [] } = value;
  const total = numberOf(totalResults);
  if (total === null || !Array.isArray(Resources)) {
    throw incomplete(resource, 'the answer is no SCIM list: it has no totalResults or no Resources');
  }
  const resources = Resources.map((record: unknown): Identified => {
    const id = isObject(record) ? record['id'] : undefined;
    if (!isObject(record) || (typeof id !== 'string' && typeof id !== 'number') || id === '') {
      throw incomplete(resource, 'a record has no id');
    }
    return { id: String(id), record };
  });
  return { total, start: numberOf(startIndex), resources, date };
}

const UNUSED = 'the read is incomplete and nothing of it is used.';

export function incomplete(
  resource: string,
  what: string,
  details?: { readonly isPassing: boolean },
): SourceError {
  return new SourceError(`source: /${resource}: ${what}; ${UNUSED}`, details);
}

/** Returns the error of a list that may be whole when it is read once more. */
export function changed(resource: string, what: string): SourceError {
  return new SourceError(`source: /${resource} changed while it was read: ${what}; ${UNUSED}`, {
    isPassing: true,
  });
}

/** Some servers write numbers as text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Throws a SourceError where the page begins with another record than the one that was asked for. */
export function requireStart({ start }: Page, asked: number, resource: string): void {
  if (start === null || start === asked) return;
  const what = `was asked for startIndex ${asked}, and answers with ${start}`;
  throw incomplete(resource, `${what}: the server does not page as SCIM has it`);
}

/** Returns why a list has no end that could be proven. Reading once more would bring the same page: it has not changed. */
export function firstAgain(resource: string, asked: number, total: number): SourceError {
  const what =
    `was asked for startIndex ${asked}, and answers with the first page again: the server may ignore startIndex. Where ` +
    `it gives all ${total.toLocaleString('en')} in one page, raise pageSize of the source to that; else ask its vendor how it pages`;
  return incomplete(resource, what);
}
