import type { Held } from '../../domain/changes.ts';
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
  /** Keys of the records that fail and of those who are inside for another reason than a guard that holds. */
  readonly inTrouble: readonly string[];
  /** Of `leaversInside`, those whom only a guard keeps in: the message about what is held is about them. */
  readonly heldInside: number;
  /** Returns what was done since then, ms. */
  readonly doneSince: (since: number) => Digest;
}

export const emptyBook = (now: number): NotifyBook => ({
  held: {},
  failures: 0,
  failedAt: null,
  partialAt: null,
  digest: { since: now },
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
  | {
      readonly on: 'recovered';
      readonly from: 'failed' | 'held' | 'partial';
      /** Whether nothing is held or fails any more. */
      readonly isWell: boolean;
    }
  | { readonly on: 'changes'; readonly since: number; readonly counts: Digest };
