import { PLACEHOLDER, type DraftEntry, type DraftValue } from '../../domain/draft.ts';
import type { ColumnFacts, TableFacts } from '../../domain/survey/table-facts.ts';
import {
  ACTIVE_NAMES,
  columnNamed,
  fillOf,
  inExpression,
  isDistinct,
  isIdentity,
  PERSON_NAMES,
  textInExpression,
  valuesOf,
  type Part,
} from './columns.ts';

export interface PeoplePart extends Part {
  readonly id: ColumnFacts | undefined;
  /** Column that names the unit of a person; `undefined`: none, or positions have their own table. */
  readonly unit: ColumnFacts | undefined;
}

interface Beside {
  readonly units: TableFacts | undefined;
  readonly hasPositions: boolean;
}

/** A field with the columns that it reads. */
interface Field {
  readonly entry: DraftEntry;
  readonly reads: readonly ColumnFacts[];
}

const OPTIONAL = ['email', 'mobile', 'workPhone', 'city'] as const;

export function peoplePart(
  { columns, name: table }: TableFacts,
  { units, hasPositions }: Beside,
): PeoplePart {
  const id = idOf(columns);
  const username = usernameOf(columns);
  const name = nameOf(columns);
  const active = activeRule(columns);
  const unit = hasPositions ? undefined : unitOf(columns, units);
  const title = hasPositions ? undefined : filled(columns, PERSON_NAMES.job_title);
  const fields = [
    id === undefined ? null : plainField('id', id),
    username,
    name,
    ...OPTIONAL.map((key) => {
      const column = filled(columns, PERSON_NAMES[key]);
      return column === undefined ? null : plainField(key, column);
    }),
    active === null
      ? null
      : {
          entry: { key: 'active', value: active.rule, because: `assumed: ${active.because}` },
          reads: active.columns,
        },
    hasPositions ? null : positionField(unit, title),
  ].filter((field) => field !== null);
  const missing = { id, username, name, 'positions (the unit of a person)': hasPositions ? true : unit };
  const gaps = Object.entries(missing).filter(([, found]) => found === undefined || found === null);
  return {
    id,
    unit,
    fields: [...gaps.flatMap(([key]) => placeholderFor(key)), ...fields.map(({ entry }) => entry)],
    settings: [],
    used: fields.flatMap(({ reads }) => reads),
    assumed: [
      active === null
        ? `nothing in ${table} says who has left: everybody in it counts as active`
        : `who is active: ${active.because}`,
    ],
    gaps: gaps.map(([key]) => `no column of ${table} looks like people's ${key}`),
  };
}

function placeholderFor(key: string): readonly DraftEntry[] {
  return key.startsWith('positions') ? [] : [{ key, value: PLACEHOLDER, because: 'not found' }];
}

function plainField(key: string, column: ColumnFacts): Field {
  const spoken = key === 'id' && column.isKey ? 'the key of the table' : fillOf(column);
  const hint = key === 'mobile' ? countryHint(column) : '';
  return { entry: { key, value: column.name, because: `assumed: ${spoken}${hint}` }, reads: [column] };
}

/** Numbers without a country are sent as they are: only a person knows which country is meant. */
function countryHint(column: ColumnFacts): string {
  const without = valuesOf(column).filter((value) => !value.startsWith('+')).length;
  const rule = `{ expr: "phone(${inExpression(column)}, 'DE')" }`;
  return without === 0 ? '' : `; ${without} without a country: ${rule} with yours would complete them`;
}

function filled(columns: readonly ColumnFacts[], names: readonly string[]): ColumnFacts | undefined {
  return columnNamed(columns, names, (column) => valuesOf(column).length > 0);
}

function idOf(columns: readonly ColumnFacts[]): ColumnFacts | undefined {
  return columns.find(({ isKey }) => isKey) ?? columnNamed(columns, PERSON_NAMES.id, isIdentity);
}

function usernameOf(columns: readonly ColumnFacts[]): Field | null {
  const own = columnNamed(columns, PERSON_NAMES.username, isName);
  if (own !== undefined && !valuesOf(own).some((value) => value.includes('@')))
    return { entry: { key: 'username', value: own.name, because: `assumed: ${fillOf(own)}` }, reads: [own] };
  const mail = own ?? columnNamed(columns, PERSON_NAMES.email, isName);
  if (mail === undefined) return null;
  const locals = valuesOf(mail).map((value) => (value.split('@')[0] ?? '').toLowerCase());
  const isShort = new Set(locals).size === locals.length;
  const value: DraftValue = isShort ? { expr: `${inExpression(mail)}.split('@')[0]` } : mail.name;
  const what = isShort
    ? 'what stands before the @'
    : 'the whole address, as its part before the @ is not unique';
  return { entry: { key: 'username', value, because: `assumed: ${what}; ${fillOf(mail)}` }, reads: [mail] };
}

/** Returns whether a column may name accounts: no two rows have the same value, and it is no other table's key. */
function isName(column: ColumnFacts): boolean {
  return column.refersTo === null && isDistinct(column) && valuesOf(column).length > 0;
}

function nameOf(columns: readonly ColumnFacts[]): Field | null {
  const whole = filled(columns, PERSON_NAMES.name);
  if (whole !== undefined)
    return {
      entry: { key: 'name', value: whole.name, because: `assumed: ${fillOf(whole)}` },
      reads: [whole],
    };
  const first = columnNamed(columns, PERSON_NAMES.first);
  const last = columnNamed(columns, PERSON_NAMES.last);
  if (first === undefined || last === undefined) return null;
  const order = isChinese(last) ? `${inExpression(last)} + ${inExpression(first)}` : spaced(first, last);
  return { entry: { key: 'name', value: { expr: order }, because: 'assumed' }, reads: [first, last] };
}

const spaced = (first: ColumnFacts, last: ColumnFacts): string =>
  `trim(${inExpression(first)} + ' ' + ${inExpression(last)})`;

const isChinese = (column: ColumnFacts): boolean => column.cells.some((cell) => /\p{Script=Han}/u.test(cell));

function unitOf(columns: readonly ColumnFacts[], units: TableFacts | undefined): ColumnFacts | undefined {
  const referring = columns.find(({ refersTo }) => units !== undefined && refersTo === units.name);
  return referring ?? filled(columns, PERSON_NAMES.unit);
}

function positionField(unit: ColumnFacts | undefined, title: ColumnFacts | undefined): Field {
  const position = { unit: unit?.name ?? PLACEHOLDER, ...(title !== undefined && { job_title: title.name }) };
  const because = unit === undefined ? 'not found' : `assumed: ${fillOf(unit)}`;
  const reads = [unit, title].filter((column) => column !== undefined);
  return { entry: { key: 'positions', value: [position], because }, reads };
}

interface ActiveRule {
  /** A column, or an expression that is false for whoever has left. */
  readonly rule: string | { readonly expr: string };
  readonly columns: readonly ColumnFacts[];
  /** What was seen and concluded. */
  readonly because: string;
}

interface Condition {
  readonly column: ColumnFacts;
  readonly expr: string;
  readonly because: string;
}

/** Values as the mapping reads booleans. */
const BOOLEAN = /^(?:true|false|t|f|yes|no|y|n|on|off|1|0)$/iu;
const YES_NO = /^(?:ja|nein|oui|non|是|否)$/iu;

/** Values of a status that say that somebody has left. */
const LEFT_WORDS: readonly string[] =
  `left leaver inactive terminated resigned former retired dismissed deleted disabled quit ex-employee
  ausgeschieden inaktiv ehemalig gekündigt ausgetreten rentner parti sorti inactif licencié démissionnaire ancien
  离职 已离职 停用 退休 已退休 禁用`.split(/\s+/u);
const ACTIVE_WORDS: readonly string[] =
  'active aktiv actif employed current 在职 正式 在岗 正常 启用 working a'.split(' ');

/** More different values are no status. */
const MOST_STATES = 15;

/** Returns what tells who has left; `null`: nothing does, so that everybody in the table is active. */
function activeRule(columns: readonly ColumnFacts[]): ActiveRule | null {
  const flag = columnNamed(columns, ACTIVE_NAMES.active, (column) => areAll(column, BOOLEAN));
  const found = [
    flag === undefined ? undefined : flagCondition(flag),
    spokenFlag(columns),
    inverseFlag(columns),
    status(columns),
    end(columns),
  ].filter((condition) => condition !== undefined);
  if (found.length === 0) return null;
  const because = found.map((condition) => condition.because).join('; ');
  const used = found.map(({ column }) => column);
  if (found.length === 1 && found[0]?.column === flag && flag !== undefined)
    return { rule: flag.name, columns: used, because };
  return { rule: { expr: found.map(({ expr }) => expr).join(' && ') }, columns: used, because };
}

function areAll(column: ColumnFacts, pattern: RegExp): boolean {
  const values = valuesOf(column);
  return values.length > 0 && values.every((value) => pattern.test(value));
}

function flagCondition(column: ColumnFacts): Condition {
  const expr = `lower(${inExpression(column)}) in ['true', 't', 'yes', 'y', 'on', '1']`;
  return { column, expr, because: `${column.name} says who is active (${seen(column)})` };
}

function spokenFlag(columns: readonly ColumnFacts[]): Condition | undefined {
  const column = columnNamed(columns, ACTIVE_NAMES.active, (one) => areAll(one, YES_NO));
  if (column === undefined) return undefined;
  const expr = `lower(${inExpression(column)}) in ['ja', 'oui', '是']`;
  return { column, expr, because: `${column.name} says who is active (${seen(column)})` };
}

function inverseFlag(columns: readonly ColumnFacts[]): Condition | undefined {
  const column = columnNamed(columns, ACTIVE_NAMES.inactive, isFlag);
  if (column === undefined) return undefined;
  const yes = "['true', 't', 'yes', 'y', 'on', '1', 'ja', 'oui', '是']";
  const expr = `!(lower(${inExpression(column)}) in ${yes})`;
  return { column, expr, because: `${column.name} says who is not active (${seen(column)})` };
}

/** Who has a status that is no known word for leaving stays: a wrong guess must not lock anybody out. */
function status(columns: readonly ColumnFacts[]): Condition | undefined {
  const column = columnNamed(columns, ACTIVE_NAMES.status, isStatus);
  if (column === undefined) return undefined;
  const states = [...new Set(valuesOf(column).map((value) => value.toLowerCase()))];
  const name = inExpression(column);
  const text = `lower(${name})`;
  if (states.every((state) => /^[01]$/u.test(state)))
    return {
      column,
      expr: `${name} != '0'`,
      because: `0 in ${column.name} is taken for left (${seen(column)})`,
    };
  const left = states.filter((state) => LEFT_WORDS.includes(state));
  const words = left.length > 0 ? left : ['left', 'inactive', 'terminated', 'resigned'];
  const expr = `!(${text} in [${words.map(textInExpression).join(', ')}])`;
  const doubt = left.length > 0 ? '' : '; none of them says "left", so these words are a guess';
  return { column, expr, because: `${column.name} tells who has left (${seen(column)}${doubt})` };
}

function isStatus(column: ColumnFacts): boolean {
  const states = new Set(valuesOf(column).map((value) => value.toLowerCase()));
  const known = [...states].some((state) => LEFT_WORDS.includes(state) || ACTIVE_WORDS.includes(state));
  const isNumber = [...states].every((state) => /^[01]$/u.test(state));
  return states.size > 0 && states.size <= MOST_STATES && (known || isNumber);
}

/** Returns "seen: active 180, left 20". */
function seen(column: ColumnFacts): string {
  const counts = new Map<string, number>();
  for (const cell of column.cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const all = [...counts].toSorted(([, a], [, b]) => b - a);
  return `seen: ${all.map(([value, count]) => `${value === '' ? 'nothing' : value} ${count}`).join(', ')}`;
}

const ISO = /^(?:\d{4}-\d\d-\d\d\b.*|\d{8})$/u;
const PATTERNS: readonly (readonly [shape: RegExp, pattern: string])[] = [
  [/^\d{1,2}\.\d{1,2}\.\d{4}$/u, 'd.M.yyyy'],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/u, 'yyyy/M/d'],
  [/^\d{1,2}\/\d{1,2}\/\d{4}$/u, 'd/M/yyyy'],
];

/** Whoever has a day of leaving is active until that day has passed. */
function end(columns: readonly ColumnFacts[]): Condition | undefined {
  const column = columnNamed(columns, ACTIVE_NAMES.end, (one) => dateOf(one) !== undefined || isEmpty(one));
  if (column === undefined) return undefined;
  const date = dateOf(column) ?? `date(${inExpression(column)})`;
  const expr = `(${inExpression(column)} == '' || daysBetween(${date}, now) < 1)`;
  const count = valuesOf(column).length;
  return {
    column,
    expr,
    because: `${column.name} is the last day (${count} of ${column.cells.length} rows have one)`,
  };
}

const isFlag = (column: ColumnFacts): boolean => areAll(column, BOOLEAN) || areAll(column, YES_NO);

const isEmpty = (column: ColumnFacts): boolean => valuesOf(column).length === 0;

/** Returns the expression that reads a column's dates; `undefined`: they have no form that is known for sure. */
function dateOf(column: ColumnFacts): string | undefined {
  const name = inExpression(column);
  if (areAll(column, ISO)) return `date(${name})`;
  const [, pattern] = PATTERNS.find(([shape]) => areAll(column, shape)) ?? [];
  if (pattern === undefined) return undefined;
  // 03/04/2026 is two days, unless another value has a number above 12 in its first place.
  const isSure = pattern !== 'd/M/yyyy' || valuesOf(column).some((value) => Number.parseInt(value, 10) > 12);
  return isSure ? `date(${name}, '${pattern}')` : undefined;
}
