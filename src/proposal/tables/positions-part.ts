import { PLACEHOLDER, type DraftEntry } from '../../domain/draft.ts';
import type { ColumnFacts, TableFacts } from '../../domain/survey/table-facts.ts';
import { ACTIVE_NAMES, POSITION_NAMES } from './column-names.ts';
import { columnNamed, fillOf, shareIn, valuesOf } from './columns.ts';
import type { Part } from './part.ts';

interface Named {
  readonly people: TableFacts;
  readonly units: TableFacts | undefined;
  /** Column with the id of a person. */
  readonly id: ColumnFacts | undefined;
}

export function positionsPart(table: TableFacts, { people, units, id }: Named): Part {
  const { columns, name } = table;
  const person = referring(columns, people) ?? columnNamed(columns, POSITION_NAMES.person);
  const unit =
    (units === undefined ? undefined : referring(columns, units)) ??
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
      field('person', person),
      field('unit', unit),
      ...optional.map(({ key, column }) => field(key, column)),
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

function referring(columns: readonly ColumnFacts[], to: TableFacts): ColumnFacts | undefined {
  return columns.find(({ refersTo }) => refersTo === to.name);
}

function field(key: string, column: ColumnFacts | undefined): DraftEntry {
  if (column === undefined) return { key, value: PLACEHOLDER, because: 'not found' };
  return { key, value: column.name, because: `assumed: ${fillOf(column)}` };
}
