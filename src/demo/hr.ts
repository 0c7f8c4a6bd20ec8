import Database from 'better-sqlite3';

const TABLES = `
  create table department (id text primary key, parent_id text references department, name text not null);
  create table employee (
    emp_no text primary key, login text not null unique, full_name text not null, latin_name text,
    email text, mobile text, status text not null check (status in ('active', 'left'))
  );
  create table assignment (
    emp_no text not null references employee, dept_id text not null references department, title text,
    is_primary integer not null, is_head integer not null, primary key (emp_no, dept_id)
  );`;

/** Id, number of people and name of each unit: an id without its last digit is the id of the parent. */
const UNITS = `D1 3 研发中心 Research & Development, D11 4 Sensors 传感器, D111 14 Optics Lab, D1111 9 Laser Metrology,
  D12 5 Embedded Software, D121 18 Drivers / BSP, D13 6 Cloud Platform 云平台, D131 16 Backend,
  D2 3 制造部 Manufacturing, D21 6 Shenzhen Plant 深圳工厂, D211 24 总装车间 Assembly, D22 5 Leipzig Plant,
  D221 12 Glassworks, D24 10 采购部 Procurement, D3 3 营销中心 Sales & Marketing, D31 14 华东 East China,
  D33 9 Marketing, D34 16 Customer Care, D4 10 财务部 Finance, D5 9 人力资源部 People & Culture, D6 4 总裁办 Executive Office`;

/** Family and given names; Chinese ones with their Latin spelling, which logins are made of. */
const NAMES = [
  [
    '王 Wang, 李 Li, 张 Zhang, 刘 Liu, 陈 Chen, 杨 Yang, 黄 Huang, 赵 Zhao, 欧阳 Ouyang, 司马 Sima',
    '伟 Wei, 芳 Fang, 秀英 Xiuying, 敏 Min, 静 Jing, 强 Qiang, 磊 Lei, 艳 Yan, 晨曦 Chenxi, 雨桐 Yutong, 子轩 Zixuan',
  ],
  [
    "Müller, Öberg, García, O'Brien, Nováková, Weber, Rossi, Kowalski, Åkesson, Kühn",
    'Anna, Jürgen, Zoë, José, Ingrid, Lukas, Chloé, Marek, Håkan, Élodie, Tomás',
  ],
].map((pair) => pair.map((text) => text.split(',').map((name) => name.trim().split(' '))));

const TITLES = ['Engineer', '工程师', 'Analyst', 'Planner', '客户经理', 'Technician', 'Consultant'];

/** A change that HR makes: as a sentence, and in the database. */
export type HrChange = readonly [sentence: string, sql: string];

/** A person in the HR database. */
export interface HrPerson {
  readonly number: string;
  readonly login: string;
  readonly name: string;
}

/** The HR database of the demo: a SQLite file, always with the same company. */
export class HrDatabase {
  readonly #db: Database.Database;

  constructor(file: string) {
    this.#db = new Database(file);
    this.#db.exec(TABLES);
    this.#db.transaction(() => this.#hireEverybody())();
  }

  #hireEverybody(): void {
    const run = (sql: string, values: readonly unknown[]): unknown => this.#db.prepare(sql).run(...values);
    const units = UNITS.split(',').map((text) => /(\S+) (\d+) (.*)/u.exec(text) ?? []);
    for (const [, id = '', , name] of units)
      run('insert into department values (?, ?, ?)', [id, id.length > 2 ? id.slice(0, -1) : null, name]);
    const seats = units.flatMap(([, id, people]) =>
      Array.from({ length: Number(people) }, (_, seat) => ({ id, seat })),
    );
    for (const [index, { id, seat }] of seats.entries()) {
      const number = `E${String(index + 1).padStart(4, '0')}`;
      const { name, latin, login } = namedAt(index);
      const status = seat > 0 && index % 50 === 49 ? 'left' : 'active';
      const contact = [`${login}@harbour.example`, `+4915100${String(index).padStart(6, '0')}`];
      run('insert into employee values (?, ?, ?, ?, ?, ?, ?)', [
        number,
        login,
        name,
        latin,
        ...contact,
        status,
      ]);
      const title = seat === 0 ? 'Head of Unit' : TITLES[index % TITLES.length];
      run('insert into assignment values (?, ?, ?, 1, ?)', [number, id, title, Number(seat === 0)]);
      const other = units[(index * 7) % units.length]?.[1];
      if (index % 19 === 18 && other !== id)
        run("insert into assignment values (?, ?, 'Project Lead', 0, 0)", [number, other]);
    }
  }

  /** Applies all changes in one transaction, as the HR department's own software would. */
  apply(changes: readonly HrChange[]): void {
    this.#db.transaction(() => changes.map(([, sql]) => this.#db.exec(sql)))();
  }

  /** Returns the only column of a query, as texts. */
  texts(sql: string): readonly string[] {
    return this.#db.prepare<[]>(sql).pluck().all().map(String);
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
}

/** Names are walked through in fixed steps, not by chance; no pair of names comes twice. */
function namedAt(index: number): Readonly<Record<'name' | 'latin' | 'login', string>> {
  const [families = [], givens = []] = NAMES[index % 2] ?? [];
  const pair = Math.floor(index / 2);
  const place = pair % families.length;
  const [family = '', familyLatin = family] = families[place] ?? [];
  const [given = '', givenLatin = given] =
    givens[(Math.floor(pair / families.length) + place) % givens.length] ?? [];
  const latin = `${givenLatin} ${familyLatin}`;
  const ascii = latin.normalize('NFD').replaceAll(/[^A-Za-z ]/gu, '');
  return {
    name: index % 2 === 0 ? family + given : latin,
    latin,
    login: ascii.toLowerCase().replace(' ', '.'),
  };
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
  const [mover, founder, leaver] = [hr.memberOf('D31'), hr.memberOf('D131'), hr.memberOf('D24')];
  const changes: readonly HrChange[] = [
    [
      `Customer Care is called ${renamed.name} from now on`,
      `update department set name = '${renamed.name}' where id = '${renamed.id}'`,
    ],
    [
      `Cloud Platform gets a new unit, Data & AI 数据智能; ${labelOf(founder)} leaves Backend to head it`,
      `insert into department values ('D133', 'D13', 'Data & AI 数据智能');
        update assignment set dept_id = 'D133', title = 'Head of Unit', is_head = 1 where emp_no = '${founder.number}'`,
    ],
    [
      `${labelOf(mover)} moves from East China to Marketing`,
      `update assignment set dept_id = 'D33' where emp_no = '${mover.number}'`,
    ],
    [
      'Mei Lindqvist 林美 (mei.lindqvist) joins, in the new unit',
      `insert into employee values ('E0401', 'mei.lindqvist', 'Mei Lindqvist 林美', 'Mei Lindqvist',
          'mei.lindqvist@harbour.example', '+4915100000401', 'active');
        insert into assignment values ('E0401', 'D133', 'Data Scientist', 1, 0)`,
    ],
    [
      `${labelOf(leaver)} leaves the company`,
      `update employee set status = 'left' where emp_no = '${leaver.number}'`,
    ],
  ];
  return { renamed, mover, founder, leaver, changes };
}

function labelOf({ name, login }: HrPerson): string {
  return `${name} (${login})`;
}

/** So many leave that a person should look at it. */
export const SALE: HrChange = [
  'The Leipzig Plant is sold: whoever works there leaves the company',
  "update employee set status = 'left' where emp_no in (select emp_no from assignment where dept_id like 'D22%')",
];
