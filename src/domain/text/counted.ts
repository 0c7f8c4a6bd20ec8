/** Returns a number with its noun: `1 change`, `12,000 changes`. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
