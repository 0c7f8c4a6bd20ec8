import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CsvComplete } from '../../src/domain/source-choices.ts';
import type { CsvSettings } from '../../src/domain/source-settings.ts';
import { PEOPLE, UNITS } from './world.ts';
import type { Whole } from './world.ts';

export type Rows = readonly (readonly (string | null)[])[];

function cell(value: string | null): string {
  const text = value ?? '';
  return /["\r\n,;|\t]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as text, each cell in quotes where it has to be. */
export function csv(rows: Rows, separator = ',', lineEnd = '\r\n'): string {
  return rows.map((row) => row.map((value) => cell(value)).join(separator) + lineEnd).join('');
}

/** The world as three files. */
export function worldFiles(separator = ','): Readonly<Record<'units' | 'people' | 'positions', string>> {
  const units = UNITS.map(({ id, parent, name }) => [id, parent, name]);
  const people = PEOPLE.map((one) => [
    one.id,
    one.username,
    one.name,
    one.email,
    one.active ? 'active' : 'left',
    one.born,
    one.order,
  ]);
  const positions = PEOPLE.flatMap(({ id, units: places, title }) =>
    places.map((unit, index) => [id, unit, index === 0 ? title : null, index === 0 ? '1' : '0']),
  );
  return {
    units: csv([['id', 'parent_id', 'name'], ...units], separator),
    people: csv(
      [[' emp_no ', 'login', 'full_name', 'email', 'status', 'born', 'sort_no'], ...people],
      separator,
    ),
    positions: csv([['emp_no', 'dept_id', 'job_title', 'is_primary'], ...positions], separator),
  };
}

/** Writes the files of an export; returns nothing, since their names are known. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.csv`), content);
}

export const COMPLETE: CsvComplete = { quietSeconds: 0, atLeastPercent: 80 };

/** Settings of a folder that holds the world. */
export function csvSettings(folder: string, changes: Partial<Whole<CsvSettings>> = {}): Whole<CsvSettings> {
  return {
    type: 'csv',
    encoding: 'utf-8',
    separator: 'auto',
    quotes: true,
    complete: COMPLETE,
    units: {
      file: join(folder, 'units.csv'),
      rules: { id: 'id', parent: 'parent_id', fields: { name: 'name' } },
    },
    people: {
      file: join(folder, 'people.csv'),
      rules: {
        id: 'emp_no',
        username: 'LOGIN',
        active: { expr: "status != 'left'" },
        fields: { name: 'full_name', email: 'email', birthday: 'born', sort_order: 'sort_no' },
        properties: {},
        tag_names: {},
        source_identifiers: {},
        positions: [],
      },
    },
    positions: {
      file: join(folder, 'positions.csv'),
      rules: { person: 'emp_no', unit: 'dept_id', job_title: 'job_title', primary: 'is_primary' },
    },
    ...changes,
  };
}
