import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keptText } from './kept-text.ts';
import { configText, openStage, type Stage } from './command-line.ts';

const PEOPLE = 'query: select * from employee';

/** Writes another configuration beside that of the stage. */
function other(stage: Stage, ...replacements: readonly (readonly [string, string])[]): string {
  const file = join(stage.folder, 'new.yaml');
  const text = replacements.reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`there is no ${from}`);
    return all.replace(from, () => to);
  }, configText(stage.sandbox));
  writeFileSync(file, text);
  return file;
}

const kept = (stage: Stage): string => `${stage.ledgerFile}.source`;

async function synced(hr?: string): Promise<Stage> {
  const stage = await openStage(hr === undefined ? {} : { hr });
  expect((await stage.type('sync')).code).toBe(0);
  return stage;
}

/** Neither the source nor the service can be asked any more. */
async function gone(stage: Stage): Promise<void> {
  stage.hr('drop table employee; drop table department; drop table assignment');
  await stage.sandbox.close();
}

describe('plan --recorded', () => {
  test('plans another configuration without source and service, says the age and the sum, and gives nothing to approve', async () => {
    const stage = await synced();
    const file = other(
      stage,
      ['state: {', 'sync: { guard: { unitsMoved: { percent: 0, count: 0 } } }\nstate: {'],
      [PEOPLE, `${PEOPLE}\n    where: "login != 'ann' && login != 'bob'"`],
      [
        'select * from department, fields: { id: id, parent: parent_id',
        "select * from department, fields: { id: id, parent: { expr: \"id == 'd3' ? 'd2' : parent_id\" }",
      ],
    );
    await gone(stage);
    const before = readFileSync(stage.ledgerFile);
    const { code, out, err } = await stage.type('plan', '--recorded', '--config', file);
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(
      /^What-if: the read of \d{4}-\d\d-\d\d \d\d:\d\d UTC \(less than a minute ago\), planned under this configuration\.$/u,
    );
    expect(lines[1]).toMatch(/^Neither source nor service were asked/u);
    expect(lines[2]).toBe('2 people would leave; 1 unit would move.');
    expect(out).not.toMatch(/approve [0-9a-f]|Apply|Plan [0-9a-f]{12}/u);
    expect(readFileSync(stage.ledgerFile).equals(before)).toBe(true);
    const { out: text } = await stage.type('plan', '--recorded', '--config', file, '--json');
    const plan = JSON.parse(text) as Record<string, unknown>;
    expect(plan).toMatchObject({
      hash: null,
      recorded: { people: { leave: 2, join: 0, move: 0, change: 0 }, units: { move: 1, appear: 0, go: 0 } },
      counts: { units: { move: 1 } },
      held: [{ guard: 'unitsMoved', hash: null }],
    });
    const page = join(stage.folder, 'plan.html');
    expect((await stage.type('plan', '--recorded', '--config', file, '--html', page)).code).toBe(0);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('What-if');
    expect(html).toContain('neither source nor service were asked');
    expect(html).not.toContain('sync --approve');
  });

  test('under the same configuration nothing would be different, also while somebody is missing', async () => {
    const stage = await synced();
    expect((await stage.type('plan', '--recorded')).out).toContain('Nothing would be different.');
    stage.hr(`delete from employee where login = 'bob'; delete from assignment where emp_no = '2'`);
    expect((await stage.type('sync')).code).toBe(0);
    for (const minutes of [10, 0]) {
      stage.configure(['state: {', `sync: { leavers: { missEveryMinutes: ${minutes} } }\nstate: {`]);
      const { out } = await stage.type('plan', '--recorded', '--json');
      expect(JSON.parse(out)).toMatchObject({
        recorded: { people: { leave: 1 } },
        counts: { people: { disable: 0 } },
      });
    }
  });

  test('refuses what it cannot tell with the file, the place and what to do', async () => {
    const stage = await synced();
    const refused = async (...replacements: Parameters<typeof other>[1][]): Promise<string> => {
      const { code, out, err } = await stage.type(
        'plan',
        '--recorded',
        '--config',
        other(stage, ...replacements),
      );
      expect([code, out]).toEqual([2, '']);
      return err;
    };
    expect(await refused([PEOPLE, `${PEOPLE} where status = 'active'`])).toContain(
      "new.yaml: source.people: query was select * from employee in the read that is kept, and is select * from employee where status = 'active' now: only the source can tell",
    );
    expect(await refused(['hr.db', 'hr2.db'])).toContain('the read that is kept is of sqlite');
    expect(await refused(['email: email', 'email: mail2'])).toContain(
      'source.people.fields.email: mail2 was not kept',
    );
    expect((await stage.type('plan', '--recorded', '--full')).err).toContain('--full has nothing to read');
  });

  test('needs a read that was kept, and a ledger that has seen the service', async () => {
    const stage = await openStage();
    expect(await stage.type('plan', '--recorded')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'no read of the source is kept beside state/rollcall.db: the next complete run keeps it',
      ),
    });
    stage.setEnv({ TOKEN: 'wrong' });
    expect((await stage.type('sync')).code).toBe(1);
    expect(await stage.type('plan', '--recorded')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the ledger has not seen all of the service yet'),
    });
  });
});

describe('what is kept of a read', () => {
  test('is private, shown by status, and removed where it is not wanted any more', async () => {
    const stage = await synced();
    expect(statSync(kept(stage)).mode & 0o777).toBe(0o600);
    expect((await stage.type('status')).out).toMatch(
      /^kept {8}the read of .* UTC, 3 people, \d+ KB \(rollcall plan --recorded\)$/mu,
    );
    expect(JSON.parse((await stage.type('status', '--json')).out)).toMatchObject({
      keptSource: { people: 3, bytes: expect.any(Number) },
    });
    stage.configure(['state: {', 'state: { keepSource: false,']);
    expect((await stage.type('plan')).code).toBe(0);
    expect(existsSync(kept(stage))).toBe(true);
    expect((await stage.type('sync')).code).toBe(0);
    expect(existsSync(kept(stage))).toBe(false);
    expect((await stage.type('status')).out).not.toContain('plan --recorded');
    expect((await stage.type('plan', '--recorded')).err).toContain('set state.keepSource: true');
  });

  test('has nothing of who was forgotten, and all of the others', async () => {
    const stage = await openStage();
    stage.hr(`insert into employee values ('emp-9', 'quetzal', 'Quetz', null, 'active');
      insert into assignment values ('emp-9', 'd3', null, 1)`);
    await stage.type('sync');
    stage.hr(`update employee set status = 'left' where emp_no = 'emp-9'`);
    expect((await stage.type('sync')).code).toBe(0);
    expect(keptText(kept(stage))).toMatch(/quetzal[^]*emp-9/u);
    stage.hr(`delete from employee where emp_no = 'emp-9'; delete from assignment where emp_no = 'emp-9'`);
    expect((await stage.type('forget', 'quetzal')).code).toBe(0);
    expect(keptText(kept(stage))).not.toMatch(/quetzal|emp-9/u);
    expect(keptText(kept(stage))).toMatch(/ann[^]*bob[^]*lin/u);
    expect((await stage.type('plan', '--recorded')).out).toContain('Nothing would be different.');
  });

  test('stays as it was where a later read does not prove complete', async () => {
    const stage = await synced();
    const at = async (): Promise<number> =>
      (JSON.parse((await stage.type('status', '--json')).out) as { keptSource: { at: number } }).keptSource
        .at;
    const first = await at();
    stage.hr('delete from assignment');
    expect((await stage.type('sync')).code).toBe(1);
    expect(await at()).toBe(first);
    expect((await stage.type('plan', '--recorded')).out).toContain('Nothing would be different.');
    stage.hr(`insert into assignment values ('1', 'd1', 'Head', 1)`);
    await stage.type('sync');
    expect(await at()).toBeGreaterThan(first);
  });
});
