const CONTROL = /[\p{Cc}\s]+/gu;
const LONGEST = 160;

/** A value of somebody else's making, in one line of the terminal. */
export function clean(text: string): string {
  const line = text.replaceAll(CONTROL, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Columns as wide as their widest cell; the second one is numbers. */
export function table(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const width = (column: 0 | 1): number => Math.max(0, ...rows.map((row) => row[column].length));
  const [names, values] = [width(0), width(1)];
  return rows.map(([name, value, note]) =>
    `${name.padEnd(names)}  ${value.padStart(values)}  ${note}`.trimEnd(),
  );
}
