import type { Deciding } from './deciding.ts';
import type { SourceEvidence } from './source.ts';
import type { SourcePart } from './source-part.ts';

/** Of an increment: how many records were delivered, how many of these are as they were, and how many there are. */
export interface IncrementSize {
  readonly delivered: number;
  readonly asBefore: number;
  readonly records: number;
}

/**
 * Returns the evidence of an increment as that of all records: those that were not delivered, or are as they were, count as
 * recognized. How many each base has is not known.
 */
export function wholeEvidence(
  { deciding, parts, ...evidence }: SourceEvidence,
  { delivered, asBefore, records }: IncrementSize,
): SourceEvidence {
  const news = delivered - asBefore;
  const decidingOfAll = (one: Deciding): Deciding => {
    return { ...one, decoded: news, recognized: records - news };
  };
  return {
    ...evidence,
    parts: parts.map((one) => (one.part === 'people' ? ofAll(one, records) : one)),
    ...(deciding !== undefined && {
      deciding: deciding.map((one) => (one.part === 'people' ? decidingOfAll(one) : one)),
    }),
  };
}

function ofAll(part: SourcePart, records: number): SourcePart {
  const { bases: _, ...rest } = part;
  return { ...rest, records };
}
