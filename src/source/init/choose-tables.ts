import { ConfigError } from '../../domain/errors.ts';
import { listSome } from '../../domain/text/printable.ts';
import { columnsNamed, isCalledUnits, PERSON_NAMES, POSITION_NAMES, UNIT_NAMES } from './column-names.ts';
import type { SourceFlags } from './init-kind.ts';
import type { ChosenTables, TableShape } from './table-facts.ts';

/** Databases of applications that have a recipe, by tables that only they have together. */
const APPLICATIONS = [
  { title: 'OrangeHRM', tables: ['hs_hr_employee', 'ohrm_subunit'], recipe: 'orangehrm' },
  { title: 'Odoo', tables: ['hr_employee', 'hr_department'], recipe: 'odoo' },
  { title: 'ERPNext', tables: ['tabEmployee', 'tabDepartment'], recipe: 'erpnext' },
] as const;

/**
 * Chooses tables by the names that were given, else by the names of their columns. Throws a `ConfigError` if a name is of
 * no table, or none looks like people.
 */
export function chosenBy<T extends TableShape>(
  { peopleTable, unitsTable }: Pick<SourceFlags, 'peopleTable' | 'unitsTable'>,
  tables: readonly T[],
): ChosenTables<T> {
  const named = (flag: string, name: string | undefined): T | undefined => {
    const found = tableNamed(tables, name);
    if (name === undefined || found !== undefined) return found;
    throw new ConfigError(`rollcall init: ${flag}: there is no ${name}; ${seenIn(tables)}.`);
  };
  const [given, givenUnits] = [named('--people-table', peopleTable), named('--units-table', unitsTable)];
  const application = APPLICATIONS.find((candidate) =>
    candidate.tables.every((name) => tableNamed(tables, name) !== undefined),
  );
  if (application !== undefined && given === undefined)
    throw new ConfigError(
      `rollcall init: these are the tables of ${application.title}; take config/recipes/${application.recipe}.yaml, which reads them.`,
    );
  const likeliest = tables.toSorted((a, b) => fieldsOfPeople(b) - fieldsOfPeople(a));
  const people = given ?? likeliest.find((table) => lacksOfPeople(table).length === 0);
  if (people === undefined) throw noneOfPeople(tables, likeliest[0]);
  const others = tables.filter((table) => table !== people);
  const units = others.find((table) => table === givenUnits) ?? others.find(isUnits);
  return { people, units, positions: others.find((table) => table !== units && isPositions(table)) };
}

function noneOfPeople(tables: readonly TableShape[], nearest: TableShape | undefined): ConfigError {
  const expected = 'a table with an id, a name, and a username or mail address';
  const nearly =
    nearest === undefined || fieldsOfPeople(nearest) === 0
      ? ''
      : `; in ${nearest.name} there is no ${lacksOfPeople(nearest).join(' and no ')}`;
  return new ConfigError(
    `rollcall init: nothing looks like people (${expected}${nearly}); name it by --people-table; ${seenIn(tables)}.`,
  );
}

function seenIn(tables: readonly TableShape[]): string {
  const names = tables.map(({ name, columns }) => {
    const columnNames = columns.map((column) => column.name);
    return `${name} (${listSome(columnNames, { atMost: 6 })})`;
  });
  return `what this user sees: ${listSome(names, { atMost: 30, separator: '; ' }) || 'no table at all'}`;
}

/** Returns the table of a name in any case. */
function tableNamed<T extends TableShape>(tables: readonly T[], name: string | undefined): T | undefined {
  return tables.find((table) => table.name.toLowerCase() === name?.toLowerCase());
}

const hasAny = ({ columns }: TableShape, names: readonly string[]): boolean =>
  columnsNamed(columns, names).length > 0;

/** Returns how many fields of a person a table has. */
const fieldsOfPeople = (table: TableShape): number =>
  Object.values(PERSON_NAMES).filter((names) => hasAny(table, names)).length;

/** Returns what a table of people has to have and this one has not. */
function lacksOfPeople(table: TableShape): readonly string[] {
  const has = (role: keyof typeof PERSON_NAMES): boolean => hasAny(table, PERSON_NAMES[role]);
  return [
    ...(has('id') ? [] : ['id']),
    ...(has('name') || (has('first') && has('last')) ? [] : ['name']),
    ...(has('username') || has('email') ? [] : ['username or mail address']),
  ];
}

const isOfPeople = (table: TableShape): boolean =>
  hasAny(table, PERSON_NAMES.last) || hasAny(table, PERSON_NAMES.email);

function isUnits(table: TableShape): boolean {
  return (
    !isOfPeople(table) &&
    isCalledUnits(table.name) &&
    hasAny(table, UNIT_NAMES.id) &&
    hasAny(table, UNIT_NAMES.name)
  );
}

/** Returns whether a table has one row for each person and unit. */
function isPositions(table: TableShape): boolean {
  return !isOfPeople(table) && hasAny(table, POSITION_NAMES.person) && hasAny(table, POSITION_NAMES.unit);
}
