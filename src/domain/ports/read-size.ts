import { counted } from '../text/counted.ts';
import type { SourcePart } from '../reading/source-part.ts';
import { listSome, printable } from '../text/printable.ts';

/** How many records each part of a complete read had. */
export interface ReadSize {
  /** Identity of the source: another one has its own number of records. */
  readonly identity: string;
  readonly parts: readonly PartSize[];
}

interface PartSize extends Pick<SourcePart, 'part' | 'from' | 'records'> {
  /** Partners: how many joins of this source brought any. */
  readonly filled?: number;
  /** Of several bases those that brought enough to be missed. */
  readonly bases?: readonly string[];
}

/** So many records may always be missing: of a few, one is a large share. */
const FEW = 5;
/** So many records of one base do not all go at once: fewer are the last ones of a small place, who may leave. */
const MISSED_FROM = 3;

/**
 * Returns the sizes of three kinds of parts: those that cannot prove their end, those with several bases, and
 * partners, whose absence would empty fields of all people. If two joins read one source, their partners
 * count together.
 */
export function sizeOf(identity: string, parts: readonly SourcePart[]): ReadSize {
  const sums = new Map<string, PartSize>();
  for (const part of parts.filter(isMeasured)) {
    const key = JSON.stringify([part.part, part.from]);
    sums.set(key, added(sums.get(key), part));
  }
  return { identity, parts: [...sums.values()] };
}

/** Returns this size, with parts of the same source that were not measured now as they were before. */
export function withUnmeasured(now: ReadSize, known: ReadSize | null): ReadSize {
  const isNow = ({ part, from }: PartSize): boolean =>
    now.parts.some((one) => one.part === part && one.from === from);
  return { ...now, parts: [...now.parts, ...(known?.parts ?? []).filter((one) => !isNow(one))] };
}

const isMeasured = ({ part, atLeastPercent, bases = [] }: SourcePart): boolean =>
  atLeastPercent !== undefined || part === 'partners' || bases.length > 0;

/** Returns the sum of what was counted of a part before and of what came now. */
function added(before: PartSize | undefined, { part, from, records, bases = [] }: SourcePart): PartSize {
  const sum = { part, ...(from !== undefined && { from }), records: (before?.records ?? 0) + records };
  const full = [
    ...(before?.bases ?? []),
    ...bases.filter((one) => one.records >= MISSED_FROM).map(({ base }) => base),
  ];
  return {
    ...sum,
    ...filledOf(before, { part, records }),
    ...(full.length > 0 && { bases: [...new Set(full)] }),
  };
}

function filledOf(
  before: PartSize | undefined,
  { part, records }: Pick<SourcePart, 'part' | 'records'>,
): Pick<PartSize, 'filled'> {
  return part === 'partners' ? { filled: (before?.filled ?? 0) + (records > 0 ? 1 : 0) } : {};
}

/**
 * Returns which parts have too few records to be whole; none: all are.
 *
 * @param known the ledger's fact `readSize`, if it is of this source
 */
export function shortfalls(
  known: ReadSize | null,
  now: ReadSize,
  parts: readonly SourcePart[],
): readonly Shortfall[] {
  if (known === null) return [];
  return now.parts.flatMap((size): readonly Shortfall[] => {
    const isSame = (one: Pick<SourcePart, 'part' | 'from'>): boolean =>
      one.part === size.part && one.from === size.from;
    const before = known.parts.find(isSame);
    if (before === undefined) return [];
    const from = size.from ?? null;
    const own = parts.filter(isSame);
    const hidden = emptyBases(before, own);
    if (hidden.length > 0) return [{ part: size.part, bases: hidden, from, kind: 'bases' }];
    if (isEmptied(before, size, own)) return [{ before: before.records, from, kind: 'emptied' }];
    const percent = own[0]?.atLeastPercent ?? 0;
    const isWhole = before.records - size.records <= FEW || size.records * 100 >= before.records * percent;
    const about = `${counted(size.records, 'record')} of ${size.part}, while the last read had ${counted(before.records, 'record')}`;
    return isWhole ? [] : [{ about, percent, from, kind: 'few' }];
  });
}

/** Returns the bases that had records before, are still read, and have none now. */
function emptyBases(before: PartSize, own: readonly SourcePart[]): readonly string[] {
  const asked = own.flatMap(({ bases = [] }) => bases);
  const empty = new Set(asked.filter(({ records }) => records === 0).map(({ base }) => base));
  return (before.bases ?? []).filter((base) => empty.has(base));
}

/** Returns whether a join has no partner at all, and fewer joins have one than before. */
function isEmptied(before: PartSize, now: PartSize, own: readonly SourcePart[]): boolean {
  if (now.part !== 'partners' || own.every(({ records }) => records > 0)) return false;
  return (now.filled ?? 0) < (before.filled ?? (before.records > 0 ? 1 : 0));
}

/**
 * A part with too few records to be complete, a base without records, or a join without partners. `from`: the
 * source; `null`: the only one.
 */
export type Shortfall =
  | { readonly kind: 'few'; readonly about: string; readonly percent: number; readonly from: string | null }
  | {
      readonly kind: 'bases';
      readonly part: SourcePart['part'];
      readonly bases: readonly string[];
      readonly from: string | null;
    }
  | { readonly kind: 'emptied'; readonly before: number; readonly from: string | null };

/** Returns sentences: what is missing, by which setting, and what to do. */
export function describeShortfalls(short: readonly Shortfall[]): string {
  const emptied = short.flatMap((one) => (one.kind === 'emptied' ? [describeEmptied(one)] : []));
  const hidden = short.flatMap((one) => (one.kind === 'bases' ? [describeBases(one)] : []));
  const few = short.filter((one) => one.kind === 'few');
  return [...hidden, ...emptied, ...(few.length === 0 ? [] : [describeFew(few)])].join('. ');
}

function describeEmptied({ before, from }: Shortfall & { readonly kind: 'emptied' }): string {
  return (
    `sources.${from ?? ''} has no record for a join, while its partners in the last complete read were ${counted(before, 'record')}; ` +
    'the read is taken as incomplete and nothing is sent. Check what is asked there, and the rights of the reading ' +
    'account; if it is empty for good, remove the join'
  );
}

function describeBases({ part, bases, from }: Shortfall & { readonly kind: 'bases' }): string {
  const path = from === null ? `source.${part}` : `sources.${from}`;
  return (
    `${path}.base: ${listSome(bases.map((dn) => printable(dn)))} brought no record of ${part}, while there were some in the ` +
    'last complete read; the read is taken as incomplete and nothing is sent. Check the rights of the reading account ' +
    'there; a base that is empty for good is removed from the configuration'
  );
}

function describeFew(short: readonly (Shortfall & { readonly kind: 'few' })[]): string {
  const shares = short.map(({ about, from }) => (from === null ? about : `${about} (sources.${from})`));
  const limits = [...new Set(short.map(({ percent }) => `${percent} %`))];
  return (
    `this read has ${shares.join(', and ')}: less than ${limits.join(', ')}, so it is taken ` +
    'as incomplete and nothing is sent. Look at the export or the server; if so many are really gone, run: rollcall sync --full'
  );
}
