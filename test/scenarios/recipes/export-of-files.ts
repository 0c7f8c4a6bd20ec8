import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kitchen } from './company.ts';

const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

const DEPARTMENTS = `dept_id,parent_id,dept_name
1,,Company
2,1,"Sales, EMEA"
`;
const EMPLOYEES = `emp_no,login,full_name,email,status,last_day
1,ann,Ann Ash,ann@example.com,active,
2,bob,"Birch, Bob",,active,
3,cyd,Cyd Čapek,,active,${day(30)}
4,dee,Dee Doe,,active,${day(0)}
`;
const ASSIGNMENTS = `emp_no,dept_id,title,is_primary,is_head
1,1,Boss,1,1
2,2,Seller,1,0
3,2,,1,1
4,2,,1,0
4,1,Auditor,0,0
`;

export const CSV_EXPORT: Kitchen = {
  recipe: 'csv-export',
  needs: [],
  async open(_servers, folder) {
    const files: Record<string, string> = {
      'departments.csv': DEPARTMENTS,
      'employees.csv': EMPLOYEES,
      'assignments.csv': ASSIGNMENTS,
    };
    const write = (): void => {
      mkdirSync(join(folder, 'import'), { recursive: true });
      for (const [name, text] of Object.entries({ ...files, 'export.done': '' }))
        writeFileSync(join(folder, 'import', name), text);
    };
    const replaced = (name: string, old: string, next: string) => (): void => {
      files[name] = files[name]?.replace(old, next) ?? '';
      write();
    };
    write();
    const kept = ['import/', "status != 'left'"];
    return {
      fillings: kept.map((word) => [word, word]),
      secrets: {},
      loaded: [
        'ann, Ann Ash: Company Boss (head)',
        'bob, Birch, Bob: Company/Sales, EMEA Seller',
        'cyd, Cyd Čapek: Company/Sales, EMEA (head)',
        'dee, Dee Doe: Company Auditor + Company/Sales, EMEA',
      ],
      leavings: [
        {
          what: 'the state is "left"',
          who: 'bob',
          happens: replaced('employees.csv', '"Birch, Bob",,active', '"Birch, Bob",,left'),
        },
        {
          what: 'the last day has passed',
          who: 'dee',
          happens: replaced('employees.csv', day(0), day(-1)),
        },
      ],
      change: {
        what: 'a department has another head',
        happens: replaced('assignments.csv', '3,2,,1,1', '3,2,,1,0'),
        shows: ['cyd, Cyd Čapek: Company/Sales, EMEA'],
      },
    };
  },
};
