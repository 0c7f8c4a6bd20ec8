import type { z } from 'zod';
import type { Finding, Raw } from '../../schema/raw.ts';
import type { RowsWanted } from '../../domain/source-settings.ts';

/** Path of a key below the source in the file. */
type KeyPath = readonly [string, ...string[]];

/**
 * What there is to know of a kind of source before one is opened. It stands in `kind.ts` of its folder; `kinds.ts` lists
 * all kinds, and `open-source.ts` opens them.
 */
export interface Kind<Input, Settings> {
  /** What the file says of a source of this kind. */
  readonly schema: z.ZodObject;
  /** The same without units or people: of several sources each has its part. */
  readonly member: z.ZodObject;
  /** What is asked of a source that completes the people of another one. */
  readonly lookup: z.ZodType;
  /** Turns the shape of the file into the one that the source is read with. */
  readonly settings: (input: Input) => Settings;
  /** Returns what is asked of a partner, by the input of `lookup`; absent: the input as it is. */
  readonly ask?: (lookup: never, settings: Settings) => object;
  /** Keys that may hold a secret or the file with it, which is read again when the secret is refused. */
  readonly secrets: readonly KeyPath[];
  /** Returns what only several keys together show; the paths begin at the source, which may have other mistakes. */
  readonly findings?: (source: Raw) => readonly Finding[];
  /** Returns whether people have positions without rules for them; absent: never. */
  readonly hasUsualPositions?: (source: Raw) => boolean;
  /** Returns warnings about what goes over the network in clear, each a sentence. */
  readonly inClear: (settings: Settings) => readonly string[];
  /** Returns where the source is, for a person; absent: its URL. */
  readonly address?: (settings: Settings) => string;
  /** Schemes with which its URLs begin; absent: it has none. */
  readonly schemes?: readonly string[];
  /** Setting that lets a read of units reach more. */
  readonly widen: string;
  /** What may be wrong if too little is read. */
  readonly lookAt: string;
  /** What positions of their own come from, for a person; `null`: people carry them. */
  readonly positionsFrom: string | null;
}

/** Settings of a kind as it is read: what the file says, and what is asked for to complete another source. */
export type SettingsWithRows<Settings, Lookup> = Settings & { readonly rows?: Lookup & RowsWanted };
