import type { SourceEvidence } from '../../domain/records/source.ts';
import type { Joined, Member } from './members.ts';
import { PartnerStore } from './partner-store.ts';

/** Partners of one read, ready to be looked up. */
export interface Partners {
  evidence(): readonly { readonly name: string; readonly evidence: SourceEvidence }[];
  /** What tells these partners from others: whose values changed are not told apart. */
  readonly content: string;
  close(): void;
}

/** Reads all partners to their ends. Throws where one of the reads is incomplete. */
export async function loadPartners(members: readonly Member[], signal: AbortSignal): Promise<Partners> {
  const evidence: { readonly name: string; readonly evidence: SourceEvidence }[] = [];
  const loaded: { readonly joined: Joined; readonly store: PartnerStore }[] = [];
  const close = (): void => {
    for (const { joined, store } of loaded) {
      joined.join.use(null);
      store.close();
    }
  };
  try {
    for (const joined of members.flatMap(({ joins }) => joins)) {
      const store = new PartnerStore(joined.join.secrets);
      loaded.push({ joined, store });
      evidence.push({ name: joined.join.settings.from, evidence: await load(joined, store, signal) });
      joined.join.use(store);
    }
    return {
      evidence: () => evidence,
      content: JSON.stringify(loaded.map(({ store }) => store.content)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function load(
  { join, partner }: Joined,
  store: PartnerStore,
  signal: AbortSignal,
): Promise<SourceEvidence> {
  const read = await partner.open(signal);
  try {
    for await (const batch of read.rows()) {
      const keyed = [...batch].flatMap((reading) => {
        const key = reading.ok ? join.keyOf(reading.record.cells) : null;
        return reading.ok && key !== null ? [{ key, cells: reading.record.cells }] : [];
      });
      store.add(keyed);
    }
    const evidence = read.evidence();
    const unknown = [...evidence.unknown, ...(evidence.notKept ?? [])];
    join.lacks(new Set(unknown.map(({ name }) => name)));
    return evidence;
  } finally {
    await read.close();
  }
}
