import type { ChangeCounts, Held } from '../../domain/changes.ts';
import type { RunResult } from '../../domain/events.ts';
import type { Digest, NotifyBook } from '../../domain/records/notify-book.ts';

/** What a run came to, as far as somebody is told of it. */
export interface Outcome {
  /** Time of its end, ms since the epoch. */
  readonly at: number;
  readonly result: RunResult;
  /** Why it failed, as a sentence; the empty text where it did not. */
  readonly error: string;
  readonly held: readonly Held[];
  readonly failed: number;
  readonly blocked: number;
  /** The first records that fail or are blocked: name and reason. */
  readonly troubles: readonly string[];
  readonly leaversInside: number;
  readonly counts: ChangeCounts;
}

export const NO_DIGEST: Digest = { joined: 0, left: 0, moved: 0, updated: 0 };

export const emptyBook = (now: number): NotifyBook => ({
  held: {},
  failures: 0,
  failedAt: null,
  partialAt: null,
  digest: { since: now, counts: NO_DIGEST },
  sent: [],
  lastError: null,
});

/** Something that somebody is to be told. */
export type Notice =
  | { readonly on: 'held'; readonly held: readonly Held[]; readonly isReminder: boolean }
  | { readonly on: 'failed'; readonly error: string; readonly failures: number; readonly isReminder: boolean }
  | {
      readonly on: 'partial';
      readonly failed: number;
      readonly blocked: number;
      readonly leaversInside: number;
      readonly troubles: readonly string[];
      readonly isReminder: boolean;
    }
  | { readonly on: 'recovered'; readonly from: 'failed' | 'held' | 'partial' }
  | { readonly on: 'changes'; readonly since: number; readonly counts: Digest };
