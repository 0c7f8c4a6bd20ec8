/** Where like parts stand in the same bytes: for each its first byte and the one behind its last, in turn. */
export interface Spans {
  readonly bytes: Buffer;
  readonly bounds: readonly number[];
  /** What counts as each byte when parts are compared: 256 of them. */
  readonly letters: Uint8Array;
}

/** Up to so many are put in order one by one, which is faster than what a long list needs. */
const FEW = 24;

/** Sorts places in `bounds` by the bytes of the parts that begin there; equal parts keep their order. */
export function sortSpans(order: number[], spans: Spans): void {
  if (order.length > FEW) {
    order.sort((left, right) => compare(spans, left, right));
    return;
  }
  for (let from = 1; from < order.length; from += 1) insert(order, from, spans);
}

/** Moves one part to its place among those before it, which are in order. */
function insert(order: number[], from: number, spans: Spans): void {
  const moved = order[from] ?? 0;
  let to = from;
  for (; to > 0; to -= 1) {
    const before = order[to - 1] ?? 0;
    if (compare(spans, before, moved) <= 0) break;
    order[to] = before;
  }
  order[to] = moved;
}

/** Returns a negative number where the left part comes first; the beginning of a part comes before it. */
function compare({ bytes, bounds, letters }: Spans, left: number, right: number): number {
  let one = bounds[left] ?? 0;
  let other = bounds[right] ?? 0;
  const oneEnd = bounds[left + 1] ?? 0;
  const otherEnd = bounds[right + 1] ?? 0;
  for (; one < oneEnd && other < otherEnd; one += 1, other += 1) {
    const difference = (letters[bytes[one] ?? 0] ?? 0) - (letters[bytes[other] ?? 0] ?? 0);
    if (difference !== 0) return difference;
  }
  return oneEnd - one - (otherEnd - other);
}
