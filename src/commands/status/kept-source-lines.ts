import type { KeptSize } from '../../domain/ports/source-keep.ts';
import { timeText } from '../../domain/text/time-text.ts';

/** Returns the line about what is kept of the last complete read, or none. */
export function keptSourceLines(kept: KeptSize | null | undefined): readonly string[] {
  if (kept === null || kept === undefined) return [];
  const { at, people, bytes } = kept;
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${Math.ceil(bytes / 1_000_000)} MB`;
  return [
    `kept        the read of ${timeText(at)}, ${people} ${people === 1 ? 'person' : 'people'}, ${size} (rollcall plan --recorded)`,
  ];
}
