import {
  DraftSection,
  PLACEHOLDER,
  type Draft,
  type DraftEntry,
  type DraftValue,
} from '../../domain/draft.ts';
import { listSome } from '../../domain/text/printable.ts';
import { PERSON_FIELDS } from '../../domain/records/fields.ts';
import type { ChosenTables, ColumnFacts, TableFacts } from './table-facts.ts';
import { activeConditions, inExpression, unknownStatus, validityConditions } from './active-rule.ts';
import { columnsNamed, PERSON_NAMES, POSITION_NAMES, UNIT_NAMES } from './column-names.ts';

/** A rule for a field, with the columns that it reads. */
export interface Rule {
  readonly key: string;
  readonly value: DraftValue;
  readonly because: string;
  readonly reads: readonly ColumnFacts[];
}

/** Returns a proposal for tables that were chosen and looked at. @param by key that names a table */
export function proposeTables(by: 'query' | 'file', chosen: ChosenTables<TableFacts>): Draft {
  const { people, units, positions } = chosen;
  const active = activeConditions(people.columns);
  const because = active.map(({ column, text }) => `${column.name} ${text} (${tally(column)})`).join('; ');
  const unclear = unknownStatus(people.columns);
  const persons = personRules(chosen, because);
  const unitEntries = units === undefined ? [] : unitRules(units, positions ?? people);
  const open = units === undefined ? [] : activeConditions(units.columns);
  const tables: readonly ReviewedTable[] = [
    { key: 'units', table: units, rules: unitEntries, open },
    { key: 'people', table: people, rules: persons, open: [] },
    {
      key: 'positions',
      table: positions,
      rules: positions === undefined ? [] : positionRules(positions),
      open: [],
    },
  ];
  const entries = tables.flatMap(({ key, table, rules, open: conditions }) =>
    table === undefined ? [] : [partEntry(key, { by, table, rules, open: conditions })],
  );
  return {
    entries: units === undefined ? [distinctUnits(people), ...entries] : entries,
    assumed: [
      ...tables.flatMap(({ key, table }) =>
        table === undefined ? [] : [`${key} are the rows of ${table.name}`],
      ),
      active.length === 0
        ? `nothing in ${people.name} says who has left: everybody in it counts as active`
        : `who is active: ${because}`,
      ...columnSentences(tables),
    ],
    gaps: [
      ...tables.flatMap(({ key, table, rules }) =>
        rules
          .filter(({ value }) => JSON.stringify(value).includes(PLACEHOLDER))
          .map((rule) => `no column of ${table?.name ?? ''} looks like ${key}.fields.${rule.key}`),
      ),
      ...(unclear === undefined
        ? []
        : [
            `write into people.fields.active which ${unclear.name} people have who have left (${tally(unclear)})`,
          ]),
    ],
  };
}

interface ReviewedTable {
  readonly key: string;
  readonly table: TableFacts | undefined;
  readonly rules: readonly Rule[];
  /** Conditions of a unit that is not closed. */
  readonly open: ReturnType<typeof activeConditions>;
}

type ProposedTable = Omit<ReviewedTable, 'key' | 'table'> & {
  readonly by: 'query' | 'file';
  readonly table: TableFacts;
};

function partEntry(key: string, { by, table, rules, open }: ProposedTable): DraftEntry {
  const because = `${table.isWhole ? '' : 'more than '}${table.rows} rows`;
  const used = [...rules.flatMap(({ reads }) => reads), ...open.map(({ column }) => column)];
  const columns = [...new Set(used.map(({ quoted }) => quoted))].join(', ');
  const condition = open.map(({ expr }) => expr).join(' && ');
  const query = `select ${columns === '' ? '*' : columns} from ${table.quoted}`;
  return {
    key,
    value: new DraftSection([
      { key: by, value: by === 'file' ? table.quoted : query, because },
      open.length === 0
        ? null
        : { key: 'where', value: condition, because: 'assumed: units that are not closed' },
      { key: 'fields', value: new DraftSection(rules) },
    ]),
  };
}

/** Values of a parent that usually mean that there is none. */
const NO_PARENT = new Set(['0', '-1', '-', 'root', 'none', 'null', 'NULL', '无']);

/** Returns the rule of the parent, which leaves out what means that there is none. */
function withoutNone(rule: Rule, parent: ColumnFacts | undefined): Rule {
  const none = [...new Set(parent?.cells.filter((cell) => NO_PARENT.has(cell)))];
  if (parent === undefined || none.length === 0) return rule;
  const listed = none.map((value) => `'${value}'`).join(', ');
  const expr = `${inExpression(parent)} in [${listed}] ? '' : ${inExpression(parent)}`;
  return { ...rule, value: { expr }, because: 'assumed: these mean "none"' };
}

function unitRules({ columns }: TableFacts, referring: TableFacts): readonly Rule[] {
  const id = columnsNamed(columns, UNIT_NAMES.id).find(isIdentity);
  const name = columnsNamed(columns, UNIT_NAMES.name).find((column) => column !== id);
  const [parent] = columnsNamed(columns, UNIT_NAMES.parent);
  const [reference] = columnsNamed(referring.columns, PERSON_NAMES.unit);
  const isByName =
    id !== undefined &&
    name !== undefined &&
    reference !== undefined &&
    shareIn(reference, name) > shareIn(reference, id);
  return [
    needed('id', id),
    ...(isByName
      ? [
          {
            key: 'refs',
            value: [id.name, name.name],
            because: `assumed: people name it by ${name.name}`,
            reads: [name],
          },
        ]
      : []),
    ...optional('parent', parent).map((rule) => withoutNone(rule, parent)),
    needed('name', name),
  ];
}

/** @param because why `active` is as it is */
type Named = keyof typeof PERSON_NAMES;

/** Fields that are mapped if a column has one of their usual names. */
const OPTIONAL = (Object.keys(PERSON_NAMES) as Named[]).filter(
  (key) => key !== 'name' && key in PERSON_FIELDS,
);

export function personRules(
  { people, units, positions }: ChosenTables<TableFacts>,
  because: string,
): readonly Rule[] {
  const { columns } = people;
  const conditions = activeConditions(columns);
  const expr = conditions.map((condition) => condition.expr).join(' && ');
  const reads = conditions.map(({ column }) => column);
  const optionals = OPTIONAL.flatMap((key) => optional(key, firstFilled(columns, PERSON_NAMES[key])));
  return [
    needed('id', idOf(people, positions)),
    usernameRule(columns),
    nameRule(columns),
    ...optionals,
    ...(conditions.length === 0
      ? []
      : [{ key: 'active', value: { expr }, because: `assumed: ${because}`, reads }]),
    ...(positions === undefined ? [positionRule(columns, units)] : []),
  ];
}

/** Returns the column that rows of positions name people by, else the one with the best name. */
function idOf({ columns }: TableFacts, positions: TableFacts | undefined): ColumnFacts | undefined {
  const candidates = columnsNamed(columns, PERSON_NAMES.id).filter(isIdentity);
  const [person] = positions === undefined ? [] : columnsNamed(positions.columns, POSITION_NAMES.person);
  return candidates.find((column) => person !== undefined && shareIn(person, column) > 0) ?? candidates[0];
}

function usernameRule(columns: readonly ColumnFacts[]): Rule {
  const isName = (column: ColumnFacts): boolean =>
    isDistinct(valuesOf(column)) && valuesOf(column).length > 0;
  const names = [...PERSON_NAMES.username, ...PERSON_NAMES.email];
  const column = columnsNamed(columns, names).find(isName);
  if (column === undefined || !valuesOf(column).some((value) => value.includes('@')))
    return needed('username', column);
  const isShort = isDistinct(valuesOf(column).map((value) => value.replace(/@.*$/u, '')));
  if (!isShort) return needed('username', column);
  const value = { expr: `${inExpression(column)}.split('@')[0]` };
  return {
    key: 'username',
    value,
    because: `assumed: what stands before the @; ${fillOf(column)}`,
    reads: [column],
  };
}

function nameRule(columns: readonly ColumnFacts[]): Rule {
  const full = firstFilled(columns, PERSON_NAMES.name);
  const [first] = columnsNamed(columns, PERSON_NAMES.first);
  const [last] = columnsNamed(columns, PERSON_NAMES.last);
  if (full !== undefined || first === undefined || last === undefined) return needed('name', full);
  const [given, family] = [inExpression(first), inExpression(last)];
  const western = `trim(${given} + ' ' + ${family})`;
  const chinese = valuesOf(last).filter((cell) => /^\p{Script=Han}/u.test(cell));
  const whose = chinese.length === valuesOf(last).length ? '' : `${family}.matches('^\\\\p{Han}') ? `;
  const expr =
    chinese.length === 0 ? western : `${whose}${family} + ${given}${whose === '' ? '' : ` : ${western}`}`;
  return { key: 'name', value: { expr }, because: 'assumed', reads: [first, last] };
}

function positionRule(columns: readonly ColumnFacts[], units: TableFacts | undefined): Rule {
  const unit = firstFilled(columns, PERSON_NAMES.unit);
  const title = firstFilled(columns, PERSON_NAMES.job_title);
  const chief = firstFilled(columns, POSITION_NAMES.chief);
  const position = {
    unit: unit?.name ?? PLACEHOLDER,
    ...(title !== undefined && { job_title: title.name }),
    ...(chief !== undefined && { chief: chief.name }),
  };
  const because =
    unit === undefined ? `not found${units === undefined ? '' : `, for ${units.name}`}` : fillOf(unit);
  return {
    key: 'positions',
    value: [position],
    because: `assumed: ${because}`,
    reads: [unit, title, chief].filter((column) => column !== undefined),
  };
}

function positionRules({ columns }: TableFacts): readonly Rule[] {
  const [person] = columnsNamed(columns, POSITION_NAMES.person);
  const unit = columnsNamed(columns, POSITION_NAMES.unit).find((column) => column !== person);
  const valid = validityConditions(columns);
  const more = (['job_title', 'primary', 'chief'] as const).flatMap((key) =>
    optional(key, firstFilled(columns, POSITION_NAMES[key])),
  );
  return [
    needed('person', person),
    unit === undefined ? needed('unit', unit) : validUnit(unit, valid),
    ...more,
  ];
}

/** A row that is not valid today names no unit, and so is no position. */
function validUnit(unit: ColumnFacts, valid: ReturnType<typeof validityConditions>): Rule {
  if (valid.length === 0) return needed('unit', unit);
  const columns = valid.map(({ column }) => column);
  return {
    key: 'unit',
    value: { expr: `${valid.map(({ expr }) => expr).join(' && ')} ? ${inExpression(unit)} : ''` },
    because: `assumed: rows that are valid today, by ${columns.map(({ name }) => name).join(' and ')}`,
    reads: [unit, ...columns],
  };
}

/** Returns what is said of positions that are not valid today, and of columns without a field. */
function columnSentences(tables: readonly ReviewedTable[]): readonly string[] {
  return tables.flatMap(({ key, table, rules, open }) => {
    if (table === undefined) return [];
    const used = new Set([...rules.flatMap(({ reads }) => reads), ...open.map(({ column }) => column)]);
    const unused = table.columns.filter((column) => !used.has(column)).map(({ name }) => name);
    const valid = key === 'positions' ? validityConditions(table.columns) : [];
    return [
      ...(valid.length === 0
        ? []
        : [
            `positions are the rows that are valid today, by ${valid.map(({ column }) => column.name).join(' and ')}`,
          ]),
      ...(open.length === 0
        ? []
        : [
            `closed units are out of scope (units.where): ${open.map(({ column, text }) => `${column.name} ${text}`).join('; ')}`,
          ]),
      ...(unused.length === 0
        ? []
        : [`no field of ${key} maps these columns of ${table.name}: ${listSome(unused, { atMost: 20 })}`]),
    ];
  });
}

/** Without a table of units, each value that people have for theirs is one. */
export function distinctUnits({ columns }: TableFacts): DraftEntry {
  const unit = firstFilled(columns, PERSON_NAMES.unit);
  const isPath = unit?.cells.some((cell) => cell.includes('/')) === true;
  const value = { distinct: unit?.name ?? PLACEHOLDER, ...(isPath && { separator: '/' }) };
  return { key: 'units', value, because: 'assumed: no table of units was seen' };
}

function needed(key: string, column: ColumnFacts | undefined): Rule {
  if (column === undefined) return { key, value: PLACEHOLDER, because: 'not found', reads: [] };
  return { key, value: column.name, because: `assumed: ${fillOf(column)}`, reads: [column] };
}

const optional = (key: string, column: ColumnFacts | undefined): readonly Rule[] =>
  column === undefined ? [] : [needed(key, column)];

function firstFilled(columns: readonly ColumnFacts[], names: readonly string[]): ColumnFacts | undefined {
  return columnsNamed(columns, names).find((column) => valuesOf(column).length > 0);
}

function valuesOf({ cells }: ColumnFacts): readonly string[] {
  return cells.filter((cell) => cell !== '');
}

const isDistinct = (values: readonly string[]): boolean =>
  new Set(values.map((value) => value.toLowerCase())).size === values.length;

/** Returns whether no two rows have the same value, and every row has one. */
function isIdentity({ cells }: ColumnFacts): boolean {
  return isDistinct(cells) && !cells.includes('');
}

/** Returns the share of values of one column that another one has. */
function shareIn(column: ColumnFacts, other: ColumnFacts): number {
  const cells = new Set(other.cells);
  const values = valuesOf(column);
  return values.length === 0 ? 0 : values.filter((value) => cells.has(value)).length / values.length;
}

function fillOf(column: ColumnFacts): string {
  return `${valuesOf(column).length} of ${column.cells.length} rows have it`;
}

/** Returns "seen: active 180, left 20", the commonest first. */
function tally({ cells }: ColumnFacts): string {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const all = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 5);
  return `seen: ${all.map(([value, count]) => `${value === '' ? 'nothing' : value} ${count}`).join(', ')}`;
}
