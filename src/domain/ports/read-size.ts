import type { SourcePart } from '../records/source.ts';

/** How many records each part of a complete read had. */
export interface ReadSize {
  /** Identity of the source: another one has its own number of records. */
  readonly identity: string;
  readonly parts: readonly Pick<SourcePart, 'part' | 'from' | 'records'>[];
}

/** So many records may always be missing: of a few, one is a large share. */
const FEW = 5;

/** Returns the size of the parts that cannot prove their end; those that two joins read of one source count together. */
export function sizeOf(identity: string, parts: readonly SourcePart[]): ReadSize {
  const sums = new Map<string, ReadSize['parts'][number]>();
  for (const { part, from, records, atLeastPercent } of parts) {
    if (atLeastPercent === undefined) continue;
    const key = JSON.stringify([part, from]);
    const before = sums.get(key)?.records ?? 0;
    sums.set(key, { part, ...(from !== undefined && { from }), records: before + records });
  }
  return { identity, parts: [...sums.values()] };
}

/**
 * Returns in words which parts have too few records to be whole; none: all are.
 *
 * @param known the ledger's fact `readSize`
 */
export function shortfalls(
  known: ReadSize | null,
  now: ReadSize,
  parts: readonly SourcePart[],
): readonly Shortfall[] {
  if (known === null || known.identity !== now.identity) return [];
  return now.parts.flatMap(({ part, from, records }) => {
    const isSame = (one: Pick<SourcePart, 'part' | 'from'>): boolean =>
      one.part === part && one.from === from;
    const before = known.parts.find(isSame)?.records ?? 0;
    const percent = parts.find(isSame)?.atLeastPercent ?? 0;
    if (before - records <= FEW || records * 100 >= before * percent) return [];
    const about = `${countOf(records)} of ${part}, where the last one had ${countOf(before)}`;
    return [{ about, percent, from: from ?? null }];
  });
}

/** A part that has too few records to be whole. */
export interface Shortfall {
  readonly about: string;
  readonly percent: number;
  /** Name of the source, where there are several. */
  readonly from: string | null;
}

/** Returns a sentence: what is missing, by which setting, and what to do. */
export function describeShortfalls(short: readonly Shortfall[]): string {
  const told = short.map(({ about, from }) => (from === null ? about : `${about} (sources.${from})`));
  const keys = new Map(short.map(({ from, percent }) => [keyOf(from), percent]));
  const limits = [...keys].map(([name, percent]) => `${percent} % (${name})`);
  return (
    `source: this read has ${told.join(', and ')}: less than ${limits.join(', ')}, so it is taken ` +
    'as incomplete and nothing is sent. Export it again; where so many are really gone, lower atLeastPercent for ' +
    'one run'
  );
}

const keyOf = (from: string | null): string =>
  `${from === null ? 'source' : `sources.${from}`}.complete.atLeastPercent`;

const countOf = (records: number): string =>
  `${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'}`;
