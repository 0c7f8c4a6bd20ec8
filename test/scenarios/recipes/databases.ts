import type { SqlServer } from '../../servers/postgres.ts';
import type { Happening, Kitchen, Leaving } from './company.ts';

/** Returns the URL of a server as the recipes have it, and the password as it is. */
export function withoutPassword({ url }: SqlServer): { readonly url: string; readonly password: string } {
  const [, scheme = '', user = '', password = '', place = ''] =
    /^(.*?\/\/)([^:]*):(.*)@([^@]*)$/u.exec(url) ?? [];
  return { url: `${scheme}${user}@${place}`, password };
}

interface Database {
  readonly recipe: string;
  readonly engine: 'postgres' | 'mariadb';
  /** In the recipe. */
  readonly url: string;
  readonly secret: string;
  /** Marked words that are right as they are. */
  readonly kept?: readonly string[];
  readonly filled: string;
  readonly loaded: readonly string[];
  readonly leavings: readonly (Omit<Leaving, 'happens'> & { readonly sql: string })[];
  readonly change: Omit<Happening, 'happens'> & { readonly sql: string; readonly shows: readonly string[] };
}

function database(of: Database): Kitchen {
  const { recipe, engine, kept = [], loaded, change } = of;
  return {
    recipe,
    needs: [engine],
    async open(servers) {
      const server = await servers[engine]();
      await server.exec(of.filled);
      const { url, password } = withoutPassword(server);
      const happens =
        (sql: string): Happening['happens'] =>
        () =>
          server.exec(sql);
      const kind = engine === 'postgres' ? [['/etc/ssl/corp.pem', server.caFile] as const] : [];
      return {
        fillings: [[of.url, url], ...kind, ...kept.map((word) => [word, word] as const)],
        secrets: { [of.secret]: password },
        loaded,
        leavings: of.leavings.map(({ sql, ...leaving }) => ({ ...leaving, happens: happens(sql) })),
        change: { ...change, happens: happens(change.sql) },
      };
    },
  };
}

export const ODOO = database({
  recipe: 'odoo',
  engine: 'postgres',
  url: 'postgres://reader@db.example.com/odoo',
  secret: 'odoo-password',
  kept: ['query:'],
  filled: `
    create table hr_department (id serial, name jsonb not null, complete_name varchar, parent_id int, manager_id int, active bool);
    insert into hr_department (id, name, parent_id, manager_id, active) values (1, '{"en_US": "Company"}', null, 7, true),
      (2, '{"en_US": "Sales", "de_DE": "Vertrieb"}', 1, 8, true), (3, '{"en_US": "Old"}', 1, null, false);
    create table res_users (id serial, login varchar not null, active bool, share bool);
    insert into res_users (id, login, active) values (11, 'ann@example.com', true), (12, 'bob', true), (13, 'cyd', true), (14, 'dee', true);
    create table hr_employee (id serial, name varchar, user_id int, department_id int, job_title varchar, work_email varchar,
      mobile_phone varchar, departure_date date, active bool);
    insert into hr_employee (id, name, user_id, department_id, job_title, work_email, active) values
      (7, 'Ann Ash', 11, 1, 'Boss', 'ann@example.com', true), (8, 'Bob Birch', 12, 2, null, null, true),
      (9, 'Cyd Cedar', 13, 2, 'Seller', null, true), (10, 'Dee Doe', 14, 2, null, null, true), (15, 'No Account', null, 2, null, null, true);`,
  loaded: [
    'ann@example.com, Ann Ash: Company Boss (head)',
    'bob, Bob Birch: Company/Vertrieb (head)',
    'cyd, Cyd Cedar: Company/Vertrieb Seller',
    'dee, Dee Doe: Company/Vertrieb',
  ],
  leavings: [
    {
      what: 'an employee is archived',
      who: 'dee',
      sql: 'update hr_employee set active = false where id = 10',
    },
    {
      what: 'the day of departure has passed',
      who: 'cyd',
      sql: 'update hr_employee set departure_date = current_date - 1 where id = 9',
    },
  ],
  change: {
    what: 'a department gets another manager',
    sql: 'update hr_department set manager_id = 7 where id = 2',
    shows: ['bob, Bob Birch: Company/Vertrieb'],
  },
});

export const ORANGEHRM = database({
  recipe: 'orangehrm',
  engine: 'mariadb',
  url: 'mariadb://reader@db.example.com/orangehrm',
  secret: 'orangehrm-password',
  filled: `
    create table ohrm_subunit (id int primary key, name varchar(100), unit_id varchar(100), lft smallint unsigned, rgt smallint unsigned, level smallint unsigned);
    insert into ohrm_subunit values (1, 'Company', null, 1, 8, 0), (2, 'Sales', null, 2, 5, 1), (3, 'EMEA', null, 3, 4, 2), (4, 'Lab', null, 6, 7, 1);
    create table ohrm_job_title (id int primary key, job_title varchar(100), is_deleted tinyint(1));
    insert into ohrm_job_title values (5, 'Seller', 0), (6, 'Head of EMEA', 0);
    create table ohrm_user (id int primary key, emp_number int, user_name varchar(40), deleted tinyint(1) not null, status tinyint(1) not null);
    insert into ohrm_user values (1, 7, 'ann', 0, 1), (2, 8, 'bob', 0, 1), (3, 9, 'cyd', 0, 1), (4, 10, 'dee', 0, 1);
    create table ohrm_emp_termination (id int primary key, emp_number int, termination_date date not null);
    insert into ohrm_emp_termination values (1, 9, current_date + interval 30 day);
    create table hs_hr_employee (emp_number int primary key, employee_id varchar(50), emp_lastname varchar(100), emp_firstname varchar(100),
      emp_work_email varchar(50), emp_mobile varchar(50), work_station int, job_title_code int, termination_id int);
    insert into hs_hr_employee values (7, '0007', 'Ash', 'Ann', 'ann@example.com', null, 3, 5, null), (8, '0008', 'Birch', 'Bob', null, null, 4, null, null),
      (9, '0009', 'Cedar', 'Cyd', null, null, 4, null, 1), (10, '0010', 'Doe', 'Dee', null, null, 1, null, null);`,
  loaded: [
    'ann, Ann Ash: Sales/EMEA Seller',
    'bob, Bob Birch: Lab',
    'cyd, Cyd Cedar: Lab',
    'dee, Dee Doe: (root)',
  ],
  leavings: [
    {
      what: 'the day of termination has passed',
      who: 'cyd',
      sql: 'update ohrm_emp_termination set termination_date = current_date - interval 1 day',
    },
    {
      what: 'a user is disabled',
      who: 'bob',
      sql: `update ohrm_user set status = 0 where user_name = 'bob'`,
    },
  ],
  change: {
    what: 'somebody gets another title',
    sql: 'update hs_hr_employee set job_title_code = 6 where emp_number = 7',
    shows: ['ann, Ann Ash: Sales/EMEA Head of EMEA'],
  },
});

export const ERPNEXT = database({
  recipe: 'erpnext',
  engine: 'mariadb',
  url: 'mariadb://reader@db.example.com/erpnext',
  secret: 'erpnext-password',
  filled: `
    create table \`tabDepartment\` (name varchar(140) primary key, department_name varchar(140), parent_department varchar(140),
      company varchar(140), is_group tinyint not null default 0, disabled tinyint not null default 0, lft int not null default 0, rgt int not null default 0);
    insert into \`tabDepartment\` (name, department_name, parent_department) values ('All Departments', 'All Departments', null),
      ('Sales - X', 'Sales', 'All Departments'), ('EMEA - X', 'EMEA', 'Sales - X'), ('HR - X', 'HR', '');
    create table \`tabEmployee\` (name varchar(140) primary key, employee_name varchar(140), user_id varchar(140), company_email varchar(140),
      cell_number varchar(140), designation varchar(140), department varchar(140), status varchar(140), relieving_date date);
    insert into \`tabEmployee\` values ('HR-EMP-00001', 'Ann Ash', 'ann@example.com', 'ann@example.com', null, 'Seller', 'EMEA - X', 'Active', null),
      ('HR-EMP-00002', 'Bob Birch', 'bob@example.com', null, null, null, 'Sales - X', 'Active', null),
      ('HR-EMP-00003', 'Cyd Cedar', 'cyd@example.com', null, null, null, 'HR - X', 'Active', current_date + interval 10 day),
      ('HR-EMP-00004', 'No Account', null, null, null, null, 'Sales - X', 'Active', null);`,
  loaded: ['ann, Ann Ash: Sales/EMEA Seller', 'bob, Bob Birch: Sales', 'cyd, Cyd Cedar: HR'],
  leavings: [
    {
      what: 'the state of an employee is Left',
      who: 'bob',
      sql: `update \`tabEmployee\` set status = 'Left' where name = 'HR-EMP-00002'`,
    },
    {
      what: 'the relieving date has passed',
      who: 'cyd',
      sql: `update \`tabEmployee\` set relieving_date = current_date - interval 1 day where name = 'HR-EMP-00003'`,
    },
  ],
  change: {
    what: 'somebody gets another designation',
    sql: `update \`tabEmployee\` set designation = 'Head of EMEA' where name = 'HR-EMP-00001'`,
    shows: ['ann, Ann Ash: Sales/EMEA Head of EMEA'],
  },
});

/** The tables of Oracle's sample schema, with the types of PostgreSQL. */
export const ORACLE_HR = database({
  recipe: 'oracle-hr',
  engine: 'postgres',
  url: 'postgres://reader@db.example.com/hr',
  secret: 'hr-password',
  kept: ['@example.com'],
  filled: `
    create table departments (department_id numeric(4) primary key, department_name varchar(30) not null, manager_id numeric(6), location_id numeric(4));
    insert into departments values (10, 'Administration', 200, 1700), (60, 'IT', 103, 1400), (90, 'Executive', 100, 1700);
    create table jobs (job_id varchar(10) primary key, job_title varchar(35) not null, min_salary numeric(6), max_salary numeric(6));
    insert into jobs values ('AD_PRES', 'President', 20080, 40000), ('IT_PROG', 'Programmer', 4000, 10000), ('AD_ASST', 'Administration Assistant', 3000, 6000);
    create table employees (employee_id numeric(6) primary key, first_name varchar(20), last_name varchar(25) not null, email varchar(25) not null,
      phone_number varchar(20), hire_date date not null, job_id varchar(10) not null, salary numeric(8,2), commission_pct numeric(2,2),
      manager_id numeric(6), department_id numeric(4));
    insert into employees values (100, 'Steven', 'King', 'SKING', '1.515.555.0100', '2013-06-17', 'AD_PRES', 24000, null, null, 90),
      (103, 'Alexander', 'James', 'AJAMES', '1.590.555.0103', '2016-01-03', 'IT_PROG', 9000, null, 100, 60),
      (104, 'Bruce', 'Miller', 'BMILLER', '1.590.555.0104', '2017-05-21', 'IT_PROG', 6000, null, 103, 60),
      (200, 'Jennifer', 'Whalen', 'JWHALEN', '1.515.555.0165', '2013-09-17', 'AD_ASST', 4400, null, 100, 10);`,
  loaded: [
    'ajames, Alexander James: IT Programmer (head)',
    'bmiller, Bruce Miller: IT Programmer',
    'jwhalen, Jennifer Whalen: Administration Administration Assistant (head)',
    'sking, Steven King: Executive President (head)',
  ],
  leavings: [
    {
      what: 'the row of an employee is deleted',
      who: 'jwhalen',
      isMissing: true,
      isHead: true,
      sql: 'delete from employees where employee_id = 200',
    },
  ],
  change: {
    what: 'a department gets another manager',
    sql: 'update departments set manager_id = 104 where department_id = 60',
    shows: ['ajames, Alexander James: IT Programmer', 'bmiller, Bruce Miller: IT Programmer (head)'],
  },
});
