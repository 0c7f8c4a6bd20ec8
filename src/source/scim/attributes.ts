import type { Cell } from '../mapping/values/raw-record.ts';
import { isObject } from '../../lib/parse-lossless.ts';

/** A resource as the server sends it (RFC 7643, section 3). */
export type Resource = Readonly<Record<string, unknown>>;

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user';

/**
 * Reads an attribute by its name as the configuration has it, in any case: `userName`, `name.givenName`;
 * `emails` for every value, `emails.work` for those of a type, `emails.primary` for the primary one,
 * `addresses.work.locality`; `enterprise.department` for the enterprise extension, and the whole URN for others,
 * as in `urn:example:hr:2.0:User:grade`. Of an object without further name its `value` counts.
 */
export function attributeReader(name: string): (resource: Resource) => Cell {
  const { schema, path } = partsOf(name.trim());
  const isText = schema === null && CORE_TEXTS.has(path[0] ?? '') && path.at(-1) !== PRIMARY;
  return (resource) => {
    const start = schema === null ? resource : within(resource, schema);
    const value = path.reduce<unknown>(step, start);
    return texts(value, isText ? (text) => text : withBoolean);
  };
}

/** The attributes of users and groups in which nothing but `primary` is a boolean (RFC 7643, section 4). */
const CORE_TEXTS: ReadonlySet<string> = new Set(
  (
    'id externalid meta username name displayname nickname profileurl title usertype preferredlanguage locale timezone ' +
    'password emails phonenumbers ims photos addresses groups entitlements roles x509certificates members member'
  ).split(' '),
);

const PRIMARY = 'primary';

/** Returns `true` or `false` for a boolean that a server writes as text, in any case; another text as it is. */
const withBoolean = (text: string): string =>
  /^\s*(?:true|false)\s*$/iu.test(text) ? text.trim().toLowerCase() : text;

/** Returns whether a value is this boolean, also as text in any case: some servers write `"True"`. */
export const isBoolean = (value: unknown, wanted: boolean): boolean =>
  value === wanted || (typeof value === 'string' && withBoolean(value) === String(wanted));

interface AttributeParts {
  /** Name of an extension, in lower case; `null`: the attribute is of the resource itself. */
  readonly schema: string | null;
  readonly path: readonly string[];
}

function partsOf(name: string): AttributeParts {
  const lower = name.toLowerCase();
  if (lower.startsWith('enterprise.')) return { schema: ENTERPRISE, path: lower.split('.').slice(1) };
  const end = lower.startsWith('urn:') ? lower.lastIndexOf(':') : -1;
  if (end < 0) return { schema: null, path: lower.split('.') };
  return { schema: lower.slice(0, end), path: lower.slice(end + 1).split('.') };
}

function step(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return among(value, name);
  return isObject(value) ? within(value, name) : undefined;
}

/** Returns what each entry has under the name; if none has any, the entries of that type. */
function among(entries: readonly unknown[], name: string): readonly unknown[] {
  if (name === PRIMARY) return entries.filter((entry) => isBoolean(within(entry, PRIMARY), true));
  const found = entries.map((entry) => within(entry, name)).filter((value) => value !== undefined);
  if (found.length > 0) return found;
  return entries.filter((entry) => String(within(entry, 'type')).toLowerCase() === name);
}

/** Returns the value of a key in any case. */
function within(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  const key = Object.keys(value).find((one) => one.toLowerCase() === name);
  return key === undefined ? undefined : value[key];
}

function texts(value: unknown, spelled: (text: string) => string): Cell {
  const one = (entry: unknown): string | undefined => {
    const text = textOf(entry);
    return text === undefined ? undefined : spelled(text);
  };
  return Array.isArray(value) ? value.flatMap((entry) => one(entry) ?? []) : one(value);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const inner = within(value, 'value');
  return inner === undefined || isObject(inner) ? undefined : textOf(inner);
}
