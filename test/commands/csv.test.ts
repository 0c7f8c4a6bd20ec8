import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeExport } from '../servers/scratch.ts';
import { openStage, type Stage } from './command-line.ts';
import { expectStory, type Step } from './story.ts';

const SOURCE = `source:
  type: csv
  units: { file: in/units.csv, fields: { id: ID, parent: parent_id, name: name } }
  people:
    file: in/people.csv
    fields: { id: emp_no, username: login, name: full_name, email: email, active: { expr: "status != 'left'" } }
  positions: { file: in/positions.csv, fields: { person: emp_no, unit: dept_id, job_title: title } }
`;

const UNITS = 'id;parent_id;name\nd1;;Company\nd2;d1;研发部 🚀\n';
const HEAD = 'emp_no;login;full_name;email;status\n';
const PEOPLE = `${HEAD}1;ann;Ann;ann@example.com;active\n2;bob;Bob;;active\n3;lin;林;;active\n`;
const POSITIONS = 'emp_no;dept_id;title\n1;d1;Head\n2;d2;\n3;d2;Dev\n';

async function openExport(): Promise<Stage & { readonly write: (name: string, text: string) => void }> {
  const stage = await openStage();
  stage.setSource(SOURCE);
  mkdirSync(join(stage.folder, 'in'));
  const write = (name: string, text: string): void => writeExport(join(stage.folder, 'in', name), text);
  write('units.csv', UNITS);
  write('people.csv', PEOPLE);
  write('positions.csv', POSITIONS);
  return { ...stage, write };
}

describe('an export of CSV files', () => {
  test('is checked, loaded, explained, and sent nothing twice', async () => {
    const steps = ['check', 'sync', 'sync', 'explain --live lin'];
    await expectStory('an export of csv files', await openExport(), steps);
  });

  test('is printed by a program, and nothing is sent if that fails', async () => {
    const stage = await openExport();
    const printed = SOURCE.replaceAll(/file: (in\/\w+\.csv)/gu, 'command: [sh, export.sh, $1]');
    const source = printed.replace(
      'type: csv',
      () => `type: csv\n  complete: { trailer: { pattern: '^END$' } }`,
    );
    const program = (end: string) => () =>
      writeFileSync(join(stage.folder, 'export.sh'), `cat $1\necho END\n${end}\n`);
    stage.setSource(printed);
    program('')();
    const proved = (): void => stage.setSource(source);
    const steps: readonly Step[] = [
      'check',
      ['complete.trailer is written', proved],
      'check',
      'sync',
      'sync',
      ['the program fails', program('echo no route to HR >&2\nexit 7')],
      'sync',
    ];
    await expectStory('an export that a program prints', stage, steps);
  });

  test.each([
    ['Pacific/Kiritimati', 0],
    ['Etc/GMT+12', 1],
  ])('counts days of sync.timezone, %s', async (timezone, created) => {
    const stage = await openExport();
    // The two zones never have the same day.
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Etc/GMT+12' }).format();
    const active = `active: { expr: "daysBetween(date(status), now) < 1" }`;
    stage.setSource(`${SOURCE.replace(/active: .*(?= \})/u, active)}sync: { timezone: ${timezone} }\n`);
    stage.write('people.csv', `${HEAD}1;ann;Ann;;${today}\n`);
    expect((await stage.type('sync')).code).toBe(0);
    expect(stage.sandbox.state.employees()).toHaveLength(created);
  });
});
