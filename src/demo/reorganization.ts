import type { HrChange } from './hr-database.ts';
import type { Employee, Workforce } from './workforce.ts';

/** The facts of the reorganization that have to be proved in the service afterwards. */
export interface Reorganization {
  readonly renamed: { readonly id: string; readonly name: string };
  readonly founded: { readonly id: string; readonly parent: string; readonly name: string };
  readonly mover: Employee;
  readonly movesTo: string;
  readonly founder: Employee;
  readonly joiner: Employee;
  readonly leaver: Employee;
  readonly changes: readonly HrChange[];
}

const RENAMED = { id: 'D34', name: 'Customer Success 客户成功部' };
const FOUNDED = { id: 'D133', parent: 'D13', name: 'Data & AI 数据智能' };
const MOVES_TO = 'D33';

const JOINER: Employee = {
  number: 'E0401',
  login: 'mei.lindqvist',
  name: 'Mei Lindqvist 林美',
  latinName: 'Mei Lindqvist',
  email: 'mei.lindqvist@harbour.example',
  mobile: '+4615100000401',
  status: 'active',
};

/** Plans the changes that HR makes on a Monday. */
export function planReorganization(workforce: Workforce): Reorganization {
  const mover = memberOf('D311', workforce);
  const founder = memberOf('D131', workforce);
  const leaver = memberOf('D241', workforce);
  const changes = [rename(), found(founder), move(mover), hire(), dismiss(leaver)];
  return {
    renamed: RENAMED,
    founded: FOUNDED,
    movesTo: MOVES_TO,
    mover,
    founder,
    joiner: JOINER,
    leaver,
    changes,
  };
}

/** Returns somebody who works in this unit alone, is not its head and has not left. */
function memberOf(department: string, { employees, assignments }: Workforce): Employee {
  const member = employees.find(({ number, status }) => {
    const [first, ...more] = assignments.filter(({ employee }) => employee === number);
    return status === 'active' && first?.department === department && !first.head && more.length === 0;
  });
  if (member === undefined) throw new Error(`nobody in ${department} can be reorganized`);
  return member;
}

function rename(): HrChange {
  return {
    says: `Customer Care is called ${RENAMED.name} from now on`,
    statements: [['update department set name = ? where id = ?', RENAMED.name, RENAMED.id]],
  };
}

function found({ number, name, login }: Employee): HrChange {
  return {
    says: `Cloud Platform gets a new unit, ${FOUNDED.name}; ${name} (${login}) leaves Backend to head it`,
    statements: [
      ['insert into department values (?, ?, ?)', FOUNDED.id, FOUNDED.parent, FOUNDED.name],
      [
        "update assignment set dept_id = ?, title = 'Head of Unit', is_head = 1 where emp_no = ?",
        FOUNDED.id,
        number,
      ],
    ],
  };
}

function move({ number, name, login }: Employee): HrChange {
  return {
    says: `${name} (${login}) moves from East China to Marketing`,
    statements: [['update assignment set dept_id = ? where emp_no = ?', MOVES_TO, number]],
  };
}

function hire(): HrChange {
  const { number, login, name, latinName, email, mobile, status } = JOINER;
  return {
    says: `${name} (${login}) joins, in the new unit`,
    statements: [
      [
        'insert into employee values (?, ?, ?, ?, ?, ?, ?)',
        number,
        login,
        name,
        latinName,
        email,
        mobile,
        status,
      ],
      ["insert into assignment values (?, ?, 'Data Scientist', 1, 0)", number, FOUNDED.id],
    ],
  };
}

function dismiss({ number, name, login }: Employee): HrChange {
  return {
    says: `${name} (${login}) leaves the company`,
    statements: [["update employee set status = 'left' where emp_no = ?", number]],
  };
}
