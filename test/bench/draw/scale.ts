/** A logarithmic axis. */
export interface Scale {
  /** Returns the place of a value on the page. */
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 5];

/** Numbers of the form 1, 2, 5 × 10ⁿ, from the last one below all values to the first one above them. */
function ticksAround(values: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const all = Array.from({ length: 16 }, (_, index) => 10 ** (index - 5)).flatMap((ten) =>
    STEPS.map((step) => step * ten),
  );
  const first = all.findLastIndex((tick) => tick <= least);
  const last = all.findIndex((tick) => tick >= most);
  return all.slice(first, last + 1);
}

function scaleOf(ticks: readonly number[], [from, to]: readonly [number, number], margin = 0): Scale {
  const low = Math.log(ticks[0] ?? 1) - margin;
  const high = Math.log(ticks.at(-1) ?? 10) + margin;
  return { ticks, at: (value) => from + ((Math.log(value) - low) / (high - low || 1)) * (to - from) };
}

/** Returns an axis with numbers of the form 1, 2, 5 × 10ⁿ around the values. */
export function roundScale(values: readonly number[], range: readonly [number, number]): Scale {
  const ticks = ticksAround(values);
  return scaleOf(ticks.length > 1 ? ticks : [(ticks[0] ?? 1) / 2, ...ticks], range);
}

/** Returns an axis whose ticks are the values themselves, with some room at both ends. */
export function exactScale(values: readonly number[], range: readonly [number, number]): Scale {
  const ticks = [...new Set(values)].toSorted((one, other) => one - other);
  return scaleOf(ticks, range, 0.5);
}
