import Database from 'better-sqlite3';
import { DEPARTMENTS } from './company.ts';
import type { Workforce } from './workforce.ts';

const TABLES = `
  create table department (
    id text primary key,
    parent_id text references department,
    name text not null
  );
  create table employee (
    emp_no text primary key,
    login text not null unique,
    full_name text not null,
    latin_name text,
    email text,
    mobile text,
    status text not null check (status in ('active', 'left'))
  );
  create table assignment (
    emp_no text not null references employee,
    dept_id text not null references department,
    title text,
    is_primary integer not null,
    is_head integer not null,
    primary key (emp_no, dept_id)
  );`;

/** A change that somebody in HR makes, in their words and in the database's. */
export interface HrChange {
  readonly says: string;
  readonly statements: readonly (readonly [sql: string, ...values: readonly (string | number)[]])[];
}

/** A unit in HR, to compare the service with. */
interface HrUnit {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
}

interface HrSeat {
  readonly login: string;
  readonly department: string;
  readonly title: string;
  /** 0 or 1: SQLite has no booleans. */
  readonly main: number;
  readonly head: number;
}

/** The HR database of the demo: a SQLite file. */
export class HrDatabase {
  readonly #db: Database.Database;

  constructor(file: string, { employees, assignments }: Workforce) {
    this.#db = new Database(file);
    this.#db.exec(TABLES);
    this.#fill(
      'insert into department values (?, ?, ?)',
      DEPARTMENTS.map(({ id, parent, name }) => [id, parent, name]),
    );
    this.#fill(
      'insert into employee values (?, ?, ?, ?, ?, ?, ?)',
      employees.map(({ number, login, name, latinName, email, mobile, status }) => [
        number,
        login,
        name,
        latinName,
        email,
        mobile,
        status,
      ]),
    );
    this.#fill(
      'insert into assignment values (?, ?, ?, ?, ?)',
      assignments.map(({ employee, department, title, primary, head }) => [
        employee,
        department,
        title,
        Number(primary),
        Number(head),
      ]),
    );
  }

  /** Applies all changes in one transaction, as the HR department's own software would. */
  apply(changes: readonly HrChange[]): void {
    const statements = changes.flatMap(({ statements: list }) => list);
    this.#db.transaction(() => {
      for (const [sql, ...values] of statements) {
        const { changes: rows } = this.#db.prepare(sql).run(...values);
        if (rows === 0) throw new Error(`changed nothing in the HR database: ${sql}`);
      }
    })();
  }

  count(what: string): number {
    return Number(this.#db.prepare(`select count(*) from ${what}`).pluck().get());
  }

  units(): readonly HrUnit[] {
    return this.#db.prepare<[], HrUnit>('select id, parent_id as parent, name from department').all();
  }

  /** Returns the seats of everybody who has not left. */
  seats(): readonly HrSeat[] {
    return this.#db
      .prepare<[], HrSeat>(
        `select login, dept_id as department, title, is_primary = 1 as main, is_head = 1 as head
           from assignment join employee using (emp_no) where status = 'active'`,
      )
      .all();
  }

  close(): void {
    this.#db.close();
  }

  #fill(sql: string, rows: readonly (readonly (string | number | null)[])[]): void {
    const insert = this.#db.prepare(sql);
    this.#db.transaction(() => {
      for (const row of rows) insert.run(...row);
    })();
  }
}
