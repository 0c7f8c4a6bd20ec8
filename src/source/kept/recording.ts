import type { KeptRead } from '../../domain/ports/source-keep.ts';

/** An earlier read that stands in for the source. */
export interface Recording {
  readonly read: KeptRead;
  /** Takes a sentence about what this read cannot tell. */
  readonly refuse: (problem: string) => void;
}
