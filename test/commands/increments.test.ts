import { describe, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { openStage, type Stage } from './command-line.ts';
import { constant, expectScreen, expectStory, type Step } from './story.ts';

const CHANGED = 'select * from employee where updated_at >= :changedSince';

const sourceWith = (changes: string): string => `source:
  type: sql
  url: sqlite:hr.db
  changes: auto
  units: { query: select * from department, fields: { id: id, parent: parent_id, name: name } }
  people:
    query: select * from employee
    changes: ${changes}
    fields: { id: emp_no, username: login, name: full_name, positions: [{ unit: { const: d1 } }] }
`;

const LISTED = `{ query: '${CHANGED}', ids: select emp_no from employee }`;

async function staged(changes = LISTED): Promise<Stage> {
  const stage = await openStage();
  stage.hr(`alter table employee add column updated_at text; update employee set updated_at = '2020-01-01'`);
  stage.setSource(sourceWith(changes));
  return stage;
}

/** Whether the last read was incremental, by the log. */
const readsOf = (log: string): readonly string[] =>
  [...log.matchAll(/"read":"(?<read>\w+)"/gu)].map(({ groups }) => groups?.['read'] ?? '');

/** Keys that the ledger has. */
function keysIn({ ledgerFile }: Stage): readonly unknown[] {
  const ledger = new Database(ledgerFile, { readonly: true });
  const keys = ledger.prepare('select key from source_record order by key').pluck().all();
  ledger.close();
  return keys;
}

describe('on the command line, an incremental source', () => {
  test('is read in full first, then by what changed; status says how', async () => {
    const stage = await staged();
    expect(readsOf((await stage.type('sync')).out)).toEqual(['full']);
    stage.hr(`update employee set full_name = 'Robert', updated_at = datetime('now') where login = 'bob'`);
    const ran = await stage.type('sync');
    expect([ran.code, readsOf(ran.out)]).toEqual([0, ['incremental']]);
    expect(stage.sandbox.state.employee('bob')?.name).toBe('Robert');
    const { out } = await stage.type('status');
    const source = out.split('\n').filter((line) => line.startsWith('source '));
    await expectScreen('increments in the status', constant(source.join('\n'), stage));
    expect(readsOf((await stage.type('sync', '--full')).out)).toEqual(['full']);
  });

  test('is read in full each time where nothing tells what changed, and the log says so', async () => {
    const stage = await openStage();
    stage.configure(['  type: sql', '  type: sql\n  changes: auto']);
    for (let run = 0; run < 2; run += 1) {
      const ran = await stage.type('sync');
      expect(readsOf(ran.out)).toEqual(['full']);
      expect(ran.out).toContain('"why":"source.people.changes ');
    }
  });

  test('is read in full after somebody was forgotten, of whom no key is left', async () => {
    const stage = await staged();
    stage.setSource(`${sourceWith(LISTED)}sync: { leavers: { misses: 1 } }\n`);
    await stage.type('sync');
    stage.hr(`delete from employee where login = 'bob'`);
    await stage.type('sync');
    expect((await stage.type('forget', 'bob')).code).toBe(0);
    expect(keysIn(stage)).toEqual([]);
    expect(readsOf((await stage.type('sync')).out)).toEqual(['full']);
    expect(keysIn(stage)).toEqual(['1', '3']);
  });

  test('needs queries that can work', async () => {
    const queries = (changes: string): Step => [
      `changes: ${changes}`,
      (stage) => stage.setSource(sourceWith(changes)),
    ];
    await expectStory('increments that cannot work', await staged(), [
      queries(`{ query: select * from employee, ids: select 1, removed: select 2 }`),
      'check',
      queries(`{ query: '${CHANGED}', ids: select 1, removed: 'select 2 where 1 > :changedSince' }`),
      'check',
    ]);
  });

  test('is told in the log where nobody looks for what increments miss', async () => {
    const stage = await staged();
    stage.setSource(`${sourceWith(LISTED)}sync: { fullCron: null }\n`);
    expect((await stage.type('sync')).out).toContain('sync.fullCron');
  });
});
