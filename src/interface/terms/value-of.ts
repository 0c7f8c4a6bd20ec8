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

interface Required {
  readonly required: true;
}

/** Type of a record's value: required fields must be there. */
export type RecordOf<F> = {
  readonly [N in keyof F as F[N] extends Required ? N : never]: ValueOf<F[N]>;
} & { readonly [N in keyof F as F[N] extends Required ? never : N]?: ValueOf<F[N]> };

/** Type of a field's value, as a request takes it. */
export type ValueOf<F> = F extends { readonly kind: 'list'; readonly of: infer O }
  ? readonly ValueOf<O>[]
  : F extends { readonly kind: 'map'; readonly of: infer O }
    ? Readonly<Record<string, ValueOf<O>>>
    : F extends { readonly kind: 'record'; readonly fields: infer R }
      ? RecordOf<R>
      : OfSimple<F>;

type OfSimple<F> = F extends { readonly values: readonly (infer V extends string)[] }
  ? F extends { readonly anyCase: true }
    ? V | Uppercase<V>
    : V
  : F extends { readonly kind: infer K extends keyof Simples }
    ? Simples[K]
    : never;

/** Names of the variable parts of a path. */
export type PartsOf<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PartsOf<R> : never;
