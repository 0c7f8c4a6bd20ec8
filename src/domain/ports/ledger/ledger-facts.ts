import type { Edited, Held } from '../../changes.ts';
import type { ReadSize } from '../read-size.ts';
import type { ListName, ListLimits } from '../service.ts';
import type { ChannelName } from '../../settings.ts';
import type { IncrementsFact } from '../source-records.ts';
import type { FollowedFact, MarksFact, SourcePart } from '../../reading/source-part.ts';

/** One total for each list. */
export type ServiceTotals = Readonly<Record<ListName, number | null>>;

/** What the source is asked in one part, as a digest, and when that was last changed, ms; `null`: never. */
export interface AskedPart {
  readonly part: SourcePart['part'];
  readonly digest: string;
  readonly changedAt: number | null;
  /** The same before the last change; absent: it never changed. */
  readonly before?: Pick<AskedPart, 'digest' | 'changedAt'>;
}

/** A password that the source has refused. */
export interface RefusedSecret {
  /** Keyed hash of it. */
  readonly of: string;
  /** What the source said of it. */
  readonly message: string;
  readonly times: number;
  /** When it is tried again, ms. */
  readonly until: number;
}

/** Facts of the ledger that are one value each. */
export interface LedgerFacts {
  /** Watermark on the service's clock, ms: changes before it have been seen. */
  readonly watermark: number;
  readonly lastFull: number;
  /**
   * A full look that was begun and has not ended yet: how often it was tried, and when it is tried again, ms;
   * `null`: none.
   */
  readonly fullOwed: { readonly tries: number; readonly at: number } | null;
  /**
   * Total that each list gave when last read without `refresh_time`: of users, all; of organizations, those
   * that it counts beyond the ones in the view. `null`: not known.
   */
  readonly totals: ServiceTotals;
  readonly identity: string;
  /** Size of the last complete read: of parts that cannot prove their end or have several bases, and of partners. */
  readonly readSize: ReadSize;
  /** How far the source was in the last complete read. */
  readonly marks: MarksFact;
  /** What the next read of the source can begin with, if `source.changes` is auto. */
  readonly increments: IncrementsFact;
  /** Where each ref of the source leads: `''` is the root, `null` no place. */
  readonly places: readonly (readonly [ref: string, unit: string | null])[];
  /** Which groups in groups the last complete read followed. */
  readonly followed: FollowedFact;
  /** What exclusions of this source have kept out, as `place text`: all that did, and those that match nothing now. */
  readonly excluded: {
    readonly identity: string;
    readonly all: readonly string[];
    readonly lost: readonly string[];
  };
  readonly root: string;
  readonly asked: readonly AskedPart[];
  readonly rootOrgId: string;
  /** Whether a first load has ended: from then on joiners are guarded. */
  readonly loaded: boolean;
  /** Time when a run first tried to load, ms. */
  readonly loadingSince: number;
  /** Whether the service has ever answered an import of units: its refusals are about records since then. */
  readonly takesUnitImports: boolean;
  /** Which messages about the runs were sent, on each channel. */
  readonly notified: Readonly<Partial<Record<ChannelName, NotifyBook>>>;
  /** What the last run held. */
  readonly held: readonly Held[];
  /** Records that were edited in the service, as the last run found them. */
  readonly edited: Edited;
  /** How much the service takes at once, if it refused more, or read only a part of it. */
  readonly listLimits: ListLimits;
  /** Passwords that the source has refused, by account and server. */
  readonly refusedSecrets: Readonly<Record<string, RefusedSecret>>;
}

/** The messages that were sent, remembered between runs. Times are ms since the epoch. */
export interface NotifyBook {
  /**
   * Hashes that were announced and are still held, and when. A hash that is held again later is announced
   * again.
   */
  readonly held: Readonly<Record<string, number>>;
  /** An announced hash is no longer held, and no message has said yet that nothing is held. */
  readonly wasHeld?: boolean;
  /** How many runs failed one after the other. */
  readonly failures: number;
  /** When the message about the failure was sent; `null`: it was not. */
  readonly failedAt: number | null;
  /** When the message about failing records was sent; `null`: no record fails, or no message was sent. */
  readonly partialAt: number | null;
  /** The records that the message about failing records named. Records that fail later are announced again. */
  readonly inTrouble?: readonly string[];
  /** When it was last said what would have been done; absent: it was not. */
  readonly reportedAt?: number;
  /** When it was last said of what still stands with the daemons. */
  readonly standing?: Readonly<Partial<Record<'otherDaemon' | 'reloadRefused', number>>>;
  /** When the last digest was made: the next one tells what was done since then. */
  readonly digest: { readonly since: number };
  /** Times of the messages of the last day. */
  readonly sent: readonly number[];
  /** Why the last message was not sent; `null`: it was. */
  readonly lastError: { readonly at: number; readonly reason: string } | null;
  /** Since when messages wait because there were too many in a day; absent: none waits. */
  readonly waitingSince?: number;
}

/** What was done in a day. */
export interface Digest {
  readonly joined: number;
  readonly left: number;
  readonly moved: number;
  readonly updated: number;
  /** The first who joined, left or moved, each with what they did in a word; of a plan, the first records. */
  readonly named: readonly {
    readonly what: 'joined' | 'left' | 'moved' | 'updated';
    readonly name: string;
  }[];
}
