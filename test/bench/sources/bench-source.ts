import { codeOf, type Company, type CompanyPerson, type CompanyUnit } from '../company.ts';
import type { FloorName, SourceName } from '../results.ts';

/** A process that reads the same records and does nothing with them. */
export interface ReadFloor {
  readonly name: Exclude<FloorName, 'bare posts'>;
  /** A script for Node, or a program. */
  readonly command: 'node' | 'ldapsearch';
  readonly args: readonly string[];
}

/** A server that holds a company, or its files. */
export interface BenchSource {
  readonly name: SourceName;
  /** Section `source` of the configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly floors: readonly ReadFloor[];
  /** Gives people `from` to `to` other titles. */
  change(from: number, to: number): Promise<void>;
  /** Puts a unit with a tenth of the people below another one. */
  move(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server, empty folder and all, and fills it. */
export type OpenBenchSource = (company: Company, folder: string) => Promise<BenchSource>;

/** Path of a script beside the bench, as JavaScript. */
export const scriptOf = (name: string): string => new URL(`../${name}.js`, import.meta.url).pathname;

/** Fields that every source maps, by the name that it has for each. */
export function personFields(names: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const { unit = 'unit', second = 'second', title = 'title', ...fields } = names;
  return { ...fields, positions: [{ unit, job_title: title, primary: { const: true } }, { unit: second }] };
}

/** Columns of the tables, as a database has them and as a file's header names them. */
export const UNIT_COLUMNS = ['id', 'parent_id', 'name'] as const;
export const PERSON_COLUMNS = [
  'id',
  'login',
  'full_name',
  'email',
  'mobile',
  'emp_no',
  'tel',
  'title',
  'dept_id',
  'second_id',
] as const;

export type Cells = readonly (string | null)[];

export function unitCells({ code, parent, name }: CompanyUnit): Cells {
  return [code, parent === 0 ? null : codeOf(parent), name];
}

export function personCells(person: CompanyPerson, title = person.title): Cells {
  const { i, username, name, mail, mobile, employeeNumber, tel, unit, second } = person;
  const places = [codeOf(unit), second === null ? null : codeOf(second)];
  return [`p${i}`, username, name, mail, mobile, employeeNumber, tel, title, ...places];
}

/** Parts `units` and `people` of the section `source`, without their queries or files. */
export const TABLE_FIELDS = {
  units: { id: 'id', parent: 'parent_id', name: 'name' },
  people: personFields({
    id: 'id',
    username: 'login',
    name: 'full_name',
    email: 'email',
    mobile: 'mobile',
    sn: 'emp_no',
    tel: 'tel',
    unit: 'dept_id',
    second: 'second_id',
  }),
};
