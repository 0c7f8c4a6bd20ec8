import { saysEnd } from '../../domain/directories/known-ends.ts';
import type { ColumnFacts } from './table-facts.ts';
import { ACTIVE_NAMES, columnsNamed, START_NAMES } from './column-names.ts';

/** A condition on one column that tells active people from people who have left. */
interface Condition {
  readonly column: ColumnFacts;
  /** False for people who have left. */
  readonly expr: string;
  /** What the column shows, for the comment in the configuration. */
  readonly text: string;
}

const FLAG = /^(?:true|false|t|f|yes|no|y|n|on|off|1|0|ja|nein|oui|non|是|否)$/iu;
const YES = "['true', 't', 'yes', 'y', 'on', '1', 'ja', 'oui', '是']";

/** Values of a status that mark leavers. */
const LEAVER_STATE =
  /^(?:left|leaver|inactive|terminated|resigned|former|retired|dismissed|deleted|closed|dissolved|geschlossen|aufgelöst|撤销|已撤销|disabled|quit|ex-employee|ended|exited|departed|offboarded|expired|beendet|终止|已终止|ausgeschieden|inaktiv|ehemalig|gekündigt|ausgetreten|rentner|parti|sorti|inactif|licencié|démissionnaire|ancien|离职|已离职|停用|退休|已退休|禁用)$/u;
const DEFAULT_STATES = ['left', 'inactive', 'terminated', 'resigned'];
/** An export in Chinese calls the next leaver by another of these words. */
const CHINESE_STATES = ['离职', '已离职', '退休', '已退休', '停用', '禁用'];

/** More different values are no status. */
const MOST_STATES = 15;

/** Forms of dates that cannot be mistaken, with what reads them. */
const DATES: readonly (readonly [form: RegExp, pattern: string])[] = [
  [/^(?:\d{4}-\d\d-\d\d\b.*|\d{8})$/u, ''],
  [/^\d{1,2}\.\d{1,2}\.\d{4}$/u, ", 'd.M.yyyy'"],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/u, ", 'yyyy/M/d'"],
];

/** Returns every condition that columns with such names and values give; empty: no column shows who has left. */
export function activeConditions(columns: readonly ColumnFacts[]): readonly Condition[] {
  const flag = columnsNamed(columns, [...ACTIVE_NAMES.active, ...ACTIVE_NAMES.status]).find(isFlag);
  const inverse = columnsNamed(columns, ACTIVE_NAMES.inactive).find(isFlag);
  const status = columnsNamed(columns, ACTIVE_NAMES.status).find((one) => one !== flag && isStatus(one));
  const end = columnsNamed(columns, ACTIVE_NAMES.end).find((one) => dateOf(one) !== undefined);
  return [
    flag && { column: flag, expr: `${lower(flag)} in ${YES}`, text: 'says who is active' },
    inverse && { column: inverse, expr: `!(${lower(inverse)} in ${YES})`, text: 'says who is not active' },
    status && { column: status, expr: withoutStates(status), text: 'tells who has left' },
    end && lastDay(end),
  ].filter((condition) => condition !== undefined);
}

/** Returns the conditions of a row that is valid today: its first day has come, and nothing says that it has ended. */
export function validityConditions(columns: readonly ColumnFacts[]): readonly Condition[] {
  const start = columnsNamed(columns, START_NAMES).find((one) => dateOf(one) !== undefined);
  const ends = activeConditions(columns);
  if (start === undefined) return ends;
  const expr = `(${inExpression(start)} == '' || daysBetween(${dateOf(start) ?? ''}, now) >= 0)`;
  return [{ column: start, expr, text: 'is the first day' }, ...ends];
}

/** Returns the columns and attributes by which records of the sample have ended, will end, or are locked. */
export function endsIn(columns: readonly ColumnFacts[]): readonly ColumnFacts[] {
  const { active, inactive, status, end } = ACTIVE_NAMES;
  const named = (names: readonly string[]): ReadonlySet<ColumnFacts> => new Set(columnsNamed(columns, names));
  const [ends, flags, inverse, states] = [named(end), named(active), named(inactive), named(status)];
  return columns.filter((column) => {
    const values = statesOf(column);
    if (column.cells.some((cell) => saysEnd(column.name, cell))) return true;
    if (ends.has(column))
      return dateOf(column) !== undefined && values.some((day) => !day.startsWith('9999'));
    if (states.has(column) || column.name === 'employeeType') return leaverStatesIn(column).length > 0;
    return isFlag(column) && values.some((value) => (isYes(value) ? inverse : flags).has(column));
  });
}

function lastDay(end: ColumnFacts): Condition {
  return {
    column: end,
    expr: `(${inExpression(end)} == '' || daysBetween(${dateOf(end) ?? ''}, now) < 1)`,
    text: 'is the last day',
  };
}

const isYes = (state: string): boolean => YES.includes(`'${state}'`);

const isFlag = (column: ColumnFacts): boolean => areAll(column, FLAG);

const lower = (column: ColumnFacts): string => `lower(${inExpression(column)})`;

function isStatus(column: ColumnFacts): boolean {
  const states = statesOf(column);
  return states.length > 0 && states.length <= MOST_STATES;
}

function statesOf({ cells }: ColumnFacts): readonly string[] {
  return [...new Set(cells.filter((cell) => cell !== '').map((cell) => cell.toLowerCase()))];
}

/** Returns the values of a column, in lower case, that are known to mark leavers. */
export const leaverStatesIn = (column: ColumnFacts): readonly string[] =>
  statesOf(column).filter((state) => LEAVER_STATE.test(state));

/** Returns the status of people, if none of its values is known to mark leavers. */
export function unknownStatus(columns: readonly ColumnFacts[]): ColumnFacts | undefined {
  const status = columnsNamed(columns, ACTIVE_NAMES.status).find((one) => !isFlag(one) && isStatus(one));
  return status === undefined || statesOf(status).length < 2 || leaverStatesIn(status).length > 0
    ? undefined
    : status;
}

/** Returns an expression that is false for the values of leavers. */
export const withoutStates = (column: ColumnFacts): string =>
  `!(${lower(column)} in ${leaverStates(column)})`;

/** An unknown status counts as active: a wrong guess must not lock people out. */
function leaverStates(column: ColumnFacts): string {
  const seen = leaverStatesIn(column);
  const isChinese = column.cells.some((cell) => /\p{Script=Han}/u.test(cell));
  const usual = isChinese ? CHINESE_STATES : seen.length > 0 ? [] : DEFAULT_STATES;
  return `[${[...new Set([...seen, ...usual])].map(textInExpression).join(', ')}]`;
}

function areAll({ cells }: ColumnFacts, form: RegExp): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every((cell) => form.test(cell));
}

/** Returns the expression that reads a column's dates; `undefined`: they have no form that is known for sure. */
function dateOf(column: ColumnFacts): string | undefined {
  const isEmpty = column.cells.every((cell) => cell === '');
  const format = DATES.find(([form]) => isEmpty || areAll(column, form));
  return format === undefined ? undefined : `date(${inExpression(column)}${format[1]})`;
}

/** Names in CEL that are no columns. */
const RESERVED: ReadonlySet<string> = new Set(['in', 'now', 'all', 'true', 'false', 'null', 'type', 'size']);

/** Returns a column as an expression reads it: its text, empty where it is absent. */
export function inExpression({ name }: ColumnFacts): string {
  if (/^[A-Za-z_]\w*$/u.test(name) && !RESERVED.has(name)) return name;
  return `join(all[${textInExpression(name)}], '')`;
}

/** Returns a text as CEL writes it. */
function textInExpression(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
