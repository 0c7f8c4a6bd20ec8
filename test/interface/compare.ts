import type { Field, Fields } from '../../src/interface/field.ts';
import { partsOf, type Operation } from '../../src/interface/operation.ts';
import type { Mention, Row } from './document.ts';

/** How the document writes the type of each kind, in lower case. */
const TYPES: Readonly<Record<Field['kind'], readonly string[]>> = {
  text: ['string'],
  id: ['long'],
  integer: ['integer', 'int'],
  time: ['long', 'timestamp'],
  day: ['integer', 'int'],
  float: ['float'],
  flag: ['boolean'],
  bytes: ['byte[]', 'string'],
  json: ['list', 'object'],
  list: ['list', 'seq'],
  map: ['map'],
  record: ['object', '{', '('],
};

function isOfType(field: Field, words: string): boolean {
  const types = field.type === undefined ? TYPES[field.kind] : [field.type.toLowerCase()];
  return types.some((type) => words.toLowerCase().startsWith(type));
}

/** Fields of the body: of one element, where it is a list; a form has its file under the name of the part. */
export function bodyOf(body: Operation['body']): Fields {
  if (body.kind === 'none') return {};
  if (body.kind === 'form') return { ...body.fields, [body.part]: { kind: 'bytes', required: true } };
  const record = body.of.kind === 'list' ? body.of.of : body.of;
  return record.kind === 'record' ? record.fields : {};
}

/** All fields of a request, with the parts of the path. */
export function fieldsOf({ path, query, body }: Operation): Fields {
  const parts = partsOf(path).map((name): [string, Field] => [name, { kind: 'text', required: true }]);
  return { ...Object.fromEntries(parts), ...query, ...bodyOf(body) };
}

const WORDS_OF_TYPES = /\b(?:Map|String|int|Int|long|Long|Float|Boolean|Integer)\b/u;

/** In what a field differs from the remarks of the document: type, required, default. */
export function differences({ name, remarks }: Mention, field: Field): readonly string[] {
  const type = WORDS_OF_TYPES.exec(remarks)?.[0] ?? '';
  const told = defaultIn(remarks);
  return [
    ...(/\breq\b/u.test(remarks) && field.required !== true ? [`${name} is required`] : []),
    ...(type === '' || isOfType(field, type) ? [] : [`${name}: ${type} is not ${field.kind}`]),
    ...(told === null || told === String(field.default) ? [] : [`${name} is ${told} by default`]),
  ];
}

/** The default that remarks name: `0.0` is 0; `root` is a node, no value. */
function defaultIn(remarks: string): string | null {
  const value = /default `?(-?[\w.]+)`?/u.exec(remarks)?.[1];
  if (value === undefined || value === 'root') return null;
  return Number.isNaN(Number(value)) ? value : String(Number(value));
}

/** In what the fields differ from a table of the document: names, types, what is required. */
export function tableDifferences(
  table: readonly Row[],
  fields: Fields,
  except: Readonly<Record<string, string>> = {},
): readonly string[] {
  const told = new Map(
    table.flatMap((row) =>
      (row['Field'] ?? row['Name'] ?? '').split(', ').map((name): [string, Row] => [name, row]),
    ),
  );
  const names = new Set([...told.keys(), ...Object.keys(fields)]);
  return [...names]
    .filter((name) => name !== 'access_token' && except[name] === undefined)
    .flatMap((name) => rowDifferences(name, told.get(name), fields[name]));
}

function rowDifferences(name: string, row: Row | undefined, field: Field | undefined): readonly string[] {
  if (row === undefined) return [`${name} is not in the document`];
  if (field === undefined) return [`${name} is not in the rows`];
  const { Type: type = '', Req: req, Required: required } = row;
  const must = (req ?? required)?.startsWith('Y');
  return [
    ...(type !== '' && !isOfType(field, type) ? [`${name}: ${type} is not ${field.kind}`] : []),
    ...insideDifferences(name, type, field),
    ...(must !== undefined && must !== (field.required === true) ? [`${name}: required ${must}`] : []),
  ];
}

/** Names in order. */
export function sorted(names: Iterable<string | undefined>): readonly string[] {
  return [...names].map(String).toSorted((a, b) => (a < b ? -1 : 1));
}

/** In what the fields differ from a line of names with remarks. */
export function lineDifferences(mentions: readonly Mention[], fields: Fields): readonly string[] {
  const said = new Set(mentions.map(({ name }) => name));
  return [
    ...mentions
      .filter(({ name }) => fields[name] === undefined)
      .map(({ name }) => `${name} is not in the rows`),
    ...Object.keys(fields)
      .filter((name) => !said.has(name))
      .map((name) => `${name} is not in the document`),
    ...mentions.flatMap(({ name, remarks }) => {
      const field = fields[name];
      const must = /\breq(?:uired)?\b/u.test(remarks);
      return field === undefined || must === (field.required === true) ? [] : [`${name}: required ${must}`];
    }),
  ];
}

/** In what the names inside `{id, name: Boolean, …}` of a type differ from those of the field. */
function insideDifferences(name: string, type: string, field: Field): readonly string[] {
  const [, inside] = /\{(.*)\}/u.exec(type) ?? [];
  const names = new Set(inside?.match(/(?<=^|[,;{] ?)[a-z_]+/gu));
  const own = new Set(namesIn(field));
  if (inside === undefined || own.size === 0) return [];
  return [...names, ...own]
    .filter((one) => !names.has(one) || !own.has(one))
    .map((one) => `${name}: only one of both has ${one}`);
}

function namesIn(field: Field): readonly string[] {
  if (field.kind === 'list') return namesIn(field.of);
  if (field.kind !== 'record') return [];
  return Object.entries(field.fields).flatMap(([name, one]) => [name, ...namesIn(one)]);
}
