import { PLACEHOLDER, type DraftEntry, type DraftValue } from '../../domain/draft.ts';
import type { ColumnFacts, TableFacts } from '../../domain/survey/table-facts.ts';
import { activeRule } from './active-rule.ts';
import { PERSON_NAMES } from './column-names.ts';
import { columnNamed, fillOf, inExpression, isDistinct, isIdentity, valuesOf } from './columns.ts';
import type { Part } from './part.ts';

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
