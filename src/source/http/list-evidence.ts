import type { SourceEvidence } from '../../domain/reading/source.ts';
import { AT_LEAST_PERCENT, type SourcePart } from '../../domain/reading/source-part.ts';

/** Returns the evidence of lists, with what proves each of them; one that is trusted may not shrink much. */
export function listEvidence(
  parts: readonly SourcePart[],
  isTrusted: (part: SourcePart['part']) => boolean,
): Pick<SourceEvidence, 'snapshot' | 'parts' | 'notes'> {
  return {
    snapshot: 'none',
    parts: parts.map((one) => (isTrusted(one.part) ? { ...one, atLeastPercent: AT_LEAST_PERCENT } : one)),
    notes: parts.map(({ part, end }) => `${part}: ${end}`),
  };
}
