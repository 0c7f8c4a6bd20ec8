import { stopped } from '../connect/stopped.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';
import { attributeReader, type Resource } from './wire/attributes.ts';
import type { ScimClient } from './wire/scim-client.ts';
import type { ScimList } from './wire/scim-list.ts';
import { scimPages, type ScimProgress } from './wire/scim-pages.ts';

export interface Progress extends ScimProgress {
  records: number;
}

export interface ScimReading {
  readonly list: ScimList;
  /** Names of the attributes that the rules read. */
  readonly names: readonly string[];
  /** Returns a resource with what the list does not show; absent: the list shows all. */
  readonly complete?: ((resource: Resource) => Promise<Resource>) | undefined;
  /** Makes several records of one resource; `null`: it is the record. */
  readonly expand: ((resource: Resource) => readonly Resource[]) | null;
  /** Whether a group is silent about who is in it; absent: nobody asks. */
  readonly isSilent?: ((resource: Resource) => boolean) | undefined;
  /** Gets each page before its records are yielded. */
  readonly look?: ((resources: readonly Resource[]) => void) | undefined;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** Yields the raw records of one list, a page at a time. Throws a SourceError where it cannot be complete. */
export async function* readResources(
  client: ScimClient,
  { list, names, complete, expand, isSilent, look, at, signal }: ScimReading,
  progress: Progress,
): AsyncGenerator<readonly RawRecord[]> {
  const readers = names.map((name) => attributeReader(name));
  const pages: ScimProgress = { pages: 0, end: null };
  for await (const resources of scimPages(client, list, pages)) {
    progress.pages += 1;
    look?.(resources);
    const whole = complete === undefined ? resources : await inOrder(resources, complete);
    const records = expand === null ? whole : whole.flatMap((resource) => expand(resource));
    progress.records += records.length;
    yield records.map((record) => ({
      cells: readers.map((read) => read(record)),
      at,
      place: `${list.resource} ${String(record['id'])}`,
      ...(isSilent?.(record) === true && { showsNobody: true }),
    }));
    if (signal.aborted) throw stopped();
  }
  progress.end = pages.end;
}

async function inOrder<T>(all: readonly T[], complete: (one: T) => Promise<T>): Promise<readonly T[]> {
  const completed: T[] = [];
  for (const one of all) completed.push(await complete(one));
  return completed;
}
