import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openStage, type Stage } from '../commands/command-line.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

/**
 * A company as rollcall left it at ledger version 30 (commit fb0c1b7): units, a renamed person, one who was disabled as
 * inactive (eva) and one who was disabled as missing (max).
 */
const UNITS = 'id,parent,name\nd1,,Sales\nd2,d1,EMEA\nd3,,Lab\n';
const PEOPLE = `id,login,name,email,unit,title,status
1,ann,Ann Lee,ann@example.com,d1,Head,active
2,bob,Bob Rey,bob@example.com,d2,Clerk,active
3,lin,林 Lin,,d3,Engineer,active
4,eva,Eva Tamm,eva@example.com,d3,,left
`;
const SOURCE = `source:
  type: csv
  units: { file: units.csv, fields: { id: id, parent: parent, name: name } }
  people:
    file: people.csv
    fields:
      id: id
      username: login
      name: name
      email: email
      active: { expr: "status == 'active'" }
      positions: [{ unit: unit, job_title: title, primary: { const: true } }]
sync: { leavers: { missEveryMinutes: 0 } }
`;

const saved = (name: string): Buffer =>
  gunzipSync(readFileSync(new URL(`earlier-version/${name}.gz`, import.meta.url)));

async function openEarlier(): Promise<Stage> {
  const folder = scratchFolder('earlier');
  onTestFinished(() => removeFolder(folder));
  writeFileSync(join(folder, 'service.db'), saved('service.db'));
  const stage = await openStage({ sandbox: { data: join(folder, 'service.db') } });
  mkdirSync(join(stage.folder, 'state'));
  writeFileSync(stage.ledgerFile, saved('ledger-30.db'), { mode: 0o600 });
  writeFileSync(join(stage.folder, 'units.csv'), UNITS);
  writeFileSync(join(stage.folder, 'people.csv'), PEOPLE);
  stage.setSource(SOURCE);
  return stage;
}

test('the ledger of an earlier version is taken on, and nothing is sent', async () => {
  const stage = await openEarlier();
  const planned = await stage.type('plan');
  expect([planned.code, planned.out]).toEqual([
    0,
    'Nothing to do: the service is in step with the source.\n',
  ]);
  for (const flags of [[], ['--full']]) {
    const { code, err } = await stage.type('sync', ...flags);
    expect([code, err]).toEqual([0, '']);
  }
  expect(stage.changing()).toEqual([]);
  const { out } = await stage.type('explain', 'max');
  expect(out).toMatch(/^max \(Max Orr\), disabled by rollcall since .*: missing in the source/u);
  expect((await stage.type('history', '--person', 'bob')).out).toContain('name "Bob Ray" → "Bob Rey"');
});

test('a leaver who was disabled by an earlier version comes back', async () => {
  const stage = await openEarlier();
  writeFileSync(join(stage.folder, 'people.csv'), `${PEOPLE}5,max,Max Orr,max@example.com,d1,Clerk,active\n`);
  expect((await stage.type('sync')).code).toBe(0);
  expect(stage.sandbox.state.user('max')?.disabled).toBe(false);
});
