import type { Field, Fields, RecordField } from '../interface/field.ts';
import { FROM_CONFIG, FROM_FILE, partsOf, type Operation } from '../interface/operation.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../interface/operations/operations.ts';
import { MESSAGE_BODIES } from '../interface/operations/push.ts';
import { KIND_TEXTS } from '../interface/requests/check-fields.ts';

const KEYS: Readonly<Record<string, string>> = FROM_CONFIG;
const COUNTED: ReadonlySet<string> = new Set(FROM_FILE);

/** Returns all operations, a line each, by section (`rollcall call --list`). */
export function listLines(): readonly string[] {
  const width = Math.max(...OPERATION_NAMES.map((name) => name.length));
  const lines: string[] = [];
  let section = '';
  for (const name of OPERATION_NAMES) {
    const row: Operation = OPERATIONS[name];
    if (row.section !== section) lines.push(...(section === '' ? [] : ['']), row.section);
    ({ section } = row);
    lines.push(`  ${name.padEnd(width)}  ${row.method.padEnd(6)} ${row.path}${marksOf(row)}`);
  }
  return lines;
}

function marksOf({ changes, identity }: Operation): string {
  const marks = [
    ...(changes === 'nothing' ? [] : ['--write']),
    ...(identity === 'application' ? ['service.appToken'] : []),
  ];
  return marks.length === 0 ? '' : `  (${marks.join(', ')})`;
}

/** Returns everything that an operation takes and answers (`rollcall call OPERATION --help`). */
export function helpLines(name: OperationName): readonly string[] {
  const row: Operation = OPERATIONS[name];
  const { method, path, title, section, open, errors } = row;
  return [
    `Usage: rollcall call ${name}${usageOf(row)}`,
    '',
    `${section}: ${title}`,
    `${method} ${path}${row.older === undefined ? '' : `, in the older interface ${row.older}`}`,
    ...block('Parameters (--param NAME=VALUE)', parameterLines(row)),
    ...block(...bodyOf(row)),
    ...(name === 'pushMessage' ? messageLines() : []),
    ...block('Answer', answerLines(row)),
    ...block('Errors', ['10011  the token is not known', ...errors.map(String)]),
    ...block('The document leaves open', open),
    ...block('Before you call', warningLines(row)),
  ];
}

function usageOf({ body, answer, changes }: Operation): string {
  return [
    ' [--param NAME=VALUE …]',
    ...(body.kind === 'none' ? [] : [' --body FILE|-']),
    ...(answer.kind === 'bytes' ? [' --out FILE'] : [' [--out FILE]']),
    ...(changes === 'nothing' ? [] : [' --write']),
  ].join('');
}

function parameterLines(row: Operation): readonly string[] {
  const inPath = partsOf(row.path).map((name): [string, Field] => [name, { kind: 'text', required: true }]);
  const form = row.body.kind === 'form' ? row.body.fields : {};
  const all: Fields = { ...Object.fromEntries(inPath), ...row.query, ...form };
  return fieldLines(all, 0, ({ name, field }) => {
    const key = KEYS[name];
    if (key !== undefined) return `service.${key} by default`;
    if (row.body.kind === 'form' && COUNTED.has(name)) return 'from the file by default';
    return fieldText(field);
  });
}

function bodyOf({ body }: Operation): readonly [string, readonly string[]] {
  if (body.kind === 'none') return ['Body', []];
  if (body.kind === 'form') return ['Body (--body FILE)', [`the file, sent as part ${body.part} of a form`]];
  const of = body.of.kind === 'list' ? body.of.of : body.of;
  const lines = of.kind === 'record' ? [...fieldLines(of.fields, 0), ...oneOfLines(of)] : [];
  return [
    body.of.kind === 'list' ? 'Body (--body FILE or -): a JSON array of' : 'Body (--body FILE or -): JSON',
    lines,
  ];
}

function messageLines(): readonly string[] {
  return Object.entries(MESSAGE_BODIES).flatMap(([type, field]: [string, Field]) =>
    block(
      `body of a message of type ${type}`,
      field.kind === 'record' ? fieldLines(field.fields, 0) : ['not shown'],
    ),
  );
}

function answerLines({ answer }: Operation): readonly string[] {
  if (answer.kind === 'bytes') return ['bytes, with a Content-Type: into --out FILE'];
  if (answer.of === null) return ['an envelope; its result is not shown'];
  return [`result: ${shapeOf(answer.of)}`];
}

function shapeOf(field: Field): string {
  if (field.kind === 'list') return `list of ${shapeOf(field.of)}`;
  if (field.kind === 'map') return `map of ${shapeOf(field.of)}`;
  if (field.kind === 'record') return `{ ${Object.keys(field.fields).join(', ')} }`;
  return KIND_TEXTS[field.kind];
}

function warningLines({ changes, identity }: Operation): readonly string[] {
  return [
    ...(changes === 'directory' ? [DIRECTORY_WARNING] : []),
    ...(changes === 'nothing' ? [] : ['It changes something in the service, and is sent with --write only.']),
    ...(identity === 'application' ? ['It needs the token of an application: service.appToken.'] : []),
  ];
}

/** Warning about a manual change of records that rollcall keeps in step. */
export const DIRECTORY_WARNING =
  "rollcall's ledger will see the change as somebody's edit: what the source maps is set right by the next full run.";

function block(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${heading}:`, ...lines.map((line) => `  ${line}`)];
}

type FieldText = (one: { readonly name: string; readonly field: Field }) => string;

function fieldLines(
  fields: Fields,
  depth: number,
  textOf: FieldText = ({ field }) => fieldText(field),
): readonly string[] {
  const width = Math.max(...Object.keys(fields).map((name) => name.length), 0);
  return Object.entries(fields).flatMap(([name, field]) => [
    `${'  '.repeat(depth)}${name.padEnd(width)}  ${textOf({ name, field })}`,
    ...insideLines(field, depth + 1),
  ]);
}

function insideLines(field: Field, depth: number): readonly string[] {
  if (field.kind === 'list' || field.kind === 'map') return insideLines(field.of, depth);
  if (field.kind !== 'record') return [];
  return [...fieldLines(field.fields, depth), ...oneOfLines(field).map((line) => '  '.repeat(depth) + line)];
}

function oneOfLines({ oneOf }: RecordField): readonly string[] {
  return oneOf === undefined ? [] : [`${oneOf.join(' or ')} must not be empty`];
}

function fieldText(field: Field): string {
  const { required, default: byDefault, values, maximum } = field;
  return [
    kindOf(field),
    ...(required === true ? ['required'] : []),
    ...(byDefault === undefined ? [] : [`default ${String(byDefault)}`]),
    ...(values === undefined ? [] : [values.join(' | ')]),
    ...(field.kind === 'list' && maximum !== undefined ? [`at most ${maximum}`] : []),
    ...(field.note === undefined ? [] : [field.note]),
  ].join(', ');
}

function kindOf(field: Field): string {
  if (field.kind === 'list') return `list of ${kindOf(field.of)}`;
  if (field.kind === 'map') return `map of ${kindOf(field.of)}`;
  return field.kind === 'record' ? 'object' : KIND_TEXTS[field.kind];
}
