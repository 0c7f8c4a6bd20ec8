import { PLACEHOLDER, type DraftEntry } from '../../domain/draft.ts';
import type { ColumnFacts, TableFacts } from '../../domain/survey/table-facts.ts';
import { listSome } from '../../domain/text/printable.ts';
import {
  ACTIVE_NAMES,
  columnNamed,
  fillOf,
  isDistinct,
  isIdentity,
  POSITION_NAMES,
  shareIn,
  UNIT_NAMES,
  valuesOf,
  type Part,
} from './columns.ts';

/** Values of a parent that usually mean that there is none. */
const NONE: ReadonlySet<string> = new Set(['0', '-1', '-', 'root', 'none', 'null', 'NULL', '无']);

/** @param referring column by which people or positions name their unit */
export function unitsPart(table: TableFacts, referring: ColumnFacts | undefined): Part {
  const { columns } = table;
  const id = columns.find(({ isKey }) => isKey) ?? columnNamed(columns, UNIT_NAMES.id, isIdentity);
  const name = columnNamed(
    columns,
    UNIT_NAMES.name,
    (column) => column !== id && valuesOf(column).length > 0,
  );
  const parent =
    columns.find(({ refersTo }) => refersTo === table.name) ?? columnNamed(columns, UNIT_NAMES.parent);
  const other = otherName(columns, id, referring) ?? otherName(columns, id, parent);
  const { none, unknown } = straysOf(parent, [id, other]);
  const fields: readonly (DraftEntry | null)[] = [
    field('id', id),
    other === undefined || id === undefined
      ? null
      : { key: 'refs', value: [id.name, other.name], because: `assumed: people name it by ${other.name}` },
    parent === undefined ? null : field('parent', parent),
    field('name', name),
  ];
  return {
    fields: fields.filter((entry) => entry !== null),
    settings:
      none.length === 0 ? [] : [{ key: 'noParent', value: none, because: 'assumed: these mean "none"' }],
    used: [id, other, parent, name].filter((column) => column !== undefined),
    assumed: [
      `units are the rows of ${table.name}`,
      ...(parent === undefined
        ? [`no column of ${table.name} names a parent: its units are all on one level`]
        : []),
      ...(unknown.length === 0 || !table.isWhole
        ? []
        : [`parents that no row of ${table.name} has: ${listSome(unknown)}`]),
      ...rootOf(table, { id, parent, none }),
    ],
    gaps: Object.entries({ id, name })
      .filter(([, column]) => column === undefined)
      .map(([key]) => `no column of ${table.name} looks like units' ${key}`),
  };
}

function field(key: string, column: ColumnFacts | undefined): DraftEntry {
  if (column === undefined) return { key, value: PLACEHOLDER, because: 'not found' };
  return {
    key,
    value: column.name,
    because: `assumed: ${key === 'id' && column.isKey ? 'the key of the table' : fillOf(column)}`,
  };
}

/** Returns the column that people or children name a unit by, where that is not its id. */
function otherName(
  columns: readonly ColumnFacts[],
  id: ColumnFacts | undefined,
  referring: ColumnFacts | undefined,
): ColumnFacts | undefined {
  if (id === undefined || referring === undefined) return undefined;
  const candidates = columns.filter((column) => column !== id && column !== referring && isDistinct(column));
  const [best] = candidates.toSorted((a, b) => shareIn(referring, b) - shareIn(referring, a));
  return best !== undefined && shareIn(referring, best) > shareIn(referring, id) ? best : undefined;
}

interface Strays {
  /** Those that mean that there is no parent. */
  readonly none: readonly string[];
  readonly unknown: readonly string[];
}

/** Returns values of the parent that name no unit. */
function straysOf(parent: ColumnFacts | undefined, names: readonly (ColumnFacts | undefined)[]): Strays {
  if (parent === undefined) return { none: [], unknown: [] };
  const known = new Set(names.flatMap((column) => column?.cells ?? []));
  const strays = [...new Set(valuesOf(parent).filter((value) => !known.has(value)))];
  return {
    none: strays.filter((value) => NONE.has(value)),
    unknown: strays.filter((value) => !NONE.has(value)),
  };
}

interface Tree {
  readonly id: ColumnFacts | undefined;
  readonly parent: ColumnFacts | undefined;
  readonly none: readonly string[];
}

/** Returns what to know of a tree with one top: often that is the company, which the service has already. */
function rootOf(table: TableFacts, { id, parent, none }: Tree): readonly string[] {
  if (id === undefined || parent === undefined || !table.isWhole || table.rows < 2) return [];
  const tops = parent.cells.flatMap((cell, row) => {
    const isTop = cell === '' || none.includes(cell) || cell === id.cells[row];
    return isTop ? [id.cells[row] ?? ''] : [];
  });
  if (tops.length !== 1) return [];
  return [
    `everything lies below the unit ${tops[0]}: if it is the company itself, sync: { root: '${tops[0]}' } makes it the service's root`,
  ];
}

interface Named {
  readonly people: TableFacts;
  readonly units: TableFacts | undefined;
  /** Column with the id of a person. */
  readonly id: ColumnFacts | undefined;
}

export function positionsPart(table: TableFacts, { people, units, id }: Named): Part {
  const { columns, name } = table;
  const person = columnReferringTo(columns, people) ?? columnNamed(columns, POSITION_NAMES.person);
  const unit =
    (units === undefined ? undefined : columnReferringTo(columns, units)) ??
    columnNamed(columns, POSITION_NAMES.unit);
  const optional = (['job_title', 'primary', 'chief'] as const).flatMap((key) => {
    const column = columnNamed(columns, POSITION_NAMES[key], (one) => valuesOf(one).length > 0);
    return column === undefined || column === person || column === unit ? [] : [{ key, column }];
  });
  const ended = columnNamed(columns, [...ACTIVE_NAMES.end, 'todate', 'until', 'bis', '结束日期']);
  const isStray =
    id !== undefined && person !== undefined && valuesOf(person).length > 0 && shareIn(person, id) === 0;
  return {
    fields: [
      positionField('person', person),
      positionField('unit', unit),
      ...optional.map(({ key, column }) => positionField(key, column)),
    ],
    settings: [],
    used: [person, unit, ...optional.map(({ column }) => column)].filter((column) => column !== undefined),
    assumed: [
      `positions are the rows of ${name}`,
      ...(ended === undefined
        ? []
        : [`${name} has ${ended.name}: every row counts as a position of today; leave old ones out`]),
    ],
    gaps: isStray
      ? [`no value of ${name}.${person.name} is the id of a person (${people.name}.${id.name})`]
      : [],
  };
}

function columnReferringTo(columns: readonly ColumnFacts[], to: TableFacts): ColumnFacts | undefined {
  return columns.find(({ refersTo }) => refersTo === to.name);
}

function positionField(key: string, column: ColumnFacts | undefined): DraftEntry {
  if (column === undefined) return { key, value: PLACEHOLDER, because: 'not found' };
  return { key, value: column.name, because: `assumed: ${fillOf(column)}` };
}
