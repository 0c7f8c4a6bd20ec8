import type { SourcePart } from '../records/source.ts';

/** How many records each part of a complete read had. */
export interface ReadSize {
  /** Identity of the source: another one has its own number of records. */
  readonly identity: string;
  readonly parts: readonly Pick<SourcePart, 'part' | 'records'>[];
}

/** So many records may always be missing: of a few, one is a large share. */
const FEW = 5;

/**
 * Returns in words which part has too few records to be whole; `null`: none.
 *
 * @param known the ledger's fact `readSize`
 * @param atLeastPercent share of the records of `known` that each part has to have
 */
export function shortfall(known: ReadSize | null, now: ReadSize, atLeastPercent: number): string | null {
  if (known === null || known.identity !== now.identity) return null;
  const short = now.parts.flatMap(({ part, records }) => {
    const before = known.parts.find((one) => one.part === part)?.records ?? 0;
    const isShort = before - records > FEW && records * 100 < before * atLeastPercent;
    return isShort ? [`${countOf(records)} of ${part}, where the last one had ${countOf(before)}`] : [];
  });
  return short.length === 0 ? null : short.join(', and ');
}

const countOf = (records: number): string =>
  `${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'}`;
