import { createHmac, randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Decisive } from '../../domain/records/records.ts';
import { foldUsername, looseId } from '../../domain/text/fold.ts';
import { Sealer } from '../../lib/sealer.ts';
import type { Cell, RawRecord } from '../mapping/values/raw-record.ts';

/** A record of the other source: its values, in the order of the names that were asked for. */
export interface Partner extends Pick<RawRecord, 'cells' | 'garbled'> {
  /** Slots of which this record does not tell anything, with the reason; see `RawRecord.whyUnknown`. */
  readonly untold?: RawRecord['whyUnknown'];
  /** What it has of names that tell whether its account is active; absent: nothing. */
  readonly has?: Decisive;
}

/** A partner with what it is found by. */
export interface Keyed extends Partner {
  readonly key: readonly string[];
  /** Set where it has other keys too: nobody knows which one is meant. */
  readonly isOneOf?: true;
}

/** What stands beside a key: its partner alone, several partners, or one that has other keys too. */
const [NO_OTHER, SEVERAL, ONE_OF] = [0, 1, 2];

type Value = string | readonly string[] | null;
/** The values; names of those that tell of the account come last. */
type Stored = (
  Value | { readonly garbled: Value } | { readonly untold: string } | { readonly has: Decisive }
)[];

/** What may not lie on a disk as it is. */
export interface PartnerSecrets {
  /** Places among the values of a partner. */
  readonly slots: ReadonlySet<number>;
  /** Whether a part of the key is one. */
  readonly isInKey: boolean;
}

/**
 * Keeps records of another source by their keys, in a file without a name that the system removes with the process:
 * memory stays flat. Secrets in it are encrypted, with a key that is nowhere else.
 */
export class PartnerStore {
  readonly #db = new Database('');
  readonly #sealer = new Sealer();
  readonly #keyOfKeys = randomBytes(32);
  readonly #secrets: PartnerSecrets;
  readonly #add: Database.Statement;
  readonly #find: Database.Statement;
  readonly #addNear: Database.Statement;
  readonly #findNear: Database.Statement;

  constructor(secrets: PartnerSecrets) {
    this.#secrets = secrets;
    this.#db.pragma('journal_mode = OFF');
    this.#db.pragma('synchronous = OFF');
    this.#db.pragma('cache_size = -16384');
    // Of several under one key it is enough to know that there are several.
    this.#db.exec(
      'CREATE TABLE partner (key TEXT PRIMARY KEY, cells TEXT, sealed BLOB, several INTEGER) WITHOUT ROWID',
    );
    this.#db.exec('CREATE TABLE near (loose TEXT PRIMARY KEY, key TEXT) WITHOUT ROWID');
    this.#addNear = this.#db.prepare('INSERT OR IGNORE INTO near VALUES (?, ?)');
    this.#findNear = this.#db.prepare('SELECT key FROM near WHERE loose = ?').pluck();
    this.#add = this.#db.prepare(
      `INSERT INTO partner VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET several = ${SEVERAL}`,
    );
    this.#find = this.#db.prepare('SELECT cells, sealed, several FROM partner WHERE key = ?').raw();
  }

  /** Adds the partners of one batch. */
  add(partners: Iterable<Keyed>): void {
    this.#db.transaction(() => {
      for (const { key, isOneOf, ...partner } of partners) {
        const [exact, loose] = [this.#keyOf(key), this.#keyOf(key.map(looseId))];
        this.#addOne(exact, partner, isOneOf === true ? ONE_OF : NO_OTHER);
        if (loose !== exact) this.#addNear.run(loose, JSON.stringify(this.#shown(key)));
      }
    })();
  }

  /**
   * Returns the partner under a key, in any case; `several`: there is more than one; `unclear`: the only one has other
   * keys too; `null`: there is none.
   */
  find(key: readonly string[]): Partner | 'several' | 'unclear' | null {
    const row = this.#find.get(this.#keyOf(key)) as readonly [string, Buffer | null, number] | undefined;
    if (row === undefined) return null;
    const [cells, sealed, several] = row;
    if (several === ONE_OF) return 'unclear';
    return several === SEVERAL ? 'several' : this.#whole(cells, sealed);
  }

  /**
   * Returns the key of a partner that differs from this one by capitals, blanks, leading zeros or an empty fraction; `null`:
   * there is none. Empty where a part of it is secret.
   */
  near(key: readonly string[]): readonly string[] | null {
    const loose = key.map(looseId);
    const at = this.#keyOf(loose);
    const near = this.#findNear.get(at) as string | undefined;
    if (near !== undefined) return JSON.parse(near) as readonly string[];
    return this.#find.get(at) === undefined ? null : this.#shown(loose);
  }

  close(): void {
    this.#db.close();
  }

  #addOne(key: string, partner: Partner, several: number): void {
    const { slots } = this.#secrets;
    const { cells, has } = partner;
    const values = cells.map((_, slot) => storedOf(partner, slot));
    const stored: Stored = has === undefined ? values : [...values, { has }];
    const isOpen = slots.size === 0;
    const open = isOpen ? stored : stored.map((value, slot) => (slots.has(slot) ? null : value));
    const hidden = isOpen ? [] : stored.map((value, slot) => (slots.has(slot) ? value : null));
    const sealed = isOpen ? null : this.#sealer.seal(JSON.stringify(hidden));
    this.#add.run(key, JSON.stringify(open), sealed, several);
  }

  #whole(cells: string, sealed: Buffer | null): Partner {
    const open = JSON.parse(cells) as Stored;
    const hidden = sealed === null ? [] : (JSON.parse(this.#sealer.open(sealed)) as Stored);
    const last = open.at(-1);
    const has = isMarked(last, 'has') ? last.has : undefined;
    const values = has === undefined ? open : open.slice(0, -1);
    const stored = values.map((value, slot) => value ?? hidden[slot] ?? null);
    const garbled = [...stored.keys()].filter((slot) => isMarked(stored[slot], 'garbled'));
    const untold = [...stored.entries()].flatMap(([slot, value]) =>
      isMarked(value, 'untold') ? [[slot, value.untold] as const] : [],
    );
    return {
      cells: stored.map(cellOf),
      ...(garbled.length > 0 && { garbled: new Set(garbled) }),
      ...(untold.length > 0 && { untold: new Map(untold) }),
      ...(has !== undefined && { has }),
    };
  }

  #shown(key: readonly string[]): readonly string[] {
    return this.#secrets.isInKey ? [] : key;
  }

  #keyOf(key: readonly string[]): string {
    const text = JSON.stringify(key.map((part) => foldUsername(part)));
    if (!this.#secrets.isInKey) return text;
    return createHmac('sha256', this.#keyOfKeys).update(text).digest('base64');
  }
}

function storedOf({ cells, garbled, untold }: Partner, slot: number): Stored[number] {
  const cell = cells[slot] ?? null;
  const why = cell === null ? untold?.get(slot) : undefined;
  if (why !== undefined) return { untold: why };
  return garbled?.has(slot) === true ? { garbled: cell } : cell;
}

type Marked = Exclude<Stored[number], Value>;

function isMarked<K extends 'garbled' | 'untold' | 'has'>(
  value: Stored[number] | undefined,
  mark: K,
): value is Extract<Marked, Readonly<Record<K, unknown>>> {
  return value !== null && typeof value === 'object' && mark in value;
}

function cellOf(value: Stored[number]): Cell {
  if (isMarked(value, 'untold') || isMarked(value, 'has')) return undefined;
  return (isMarked(value, 'garbled') ? value.garbled : value) ?? undefined;
}
