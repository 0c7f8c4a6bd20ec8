import type { SourcePart } from '../records/source.ts';

/** How many records each part of a complete read had. */
export interface ReadSize {
  /** Identity of the source: another one has its own number of records. */
  readonly identity: string;
  readonly parts: readonly PartSize[];
}

interface PartSize extends Pick<SourcePart, 'part' | 'from' | 'records'> {
  /** Partners: how many joins of this source brought any. */
  readonly filled?: number;
}

/** So many records may always be missing: of a few, one is a large share. */
const FEW = 5;

/**
 * Returns the size of the parts that cannot prove their end, and of partners, whose absence would empty fields of
 * everybody. Those that two joins read of one source count together.
 */
export function sizeOf(identity: string, parts: readonly SourcePart[]): ReadSize {
  const sums = new Map<string, PartSize>();
  for (const { part, from, records, atLeastPercent } of parts) {
    if (atLeastPercent === undefined && part !== 'partners') continue;
    const key = JSON.stringify([part, from]);
    const before = sums.get(key);
    const filled = (before?.filled ?? 0) + (records > 0 ? 1 : 0);
    sums.set(key, {
      part,
      ...(from !== undefined && { from }),
      records: (before?.records ?? 0) + records,
      ...(part === 'partners' && { filled }),
    });
  }
  return { identity, parts: [...sums.values()] };
}

/**
 * Returns which parts have too few records to be whole; none: all are.
 *
 * @param known the ledger's fact `readSize`
 */
export function shortfalls(
  known: ReadSize | null,
  now: ReadSize,
  parts: readonly SourcePart[],
): readonly Shortfall[] {
  if (known === null || known.identity !== now.identity) return [];
  return now.parts.flatMap((size): readonly Shortfall[] => {
    const isSame = (one: Pick<SourcePart, 'part' | 'from'>): boolean =>
      one.part === size.part && one.from === size.from;
    const before = known.parts.find(isSame);
    if (before === undefined) return [];
    const from = size.from ?? null;
    const own = parts.filter(isSame);
    if (isEmptied(before, size, own)) return [{ before: before.records, from, kind: 'emptied' }];
    const percent = own[0]?.atLeastPercent ?? 0;
    const isWhole = before.records - size.records <= FEW || size.records * 100 >= before.records * percent;
    const about = `${countOf(size.records)} of ${size.part}, where the last one had ${countOf(before.records)}`;
    return isWhole ? [] : [{ about, percent, from, kind: 'few' }];
  });
}

/** Returns whether a join has no partner at all, and fewer joins have one than before. */
function isEmptied(before: PartSize, now: PartSize, own: readonly SourcePart[]): boolean {
  if (now.part !== 'partners' || own.every(({ records }) => records > 0)) return false;
  return (now.filled ?? 0) < (before.filled ?? (before.records > 0 ? 1 : 0));
}

/** A part that has too few records to be whole, or partners of whom none is left. `from`: the source; `null`: the only one. */
export type Shortfall =
  | { readonly kind: 'few'; readonly about: string; readonly percent: number; readonly from: string | null }
  | { readonly kind: 'emptied'; readonly before: number; readonly from: string | null };

/** Returns sentences: what is missing, by which setting, and what to do. */
export function describeShortfalls(short: readonly Shortfall[]): string {
  const emptied = short.flatMap((one) => (one.kind === 'emptied' ? [describeEmptied(one)] : []));
  const few = short.filter((one) => one.kind === 'few');
  return `source: ${[...emptied, ...(few.length === 0 ? [] : [describeFew(few)])].join('. ')}`;
}

function describeEmptied({ before, from }: Shortfall & { readonly kind: 'emptied' }): string {
  return (
    `sources.${from ?? ''} has no record for a join, where its partners in the last complete read were ${countOf(before)}; ` +
    'the read is taken as incomplete and nothing is sent. Check what is asked there, and the rights of the reading ' +
    'account; where it is empty for good, remove the join'
  );
}

function describeFew(short: readonly (Shortfall & { readonly kind: 'few' })[]): string {
  const told = short.map(({ about, from }) => (from === null ? about : `${about} (sources.${from})`));
  const keys = new Map(short.map(({ from, percent }) => [keyOf(from), percent]));
  const limits = [...keys].map(([name, percent]) => `${percent} % (${name})`);
  return (
    `this read has ${told.join(', and ')}: less than ${limits.join(', ')}, so it is taken ` +
    'as incomplete and nothing is sent. Export it again; where so many are really gone, lower atLeastPercent for ' +
    'one run'
  );
}

const keyOf = (from: string | null): string =>
  `${from === null ? 'source' : `sources.${from}`}.complete.atLeastPercent`;

const countOf = (records: number): string =>
  `${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'}`;
