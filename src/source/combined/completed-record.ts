import type { Cell, RawRecord } from '../mapping/values/raw-record.ts';

/** Where a slot of a person's rules gets its value: from the own record, or from the partner. */
export type Origin = { readonly own: number } | { readonly partner: number };

/** What is known of the partner of a record. */
interface KnownPartner {
  /** `null`: there is none. */
  readonly cells: readonly Cell[] | null;
  readonly garbled?: RawRecord['garbled'];
  /** Slots of which this partner tells nothing, with the reason. */
  readonly untold?: RawRecord['whyUnknown'];
  /** Slots of names of which nothing is known of any partner. */
  readonly unknown: ReadonlySet<number> | 'all';
}

/** Nobody knows who the partner is. Its values are unknown, not empty: an empty one could say that somebody has left. */
export const UNTOLD: KnownPartner = { cells: null, unknown: 'all' };

/** Returns the record with the values of its partner. */
export function completed(
  raw: RawRecord,
  origins: readonly Origin[],
  { cells, garbled, unknown, untold }: KnownPartner,
): RawRecord {
  const all = origins.map((origin) => ('own' in origin ? raw.cells[origin.own] : cells?.[origin.partner]));
  const own = placed(raw.unknown, origins);
  const lacking = unknown === 'all' || unknown.size > 0 ? foreignSlots(origins, unknown) : [];
  const silent = untold === undefined ? [] : foreignSlots(origins, untold);
  return {
    ...raw,
    cells: all,
    unknown: lacking.length + silent.length === 0 ? own : new Set([...(own ?? []), ...lacking, ...silent]),
    whyUnknown: whysOf(origins, raw.whyUnknown, untold),
    garbled: both(placed(raw.garbled, origins), foreign(garbled, origins)),
  };
}

function foreignSlots(
  origins: readonly Origin[],
  unknown: Pick<ReadonlySet<number>, 'has'> | 'all',
): readonly number[] {
  const isUnknown = (origin: Origin): boolean =>
    'partner' in origin && (unknown === 'all' || unknown.has(origin.partner));
  return [...origins.entries()].filter(([, origin]) => isUnknown(origin)).map(([slot]) => slot);
}

/** Returns slots of the partner as those of the completed record. */
const foreign = (slots: RawRecord['garbled'], origins: readonly Origin[]): RawRecord['garbled'] =>
  slots === undefined ? undefined : new Set(foreignSlots(origins, slots));

/** Returns why slots are unknown, own ones and those of the partner. */
function whysOf(
  origins: readonly Origin[],
  own: RawRecord['whyUnknown'],
  partner: RawRecord['whyUnknown'],
): RawRecord['whyUnknown'] {
  if (own === undefined && partner === undefined) return undefined;
  const whys = origins.flatMap((origin, slot) => {
    const why = 'own' in origin ? own?.get(origin.own) : partner?.get(origin.partner);
    return why === undefined ? [] : [[slot, why] as const];
  });
  return new Map(whys);
}

function both(one: RawRecord['garbled'], other: RawRecord['garbled']): RawRecord['garbled'] {
  return one === undefined || other === undefined ? (one ?? other) : new Set([...one, ...other]);
}

/** Returns slots of the own record as those of the completed one. */
function placed(own: RawRecord['unknown'], origins: readonly Origin[]): RawRecord['unknown'] {
  if (own === undefined) return undefined;
  const slots = [...origins.entries()].filter(([, origin]) => 'own' in origin && own.has(origin.own));
  return new Set(slots.map(([slot]) => slot));
}
