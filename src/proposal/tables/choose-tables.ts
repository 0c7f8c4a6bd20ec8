import type { TableShape } from '../../domain/survey/table-facts.ts';
import {
  columnNamed,
  foldName,
  hasColumn,
  PERSON_NAMES,
  POSITION_NAMES,
  TABLE_WORDS,
  UNIT_NAMES,
  wordsIn,
} from './columns.ts';

/** Tables that look like people, units and positions; `undefined`: none does. */
export interface ChosenTables<T extends TableShape = TableShape> {
  readonly people: T | undefined;
  readonly units: T | undefined;
  readonly positions: T | undefined;
  /** Further tables that look like people, the best first. */
  readonly others: readonly T[];
}

/** Names of tables that a person named instead. */
interface NamedTables {
  readonly people?: string | undefined;
  readonly units?: string | undefined;
}

/** Chooses by the names of tables and columns, and by keys. */
export function chooseTables<T extends TableShape>(
  tables: readonly T[],
  named: NamedTables = {},
): ChosenTables<T> {
  const ranked = best(tables, scoreOfPeople);
  const people = namedIn(tables, named.people) ?? ranked[0];
  const rest = tables.filter((table) => table !== people);
  const referred = rest.find((table) => refersTo(people, table) && hasColumn(table, UNIT_NAMES.name));
  const isUnits = (table: T): number => scoreOfUnits(table) + (table === referred ? 3 : 0);
  const units = namedIn(tables, named.units) ?? best(rest, isUnits)[0];
  const assignable = rest.filter((table) => table !== units);
  const positions = assignable.find((table) => isPositions(table, people, units));
  const others = ranked.filter((table) => table !== people && table !== units && table !== positions);
  return { people, units, positions, others };
}

function namedIn<T extends TableShape>(tables: readonly T[], name: string | undefined): T | undefined {
  return name === undefined
    ? undefined
    : tables.find((table) => table.name.toLowerCase() === name.toLowerCase());
}

function best<T extends TableShape>(tables: readonly T[], score: (table: T) => number): readonly T[] {
  const scored = tables.map((table) => ({ table, score: score(table) })).filter((one) => one.score > 0);
  return scored.toSorted((a, b) => b.score - a.score).map(({ table }) => table);
}

const isCalled = ({ name }: TableShape, words: readonly string[]): boolean =>
  wordsIn(name.replace(/^.*\/|\.\w{1,4}$/gu, '')).some((word) => words.includes(word) || endsIn(word, words));

/** A Chinese name has its words without blanks between them. */
const endsIn = (name: string, words: readonly string[]): boolean =>
  words.some((word) => /\p{Script=Han}/u.test(word) && name.includes(foldName(word)));

/** Returns how much a table looks like one of people; 0: not at all. */
function scoreOfPeople(table: TableShape): number {
  const has = (role: keyof typeof PERSON_NAMES): boolean => hasColumn(table, PERSON_NAMES[role]);
  const isNamed = has('name') || (has('first') && has('last'));
  const isReached = has('username') || has('email');
  if (!isNamed || !isReached || !(has('id') || table.columns.some(({ isKey }) => isKey))) return 0;
  const roles = ['username', 'email', 'mobile', 'job_title', 'unit', 'last'] as const;
  return 1 + roles.filter(has).length + (isCalled(table, TABLE_WORDS.people) ? 3 : 0);
}

/** Returns how much a table looks like one of units; 0: not at all. */
function scoreOfUnits(table: TableShape): number {
  const has = (role: keyof typeof UNIT_NAMES): boolean => hasColumn(table, UNIT_NAMES[role]);
  const isOfPeople = hasColumn(table, PERSON_NAMES.last) || hasColumn(table, PERSON_NAMES.email);
  if (isOfPeople || !has('name') || !(has('id') || table.columns.some(({ isKey }) => isKey))) return 0;
  const score = (has('parent') ? 2 : 0) + (isCalled(table, TABLE_WORDS.units) ? 3 : 0);
  return hasColumn(table, ['departmentname', 'deptname', 'dname', '部门名称']) ? score + 2 : score;
}

function refersTo(from: TableShape | undefined, to: TableShape): boolean {
  return from?.columns.some((column) => column.refersTo === to.name) === true;
}

/** Returns whether a table has one row for each person and unit. */
function isPositions(
  table: TableShape,
  people: TableShape | undefined,
  units: TableShape | undefined,
): boolean {
  if (people === undefined || units === undefined) return false;
  if (refersTo(table, people) && refersTo(table, units)) return !hasColumn(table, PERSON_NAMES.last);
  const person = columnNamed(table.columns, POSITION_NAMES.person);
  const unit = columnNamed(table.columns, POSITION_NAMES.unit);
  const isOfPeople = ['name', 'first', 'email', 'username'] as const;
  const named = isOfPeople.filter((role) => {
    const column = columnNamed(table.columns, PERSON_NAMES[role]);
    return column !== undefined && column !== person;
  });
  return person !== undefined && unit !== undefined && person !== unit && named.length === 0;
}

interface Application {
  readonly title: string;
  /** Tables that only it has together. */
  readonly tables: readonly string[];
  /** Name of its recipe in `config/recipes`. */
  readonly recipe: string;
}

const APPLICATIONS: readonly Application[] = [
  { title: 'OrangeHRM', tables: ['hs_hr_employee', 'ohrm_subunit', 'ohrm_user'], recipe: 'orangehrm' },
  { title: 'Odoo', tables: ['hr_employee', 'hr_department', 'res_users'], recipe: 'odoo' },
  { title: 'ERPNext or Frappe HR', tables: ['tabEmployee', 'tabDepartment'], recipe: 'erpnext' },
];

/** Returns the application whose database this is; `undefined`: none that has a recipe. */
export function knownApplication(tables: readonly TableShape[]): Application | undefined {
  const names = new Set(tables.map(({ name }) => name));
  return APPLICATIONS.find((application) => application.tables.every((table) => names.has(table)));
}
