import type { HistoryEntry } from '../../domain/ports/history.ts';
import type { Digest } from '../../domain/records/notify-book.ts';

type What = Digest['named'][number]['what'];

const OF_KIND: Readonly<Partial<Record<HistoryEntry['kind'], What>>> = {
  create: 'joined',
  adopt: 'joined',
  enable: 'joined',
  disable: 'left',
  remove: 'left',
  move: 'moved',
};

/** How many are named. */
const NAMED = 10;

/** Returns what was applied: people who joined or left, people and units that moved, and everything else. */
export function doneIn(entries: Iterable<HistoryEntry>): Digest {
  const counts = { joined: 0, left: 0, moved: 0, updated: 0 };
  const named: { readonly what: What; readonly name: string }[] = [];
  for (const entry of entries) {
    const what = whatOf(entry);
    counts[what ?? 'updated'] += 1;
    if (what !== null && named.length < NAMED) named.push({ what, name: `${entry.label} (${entry.id})` });
  }
  return { ...counts, named };
}

function whatOf({ subject, kind, fields }: HistoryEntry): What | null {
  if (subject === 'unit') return kind === 'move' ? 'moved' : null;
  const isMoved = kind === 'update' && fields.some(({ field }) => field === 'positions');
  return isMoved ? 'moved' : (OF_KIND[kind] ?? null);
}
