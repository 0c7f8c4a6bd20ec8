import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Change, Held } from '../../src/domain/changes.ts';
import type { PageData } from '../../src/page/wire.ts';
import { loadedStage } from './command-line.ts';
import { constant, expectScreen } from './story.ts';

type Listed = Change & { readonly held: boolean; readonly approve: readonly string[] };

interface PlanJson {
  readonly held: readonly Held[];
  readonly changes: readonly Listed[];
}

/** Before and after: one who loses a mail address and gets a name, and a mover whose title turns empty. */
const EDITS = `update employee set email = null, full_name = 'Anna' where emp_no = '1';
  update employee set full_name = 'Robert' where emp_no = '2';
  update assignment set title = null, dept_id = 'd3' where emp_no = '3' and is_primary = 1;
  delete from assignment where emp_no = '3' and is_primary = 0`;

test('plan --json, plan --all, the page and the message list the same under one hash, and its approval sends just that', async () => {
  const stage = await loadedStage();
  stage.configure(['log:', 'sync: { guard: { updates: off, emptied: 0 } }\nlog:']);
  stage.hr(EDITS);
  const { held, changes } = JSON.parse((await stage.type('plan', '--json')).out) as PlanJson;
  const byHash = held.map(({ hash, count, first }) => [hash, count, first]);
  expect(held.map(({ guard, count }) => [guard, count])).toEqual([
    ['emptied', 1],
    ['emptied', 1],
  ]);
  const [email = '', title = ''] = held.map(({ hash }) => hash);
  const listed = changes.map((one) => [one.id, one.fields.map(({ field }) => field), one.held, one.approve]);
  expect(listed).toEqual([
    ['1', ['name', 'email'], true, [email]],
    ['2', ['name'], false, []],
    ['3', ['positions'], true, [title]],
  ]);

  const all = (await stage.type('plan', '--all')).out;
  const named = all.replaceAll(email, 'HASH-OF-EMAIL').replaceAll(title, 'HASH-OF-TITLE');
  await expectScreen('one hash', constant(named, stage));

  await stage.type('plan', '--html', 'plan.html');
  const page = readFileSync(join(stage.folder, 'plan.html'), 'utf8');
  const [, data = ''] = page.split('<script type="application/json" id="data">');
  const { changes: shown } = JSON.parse(data.slice(0, data.indexOf('</script>'))) as PageData;
  const onPage = shown.map(({ id, fields, note }) => [id, fields.map(([field]) => field), note]);
  expect(onPage).toEqual([
    ['1', ['name', 'email'], `HELD: ${email}`],
    ['2', ['name'], ''],
    ['3', ['positions'], `HELD: ${title}`],
  ]);

  // What messages, log and status say is made of the groups.
  await stage.type('sync');
  const status = JSON.parse((await stage.type('status', '--json')).out) as Pick<PlanJson, 'held'>;
  expect(status.held.map(({ hash, count, first }) => [hash, count, first])).toEqual(byHash);
  stage.changing();

  expect((await stage.type('sync', '--approve', email)).code).toBe(3);
  expect(stage.changing()).toEqual(['importEmployees']);
  const employee = (username: string) =>
    stage.sandbox.state.employees().find((one) => one.username === username);
  expect(employee('ann')).toMatchObject({ name: 'Anna' });
  expect(employee('ann')?.profile['email']).toBeUndefined();
  expect(employee('lin')?.positions).toHaveLength(2);
});
