import type { Field, Fields, ListField, MapField, RecordField, SimpleField } from './field.ts';

interface Simples {
  readonly text: string;
  /** Digits, which may be more than a double holds. */
  readonly id: string;
  readonly integer: number;
  readonly time: number;
  readonly day: number;
  readonly float: number;
  readonly flag: boolean;
  readonly bytes: string;
  readonly json: unknown;
}

type OfSimple<F extends SimpleField> = F extends { readonly values: readonly (infer V extends string)[] }
  ? F extends { readonly anyCase: true }
    ? V | Uppercase<V>
    : V
  : Simples[F['kind']];

type RequiredNames<F extends Fields> = {
  [N in keyof F]: F[N] extends { readonly required: true } ? N : never;
}[keyof F];

/** Type of a record's value: required fields must be there. */
export type RecordOf<F extends Fields> = { readonly [N in RequiredNames<F>]: ValueOf<F[N]> } & {
  readonly [N in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[N]>;
};

/** Type of a field's value, as a request takes it. */
export type ValueOf<F extends Field> = F extends SimpleField
  ? OfSimple<F>
  : F extends ListField
    ? readonly ValueOf<F['of']>[]
    : F extends MapField
      ? Readonly<Record<string, ValueOf<F['of']>>>
      : F extends RecordField
        ? RecordOf<F['fields']>
        : never;

/** Names of the variable parts of a path. */
export type PartsOf<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PartsOf<R> : never;
