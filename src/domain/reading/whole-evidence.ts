import type { SourceEvidence } from './source.ts';
import type { SourcePart } from './source-part.ts';

/**
 * Returns the evidence of an increment as that of all records. How many each base has is not known.
 */
export function wholeEvidence({ parts, ...evidence }: SourceEvidence, records: number): SourceEvidence {
  return {
    ...evidence,
    parts: parts.map((one) => (one.part === 'people' ? ofAll(one, records) : one)),
  };
}

function ofAll(part: SourcePart, records: number): SourcePart {
  const { bases: _, ...rest } = part;
  return { ...rest, records };
}
