import type { KeptRow } from '../../domain/ports/source-keep.ts';
import type { UnknownAttribute } from '../../domain/reading/source-part.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { Cell, RawRecord } from '../mapping/values/raw-record.ts';
import type { FoundPart } from './found-part.ts';
import type { Recording } from './recording.ts';
import { isDispensable } from './secret-places.ts';

/** Returns the value of a name that follows from the place of a record; `undefined`: it is another name. */
export type Derive = (name: string) => ((place: string) => Cell) | undefined;

/** Where a slot of the rules gets its value. */
type Origin = { readonly at: number } | { readonly derive: (place: string) => Cell } | null;

/** Puts the values of kept records where the rules look for them. */
export class RowReader {
  /** Names that the source did not know. */
  readonly unknown: readonly UnknownAttribute[];
  /** Names that are not kept and that the plan can do without. */
  readonly notKept: readonly UnknownAttribute[];
  readonly #origins: readonly Origin[];
  readonly #at: Date;
  readonly #part: FoundPart['part'];
  /** Slots that have no value in any record. */
  readonly #lacking: readonly number[];

  constructor(
    { part }: FoundPart,
    mapper: Mapper<unknown>,
    { recording, derive }: { readonly recording: Recording; readonly derive: Derive },
  ) {
    this.#part = part;
    this.#at = new Date(recording.read.at);
    const notKept: UnknownAttribute[] = [];
    const unknown: UnknownAttribute[] = [];
    this.#origins = mapper.names.map((name, slot): Origin => {
      const places = mapper.places[slot] ?? [];
      const derived = derive(name);
      if (derived !== undefined) return { derive: derived };
      const at = indexOf(part.names, name);
      const lost = { part: part.part, name, places, suggestion: part.unknown[part.names[at] ?? ''] ?? null };
      if (at >= 0 && (part.names[at] ?? '') in part.unknown) unknown.push(lost);
      if (at >= 0 && part.left[part.names[at] ?? ''] === undefined) return { at };
      if (isDispensable(places)) notKept.push(lost);
      else recording.refuse(notKeptBecause(part, name, places));
      return null;
    });
    this.#lacking = [...this.#origins.keys()].filter((slot) => this.#origins[slot] === null);
    this.unknown = unknown;
    this.notKept = notKept;
  }

  /** @param row number of the record, from 1 */
  read({ values, place, unknown, garbled, problem }: KeptRow, row: number): RawRecord {
    const at = place ?? `row ${row} of ${this.#part.part}`;
    const cells = this.#origins.map((origin): Cell => {
      if (origin === null) return undefined;
      return 'derive' in origin ? origin.derive(at) : (values[origin.at] ?? undefined);
    });
    const lacking = [...this.#lacking, ...this.#slotsOf(unknown)];
    return {
      cells,
      at: this.#at,
      place: at,
      ...(lacking.length > 0 && { unknown: new Set(lacking) }),
      ...(garbled.length > 0 && { garbled: new Set(this.#slotsOf(garbled)) }),
      ...(problem !== null && { problem }),
    };
  }

  #slotsOf(places: readonly number[]): readonly number[] {
    if (places.length === 0) return [];
    const isThere = (origin: Origin | undefined): boolean =>
      origin !== null && origin !== undefined && 'at' in origin && places.includes(origin.at);
    return [...this.#origins.keys()].filter((slot) => isThere(this.#origins[slot]));
  }
}

/** Returns the place of a name: spelled alike, else in any case; -1: it is not there. */
function indexOf(names: readonly string[], name: string): number {
  const exact = names.indexOf(name);
  return exact >= 0 ? exact : names.findIndex((one) => one.toLowerCase() === name.toLowerCase());
}

const REASONS = {
  secret: 'is a secret in the mapping of the read that is kept, and secrets are never kept',
  large: 'has pictures or other long values, which are not kept',
} as const;

function notKeptBecause({ left }: FoundPart['part'], name: string, places: readonly string[]): string {
  const key = Object.keys(left).find((one) => one.toLowerCase() === name.toLowerCase());
  const reason = left[key ?? ''];
  const why =
    reason === undefined
      ? 'was not kept, as no rule needed it: plan with the source (without --recorded), or let one run read it (rollcall sync) under a configuration that maps it'
      : `${REASONS[reason]}: plan with the source (without --recorded)`;
  return `${places.length === 0 ? 'source' : places.map(printable).join(', ')}: ${printable(name)} ${why}.`;
}
