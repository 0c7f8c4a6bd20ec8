import type {
  KeptEnd,
  KeptPart,
  KeptRow,
  KeptRows,
  KeptValue,
  NotKept,
  SourceKeep,
} from '../../domain/ports/source-keep.ts';
import type { Print } from '../../domain/records/recognition.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';
import type { OneSource } from '../../domain/source-settings.ts';
import { inAnyCase } from '../../domain/text/fold.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { Cell, RawRecord } from '../mapping/values/raw-record.ts';
import { inlineBytes } from '../pictures/inline-picture.ts';
import { isOfLogo } from './secret-places.ts';
import { keptAsk, placeIn, type AskedPart } from './kept-ask.ts';

/** Longest value that is kept, in characters. Longer ones are pictures and the like. */
const LONGEST = 4_096;
/** A shorter value is no picture worth leaving out. */
const SMALLEST_PICTURE = 512;

/** Whose records are kept, and where. */
export interface Keeping {
  readonly settings: OneSource;
  /** As `spellIdentity` writes it. */
  readonly identity: string;
  readonly keep: SourceKeep;
  readonly idPrefix: string;
}

/** Keeps the raw records of one part. */
export class PartKeeper {
  readonly #keeping: Keeping;
  readonly #about: KeptPart;
  readonly #slots: readonly number[];
  readonly #secret: readonly string[];

  constructor(part: AskedPart, mapper: Mapper<unknown>, keeping: Keeping) {
    const { settings, identity } = keeping;
    const secrets = part === 'rows' ? (settings.rows?.secrets ?? []) : mapper.secretNames;
    const isSecret = inAnyCase(secrets);
    const kept = [...mapper.names.entries()].filter(
      ([slot, name]) => !isSecret(name) && !isOfLogo(mapper.places[slot] ?? []),
    );
    this.#keeping = keeping;
    this.#slots = kept.map(([slot]) => slot);
    this.#secret = mapper.names.filter(isSecret);
    this.#about = {
      part: part === 'rows' ? 'partners' : part,
      ...placeIn(identity),
      ask: keptAsk(settings, part),
      names: kept.map(([, name]) => name),
    };
  }

  /** Returns what takes the records of this read; `null`: they are kept already, or nothing is. */
  begin(): RowKeeper | null {
    const { keep, settings, idPrefix } = this.#keeping;
    const rows = keep.part(this.#about);
    if (rows === null) return null;
    const hasPlaces = SOURCE_KINDS[settings.type].namesRecords;
    const about = { ...this.#about, slots: this.#slots, secret: this.#secret };
    return new RowKeeper(rows, { ...about, hasPlaces, idPrefix });
  }
}

interface RowsAbout extends KeptPart {
  readonly slots: readonly number[];
  readonly secret: readonly string[];
  readonly hasPlaces: boolean;
  readonly idPrefix: string;
}

/** Ids and usernames of a person, id first, as far as a reading has them. */
export type Whose = readonly (string | null | undefined)[];

/** Keeps the raw records of one part while they are read. */
export class RowKeeper {
  readonly #rows: KeptRows;
  readonly #about: RowsAbout;
  readonly #large = new Set<string>();

  constructor(rows: KeptRows, about: RowsAbout) {
    this.#rows = rows;
    this.#about = about;
  }

  /**
   * @param told returns the record, and the person whom it is of; not called where it is kept already
   * @param print as `KeptRows` has it
   */
  add(told: () => { readonly raw: RawRecord; readonly whose: Whose }, print: Print | null): void {
    this.#rows.add(() => {
      const { raw, whose } = told();
      return this.#rowOf(raw, whose);
    }, print);
  }

  #rowOf({ cells, place, unknown, garbled, problem }: RawRecord, [id, ...names]: Whose): KeptRow {
    const { slots, hasPlaces, idPrefix } = this.#about;
    const ids = id === undefined || id === null || id === '' ? [] : [`${idPrefix}${id}`];
    return {
      values: slots.map((slot, index) => this.#valueOf(cells[slot], index)),
      whose: [...ids, ...names.filter((name): name is string => typeof name === 'string' && name !== '')],
      place: hasPlaces ? place : null,
      unknown: this.#among(unknown),
      garbled: this.#among(garbled),
      problem: problem ?? null,
    };
  }

  end({ unknown }: SourceEvidence): void {
    this.#rows.end(() => this.#end(unknown));
  }

  #end(unknown: SourceEvidence['unknown']): KeptEnd {
    const { part, names, secret } = this.#about;
    const left = [
      ...secret.map((name): readonly [string, NotKept] => [name, 'secret']),
      ...[...this.#large].map((name): readonly [string, NotKept] => [name, 'large']),
    ];
    const lacking = unknown.filter((one) => one.part === part && names.includes(one.name));
    return {
      left: Object.fromEntries(left),
      unknown: Object.fromEntries(lacking.map(({ name, suggestion }) => [name, suggestion])),
    };
  }

  #among(some: ReadonlySet<number> | undefined): readonly number[] {
    if (some === undefined) return [];
    return this.#about.slots.flatMap((slot, index) => (some.has(slot) ? [index] : []));
  }

  #valueOf(cell: Cell, index: number): KeptValue {
    if (cell === undefined) return null;
    if (typeof cell === 'string' ? !isLarge(cell) : !cell.some(isLarge)) return cell;
    this.#large.add(this.#about.names[index] ?? '');
    return null;
  }
}

const isLarge = (value: string): boolean =>
  value.length > LONGEST || (value.length >= SMALLEST_PICTURE && inlineBytes(value) !== null);
