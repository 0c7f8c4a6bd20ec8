import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { SourceMark } from '../../domain/reading/source-part.ts';
import { sourceProblem } from '../connect/source-problems.ts';
import type { Reading } from '../../domain/records/records.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';
import type { Join } from './join.ts';
import type { Joined, Member } from './members.ts';
import { PartnerStore, type Keyed } from './partner-store.ts';

interface PartnersRead {
  readonly name: string;
  readonly evidence: SourceEvidence;
  readonly marks: readonly SourceMark[];
}

/** Partners of one read, ready to be looked up. */
export interface Partners {
  /** What was read, with what tells an older state of it, by the name of the source. */
  readonly reads: readonly PartnersRead[];
  close(): void;
}

/** Reads all partners to their ends. Throws if one of the reads is incomplete. */
export async function loadPartners(members: readonly Member[], signal: AbortSignal): Promise<Partners> {
  const reads: PartnersRead[] = [];
  const loaded: { readonly joined: Joined; readonly store: PartnerStore }[] = [];
  const close = (): void => {
    for (const { joined, store } of loaded) {
      joined.join.use(null);
      store.close();
    }
  };
  try {
    for (const joined of members.flatMap(({ joins }) => joins)) {
      const store = new PartnerStore(joined.join.hasSecrets);
      loaded.push({ joined, store });
      reads.push(await load(joined, store, signal));
      joined.join.use(store);
    }
    return { reads, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function load(
  { join, partner }: Joined,
  store: PartnerStore,
  signal: AbortSignal,
): Promise<PartnersRead> {
  const read = await partner.open(signal);
  try {
    const marks = await read.marks();
    const counts = { all: 0, found: 0 };
    for await (const batch of read.rows()) store.add(keyed(batch, join, counts));
    requireSome(join, counts);
    const evidence = read.evidence();
    join.lacks(new Set(evidence.unknown.map(({ name }) => name)));
    return { name: join.settings.from, evidence, marks };
  } finally {
    await read.close();
  }
}

interface Counts {
  all: number;
  /** Those that can be found. */
  found: number;
}

/** Yields the partners that have all of the key. */
function* keyed(batch: Iterable<Reading<RawRecord>>, join: Join, counts: Counts): Iterable<Keyed> {
  for (const reading of batch) {
    counts.all += 1;
    const keys = reading.ok ? join.keyed(reading.record, reading.has) : [];
    if (keys.length > 0) counts.found += 1;
    yield* keys;
  }
}

/**
 * Throws if no record has a key, so that no person can have a partner. If the source has no record at all and
 * people may lack a partner, it does not throw: the source may have been empty from the beginning. The run
 * knows whether it had records before.
 */
function requireSome({ settings: { from, on, missing } }: Join, { all, found }: Counts): void {
  if (found > 0 || (all === 0 && missing === 'empty')) return;
  const names = on.map(([, name]) => name).join(', ');
  const what =
    all === 0
      ? `sources.${from} brought no record for source.people.join`
      : `none of the ${all.toLocaleString('en')} records that sources.${from} brought for source.people.join has ${names}`;
  throw sourceProblem('source-no-partner', { what });
}
