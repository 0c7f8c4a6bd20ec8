import Database from 'better-sqlite3';
import { DEPARTMENTS, hireEverybody } from './company.ts';

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

const NEW_EMPLOYEE = 'insert into employee values (?, ?, ?, ?, ?, ?, ?)';
const NEW_ASSIGNMENT = 'insert into assignment values (?, ?, ?, ?, ?)';

type Statement = readonly [sql: string, ...values: readonly (string | number | null)[]];

/** A change that HR makes: as a sentence, and in the database. */
export interface HrChange {
  readonly sentence: string;
  readonly statements: readonly Statement[];
}

/** A person in the HR database. */
export interface HrPerson {
  readonly number: string;
  readonly login: string;
  readonly name: string;
}

/** The HR database of the demo: a SQLite file. */
export class HrDatabase {
  readonly #db: Database.Database;

  constructor(file: string) {
    this.#db = new Database(file);
    this.#db.exec(TABLES);
    this.#run([
      ...DEPARTMENTS.map(({ id, parent, name }): Statement => [
        'insert into department values (?, ?, ?)',
        id,
        parent,
        name,
      ]),
      ...hireEverybody().flatMap(
        ({ number, login, name, latinName, mobile, status, department, title, isHead, second }) => [
          [NEW_EMPLOYEE, number, login, name, latinName, `${login}@harbour.example`, mobile, status] as const,
          [NEW_ASSIGNMENT, number, department, title, 1, Number(isHead)] as const,
          ...(second === undefined ? [] : [[NEW_ASSIGNMENT, number, second, 'Project Lead', 0, 0] as const]),
        ],
      ),
    ]);
  }

  /** Applies all changes in one transaction, as the HR department's own software would. */
  apply(changes: readonly HrChange[]): void {
    this.#run(changes.flatMap(({ statements }) => statements));
  }

  count(table: string): number {
    return Number(this.#db.prepare(`select count(*) from ${table}`).pluck().get());
  }

  /** Returns each unit, with its parent, as `D1 Sensors`. */
  units(): readonly string[] {
    return this.#texts("select coalesce(parent_id, '') || ' ' || name from department");
  }

  /**
   * Returns the seats of all people who have not left: login, department, title, whether it is the main one,
   * and the head's.
   */
  seats(): readonly string[] {
    return this.#texts(
      `select concat_ws(' ', login, dept_id, title, is_primary, is_head)
         from assignment join employee using (emp_no) where status = 'active'`,
    );
  }

  #texts(sql: string): readonly string[] {
    return this.#db.prepare<[], string>(sql).pluck().all();
  }

  /** Returns a person who works in this unit alone and has not left; its head, or another one. */
  memberOf(department: string, isHead = false): HrPerson {
    const found = this.#db
      .prepare<[number, string], HrPerson>(
        `select emp_no as number, login, full_name as name from employee join assignment using (emp_no)
           where status = 'active' group by emp_no having count(*) = 1 and max(is_head) = ? and max(dept_id) = ?`,
      )
      .get(Number(isHead), department);
    if (found === undefined) throw new Error(`no person in ${department} can be reorganized`);
    return found;
  }

  close(): void {
    this.#db.close();
  }

  #run(statements: readonly Statement[]): void {
    this.#db.transaction(() => {
      for (const [sql, ...values] of statements) {
        const { changes: rows } = this.#db.prepare(sql).run(...values);
        if (rows === 0) throw new Error(`changed nothing in the HR database: ${sql}`);
      }
    })();
  }
}

/** What HR changes on a Monday, and whom the service has to know the same afterwards. */
export interface Reorganization {
  readonly renamed: { readonly id: string; readonly name: string };
  readonly mover: HrPerson;
  readonly founder: HrPerson;
  readonly leaver: HrPerson;
  readonly changes: readonly HrChange[];
}

export function planReorganization(hr: HrDatabase): Reorganization {
  const renamed = { id: 'D34', name: 'Customer Success 客户成功部' };
  const founded = { id: 'D133', name: 'Data & AI 数据智能' };
  const [mover, founder, leaver] = [hr.memberOf('D311'), hr.memberOf('D131'), hr.memberOf('D241')];
  const login = 'mei.lindqvist';
  const joiner = ['E0401', login, 'Mei Lindqvist 林美', 'Mei Lindqvist', `${login}@harbour.example`] as const;
  const changes: readonly HrChange[] = [
    {
      sentence: `Customer Care is called ${renamed.name} from now on`,
      statements: [['update department set name = ? where id = ?', renamed.name, renamed.id]],
    },
    {
      sentence: `Cloud Platform gets a new unit, ${founded.name}; ${labelOf(founder)} leaves Backend to head it`,
      statements: [
        ["insert into department values (?, 'D13', ?)", founded.id, founded.name],
        [
          "update assignment set dept_id = ?, title = 'Head of Unit', is_head = 1 where emp_no = ?",
          founded.id,
          founder.number,
        ],
      ],
    },
    {
      sentence: `${labelOf(mover)} moves from East China to Marketing`,
      statements: [["update assignment set dept_id = 'D33' where emp_no = ?", mover.number]],
    },
    {
      sentence: `Mei Lindqvist 林美 (${login}) joins, in the new unit`,
      statements: [
        [NEW_EMPLOYEE, ...joiner, '+4615100000401', 'active'],
        [NEW_ASSIGNMENT, joiner[0], founded.id, 'Data Scientist', 1, 0],
      ],
    },
    {
      sentence: `${labelOf(leaver)} leaves the company`,
      statements: [["update employee set status = 'left' where emp_no = ?", leaver.number]],
    },
  ];
  return { renamed, mover, founder, leaver, changes };
}

const labelOf = ({ name, login }: HrPerson): string => `${name} (${login})`;

/** So many leave that a person should look at it. */
export const SALE: HrChange = {
  sentence: 'The Leipzig Plant is sold: whoever works there leaves the company',
  statements: [
    [
      "update employee set status = 'left' where emp_no in (select emp_no from assignment where dept_id like 'D22%')",
    ],
  ],
};
