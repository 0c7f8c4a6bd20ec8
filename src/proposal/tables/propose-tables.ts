import { DraftSection, PLACEHOLDER, type Draft, type DraftEntry } from '../../domain/draft.ts';
import type { ColumnFacts, TableFacts } from '../../domain/survey/table-facts.ts';
import { listSome } from '../../domain/text/printable.ts';
import type { ChosenTables } from './choose-tables.ts';
import { peoplePart, type PeoplePart } from './people-part.ts';
import { positionsPart, unitsPart } from './units-part.ts';
import { askOf, type Part } from './columns.ts';

/** How a part names its table: a query, or a file. */
type TableKind = 'sql' | 'csv';

/** Returns a proposal for tables that were chosen and looked at. */
export function proposeTables(kind: TableKind, chosen: ChosenTables<TableFacts>): Draft {
  const { people, units, positions, others } = chosen;
  if (people === undefined) return skeleton(kind);
  const persons = peoplePart(people, { units, hasPositions: positions !== undefined });
  const tree = units === undefined ? null : unitsPart(units, persons.unit ?? unitColumn(positions, units));
  const rows = positions === undefined ? null : positionsPart(positions, { people, units, id: persons.id });
  const parts = [tree, persons, rows].filter((part) => part !== null);
  const tables = [people, units, positions].filter((table) => table !== undefined);
  return {
    entries: [
      tree === null
        ? distinctUnits(persons)
        : partEntry('units', kind, { table: units ?? people, part: tree }),
      partEntry('people', kind, { table: people, part: persons }),
      ...(rows === null || positions === undefined
        ? []
        : [partEntry('positions', kind, { table: positions, part: rows })]),
    ],
    assumed: [
      `people are the rows of ${people.name}${others.length === 0 ? '' : `; ${listSome(others.map(({ name }) => name))} may be too`}`,
      ...tables
        .filter(({ isWhole }) => !isWhole)
        .map(({ name, rows: count }) => `of ${name} only the first ${count} rows were looked at`),
      ...parts.flatMap(({ assumed }) => assumed),
    ],
    gaps: parts.flatMap(({ gaps }) => gaps),
  };
}

function unitColumn(positions: TableFacts | undefined, units: TableFacts): ColumnFacts | undefined {
  return positions?.columns.find(({ refersTo }) => refersTo === units.name);
}

function partEntry(
  key: string,
  kind: TableKind,
  { table, part }: { readonly table: TableFacts; readonly part: Part },
): DraftEntry {
  const because = `${table.isWhole ? '' : 'more than '}${table.rows} rows`;
  return {
    key,
    value: new DraftSection([
      { ...askOf(kind, table, part.used), because },
      ...part.settings,
      { key: 'fields', value: new DraftSection(part.fields) },
    ]),
  };
}

/** Without a table of units, each value that people have for theirs is one. */
function distinctUnits({ unit }: PeoplePart): DraftEntry {
  if (unit === undefined) {
    const value = { distinct: PLACEHOLDER };
    return { key: 'units', value, because: 'the column with the department' };
  }
  const isPath = unit.cells.some((cell) => cell.includes('/'));
  const value = { distinct: unit.name, ...(isPath && { separator: '/' }) };
  const count = new Set(unit.cells.filter((cell) => cell !== '')).size;
  return {
    key: 'units',
    value,
    because: `assumed: no table of units was seen; ${count} values of ${unit.name}`,
  };
}

function skeleton(kind: TableKind): Draft {
  const ask = kind === 'sql' ? { query: PLACEHOLDER } : { file: PLACEHOLDER };
  return {
    entries: [
      {
        key: 'units',
        value: { ...ask, fields: { id: PLACEHOLDER, parent: PLACEHOLDER, name: PLACEHOLDER } },
      },
      {
        key: 'people',
        value: new DraftSection([
          ...Object.entries(ask).map(([key, value]) => ({ key, value })),
          {
            key: 'fields',
            value: {
              id: PLACEHOLDER,
              username: PLACEHOLDER,
              name: PLACEHOLDER,
              positions: [{ unit: PLACEHOLDER }],
            },
          },
        ]),
      },
    ],
    assumed: [],
    gaps: ['nothing looks like people: a table with an id, a name, and a username or mail address'],
  };
}
