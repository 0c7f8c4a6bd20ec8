import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { isBoolean, isObject } from '../wire/attributes.ts';
import type { ScimClient } from '../wire/scim-client.ts';
import type { Page } from '../wire/scim-page.ts';
import { askPage, type ScimList } from '../wire/scim-list.ts';
import { ScimRefusedError } from '../wire/scim-refused-error.ts';
import { changedSince, LAST_MODIFIED, modifiedSince, ofFilter } from './last-modified.ts';

/** Up to where a server was seen. All times are its own, ms. */
export interface Seen {
  /** Its clock. */
  readonly date: number;
  /** The one that was changed last, and when: where it is older later on, the server was restored. */
  readonly last: { readonly id: RecordKey; readonly time: number };
}

/** How far back the one that was changed last is looked for, in seconds: an hour, then days. */
const WINDOWS = [3_600, 86_400, 864_000, 8_640_000, 86_400_000] as const;
/** The beginning of time. */
const EVER = 0;
/** So many times somebody is looked for who was changed later than those seen: where one is left, more is told twice. */
const MOST_LOOKS = 10;
/** So many are looked at together. */
const FEW = 50;

/** Returns up to where the server is seen now. Throws a FullReadNeededError where it cannot tell what changes. */
export async function seenNow(client: ScimClient, list: ScimList): Promise<Seen> {
  await requireFilters(client);
  const { total, date } = await askPage(client, { ...list, pageSize: 1 }, 1);
  if (date === null) throw new FullReadNeededError('the server tells no time (Date)');
  const ever = await look(client, { ...list, pageSize: 1 }, EVER);
  if (ever.total !== total)
    throw new FullReadNeededError(`a filter for ${LAST_MODIFIED} finds ${ever.total} of ${total} records`);
  return { date, last: await latest(client, list, date) };
}

/** Asks the server whether it takes filters at all (RFC 7644, section 4); some do not say. */
async function requireFilters(client: ScimClient): Promise<void> {
  const value = await client.ask('ServiceProviderConfig', {}).then(
    (answer) => answer.value['filter'],
    (error: unknown) => {
      if (!(error instanceof ScimRefusedError)) throw error;
    },
  );
  if (isObject(value) && isBoolean(value['supported'], false))
    throw new FullReadNeededError(
      'the server takes no filters (ServiceProviderConfig: filter.supported is false)',
    );
}

/** Returns the one that was changed last. The server's clock only says where to begin to look. */
async function latest(client: ScimClient, list: ScimList, date: number): Promise<Seen['last']> {
  for (const since of [...WINDOWS.map((seconds) => date - seconds * 1_000), EVER]) {
    const last = await latestFrom(client, list, since);
    if (last !== null) return last;
  }
  throw new FullReadNeededError('nobody is there to whom anything could be added');
}

async function latestFrom(client: ScimClient, list: ScimList, from: number): Promise<Seen['last'] | null> {
  let last: Seen['last'] | null = null;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const since: number = last === null ? from : last.time + 1_000;
    const { resources } = await look(client, { ...list, pageSize: FEW }, since);
    const times = resources.map(({ id, record }) => ({ id, time: modifiedSince(record, since) }));
    const [newest] = times.toSorted((a, b) => b.time - a.time);
    if (newest === undefined) return last;
    last = newest;
  }
  return last;
}

/** Returns a page of those who were changed since. */
async function look(client: ScimClient, list: ScimList, since: number): Promise<Page> {
  try {
    return await askPage(client, changedSince({ ...list, attributes: 'id,meta' }, since), 1);
  } catch (error) {
    throw ofFilter(error, LAST_MODIFIED);
  }
}
