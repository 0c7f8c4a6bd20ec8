import type { ScimClient } from './scim-client.ts';
import { pageOf, type Page } from './scim-page.ts';
import { ScimRefusedError } from './scim-refused-error.ts';

/** What is asked for: one list of resources. */
export interface ScimList {
  readonly resource: string;
  readonly filter?: string | undefined;
  /** Names of the attributes that are wanted; absent: all. */
  readonly attributes?: string;
  readonly pageSize: number;
  /** Whether `totalResults` needs no other proof: an administrator says that the server counts all there is. */
  readonly trustTotals?: boolean;
}

/** Returns the list of those of its records that pass a filter too (RFC 7644, section 3.4.2.2). */
export function narrowed(list: ScimList, filter: string): ScimList {
  return { ...list, filter: list.filter === undefined ? filter : `(${list.filter}) and (${filter})` };
}

/** Asks for one page of a list. */
export async function askPage(client: ScimClient, list: ScimList, startIndex: number): Promise<Page> {
  const { resource, filter, attributes, pageSize } = list;
  const answer = await client.ask(resource, {
    startIndex: String(startIndex),
    count: String(pageSize),
    ...(filter !== undefined && { filter }),
    ...(attributes !== undefined && { attributes }),
  });
  return pageOf(answer, resource);
}

/** Statuses that say nothing about the question: a token, or a server that wants a pause or is down. */
const OTHER_TROUBLE: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);

/** Returns whether the server has refused the question itself. */
export const isRefusal = (error: unknown): error is ScimRefusedError =>
  error instanceof ScimRefusedError && !OTHER_TROUBLE.has(error.status);
