import type { ErrorDetails, RollcallError } from './errors.ts';

/** Sentences by code: place, what is wrong; what to do. `{name}` stands for a value. */
type Table = Readonly<Record<string, string>>;

/** Names of the values in a sentence. */
type NamesIn<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A sentence that is put together of several texts has any values. */
type ValuesOf<S extends string> = Readonly<Record<string extends S ? string : NamesIn<S>, string | number>>;

/** Returns a sentence with its values. */
export const fillIn = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(/\{(?<name>\w+)\}/gu, (hole, name: string) => String(values[name] ?? hole));

/**
 * Returns what makes the errors of one room, by code. `docs/troubleshooting.md` is made from its `table`; the terminal and
 * the log show the code before the sentence.
 */
export function problemsOf<E extends RollcallError, const T extends Table>(
  Kind: new (message: string, details: ErrorDetails) => E,
  table: T,
) {
  const make = <C extends keyof T & string>(code: C, values: ValuesOf<T[C]>, details?: ErrorDetails): E =>
    new Kind(fillIn(table[code] ?? code, values), { ...details, problem: code });
  return Object.assign(make, { table });
}
