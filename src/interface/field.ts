import type { Json, JsonObject } from './json.ts';

/**
 * Kind of a value on the wire. `id` is a 64-bit integer or its digits as text; `time` are milliseconds since the epoch
 * (interface: Conventions, 5); `day` is yyyyMMdd; `bytes` are base64 in JSON; `json` is a value whose shape the
 * interface does not show.
 */
export type Simple = 'text' | 'id' | 'integer' | 'time' | 'day' | 'float' | 'flag' | 'bytes' | 'json';

/** What is true of a field wherever it stands. */
interface FieldTraits {
  /** Type as the interface writes it, where it differs from the kind's usual spelling. */
  readonly type?: string;
  readonly required?: boolean;
  /** Whether "" is a value; by default it is none where the field is required, or in a query anything but free text. */
  readonly mayBeEmpty?: boolean;
  readonly default?: string | number | boolean;
  /** Smallest and largest number; fewest and most elements of a list; most bytes of a text. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only values that the interface names, in lower or upper case as it writes them. */
  readonly values?: readonly string[];
  /** Whether `values` may be spelled in either case. */
  readonly anyCase?: boolean;
  readonly note?: string;
}

export interface SimpleField extends FieldTraits {
  readonly kind: Simple;
}

export interface ListField extends FieldTraits {
  readonly kind: 'list';
  readonly of: Field;
}

/** An object whose keys are data. */
export interface MapField extends FieldTraits {
  readonly kind: 'map';
  readonly of: Field;
}

export interface RecordField extends FieldTraits {
  readonly kind: 'record';
  readonly fields: Fields;
  /** Fields of which one at least must not be empty. */
  readonly oneOf?: readonly string[];
}

export type Field = SimpleField | ListField | MapField | RecordField;
export type Fields = Readonly<Record<string, Field>>;

type OfKind<K extends Simple, T> = { readonly kind: K } & T;
type Maker<K extends Simple> = <const T extends FieldTraits = object>(traits?: T) => OfKind<K, T>;

function maker<K extends Simple>(kind: K): Maker<K> {
  return (traits) => ({ kind, ...traits }) as never;
}

export const text = maker('text');
export const id = maker('id');
export const integer = maker('integer');
export const time = maker('time');
export const day = maker('day');
export const float = maker('float');
export const flag = maker('flag');
export const bytes = maker('bytes');
export const json = maker('json');

/** Returns a list of such values. */
export function list<const F extends Field, const T extends FieldTraits = object>(
  of: F,
  traits?: T,
): { readonly kind: 'list'; readonly of: F } & T {
  return { kind: 'list', of, ...traits } as never;
}

/** Returns an object of such values under any keys. */
export function map<const F extends Field>(of: F): { readonly kind: 'map'; readonly of: F } {
  return { kind: 'map', of };
}

/** Returns an object with these fields. */
export function record<
  const F extends Fields,
  const T extends FieldTraits & Pick<RecordField, 'oneOf'> = object,
>(fields: F, traits?: T): { readonly kind: 'record'; readonly fields: F } & T {
  return { kind: 'record', fields, ...traits } as never;
}

interface SimpleValues {
  readonly text: string;
  readonly id: string | number | bigint;
  readonly integer: number | bigint;
  readonly time: number | bigint;
  readonly day: number | bigint;
  readonly float: number;
  readonly flag: boolean;
  readonly bytes: string;
  readonly json: Json;
}

type ElementOf<F> = F extends { readonly kind: infer K extends Simple }
  ? SimpleValues[K]
  : F extends { readonly kind: 'list' }
    ? Json
    : JsonObject;

type ValueOf<F> = F extends { readonly kind: 'list'; readonly of: infer E }
  ? readonly ElementOf<E>[]
  : ElementOf<F>;

type Needed = { readonly required: true };

/** The members of a record after its check; an optional one may be `null`. */
export type MembersOf<F> = F extends { readonly fields: infer R }
  ? { readonly [N in keyof R as R[N] extends Needed ? N : never]: ValueOf<R[N]> } & {
      readonly [N in keyof R as R[N] extends Needed ? never : N]?: ValueOf<R[N]> | null | undefined;
    }
  : never;
