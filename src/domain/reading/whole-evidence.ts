import type { SourceEvidence } from './source.ts';

/** Of an increment: how many records were delivered, and how many there are. */
export interface IncrementSize {
  readonly delivered: number;
  readonly records: number;
}

/** Returns the evidence of an increment as that of all records: those that were not delivered count as recognized. */
export function wholeEvidence(
  { deciding, parts, ...evidence }: SourceEvidence,
  { delivered, records }: IncrementSize,
): SourceEvidence {
  return {
    ...evidence,
    parts: parts.map((one) => (one.part === 'people' ? { ...one, records } : one)),
    ...(deciding !== undefined && {
      deciding: deciding.map((one) =>
        one.part === 'people' ? { ...one, recognized: one.recognized + records - delivered } : one,
      ),
    }),
  };
}
