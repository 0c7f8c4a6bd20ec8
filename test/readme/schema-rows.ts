import { parse } from 'yaml';
import { z } from 'zod';
import { settingsJsonSchema } from '../config/settings-json-schema.ts';

/** The parts of a JSON Schema that the pages show. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Row {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

const whole = settingsJsonSchema() as unknown as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};
export const SCHEMA: Schema = whole;
export const KINDS: readonly Schema[] = whole.properties?.['source']?.anyOf?.[0]?.oneOf ?? [];
export const SEVERAL: Schema = whole.properties?.['source']?.anyOf?.[1] ?? {};

const variants = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];
const byName = ({ additionalProperties: named }: Schema): Schema | undefined =>
  typeof named === 'object' && Object.keys(named).length > 0 ? named : undefined;

/** Returns every key below a schema, each path once; rules of fields have a page of their own. */
export function keysBelow(schema: Schema, path: string): readonly Row[] {
  const { properties = {}, required = [], items } = schema;
  const own = Object.entries(properties).flatMap(([key, value]): readonly Row[] => {
    const at = path === '' ? key : `${path}.${key}`;
    const row = { path: at, schema: value, isRequired: required.includes(key) };
    return key === 'fields' ? [row] : [row, ...keysBelow(value, at)];
  });
  const named = byName(schema);
  const rows = [
    ...own,
    ...variants(schema).flatMap((one) => keysBelow(one, path)),
    ...(items === undefined ? [] : keysBelow(items, path)),
    ...(named === undefined ? [] : keysBelow(named, `${path}.NAME`)),
  ];
  return [...new Map(rows.toReversed().map((row) => [row.path, row])).values()].toReversed();
}

/** Returns the type of a value in words. */
export function typeOf(schema: Schema): string {
  const { $ref, enum: values, items, type, properties } = schema;
  if ($ref !== undefined) return $ref.replace('#/$defs/', '');
  if ('const' in schema) return code(String(schema.const));
  if (values !== undefined) return [...new Set(values.map(String))].map(code).join(', ');
  if (items !== undefined) return `[${typeOf(items)}]`;
  const several = variants(schema).map(typeOf);
  if (several.length > 0) return [...new Set(several)].join(' or ');
  if (properties !== undefined) return 'section';
  const named = byName(schema);
  if (named !== undefined) return `{ NAME: ${typeOf(named)} }`;
  const words = [type].flat().map(wordOf).join(' or ');
  return words === 'text or number or true or false' ? 'constant' : `${words}${bounds(schema)}`;
}

const wordOf = (type: string | undefined): string =>
  type === 'string' ? 'text' : type === 'boolean' ? 'true or false' : (type ?? 'section');

/** Bounds on both sides; that a number is not negative goes without saying. */
const bounds = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): string =>
  maximum < Number.MAX_SAFE_INTEGER ? ` from ${minimum} to ${maximum}` : '';

/** Returns whether the schema of a key takes an example, written as YAML. */
export function takes(schema: Schema, example: string): boolean {
  const checked = z.fromJSONSchema({ ...schema, $defs: whole.$defs } as never);
  return checked.safeParse(parse(example)).success;
}

/** A cell ends at a bar, also within code. */
export const code = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``;
