import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage, type Stage } from './command-line.ts';

const FILES = `sources:
  parent: { type: csv, complete: { quietSeconds: 0 } }
  branch: { type: csv, complete: { quietSeconds: 0 }, idPrefix: B- }
  phones: { type: csv, complete: { quietSeconds: 0 } }
source:
  units: { from: parent, file: units.csv, fields: { id: id, parent: parent, name: name } }
  people:
    - from: parent
      file: parent.csv
      fields: &fields { id: id, username: login, name: name, positions: [{ unit: dept }], label: phones.desk }
      join: &join { from: phones, file: phones.csv, on: { id: id }, missing: empty }
    - { from: branch, file: branch.csv, fields: *fields, join: *join }
sync: { leavers: { misses: 1, missEveryMinutes: 0 } }
`;

const numbers = (size: number): readonly number[] => Array.from({ length: size }, (_, n) => n + 1);

function write({ folder }: Stage, name: string, rows: readonly string[]): void {
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
}

const people = (stage: Stage, name: string, size: number): void =>
  write(stage, `${name}.csv`, [
    'id,login,name,dept',
    ...numbers(size).map((n) => `${n},${name}${n},Name ${n},d1`),
  ]);

const phones = (stage: Stage, size: number): void =>
  write(stage, 'phones.csv', ['id,desk', ...numbers(size).map((n) => `${n},Desk ${n}`)]);

async function loaded(): Promise<Stage> {
  const stage = await openStage();
  stage.setSource(FILES);
  write(stage, 'units.csv', ['id,parent,name', 'd1,,Company']);
  people(stage, 'parent', 300);
  people(stage, 'branch', 40);
  phones(stage, 40);
  expect((await stage.type('sync')).code).toBe(0);
  stage.changing();
  return stage;
}

test('of several files, one that was cut at the end of a line is not whole: nobody leaves', async () => {
  const stage = await loaded();
  people(stage, 'branch', 28);
  const cut = await stage.type('sync');
  expect([cut.code, stage.changing()]).toEqual([1, []]);
  expect(`${cut.out}${cut.err}`).toContain(
    'this read has 28 records of people, where the last one had 40 records (sources.branch): less than 80 % (sources.branch.complete.atLeastPercent)',
  );
  people(stage, 'branch', 33);
  expect((await stage.type('sync')).code).toBe(0);
});

test('neither is one that completes the people of others: no value turns empty', async () => {
  const stage = await loaded();
  phones(stage, 30);
  const cut = await stage.type('sync');
  expect([cut.code, stage.changing()]).toEqual([1, []]);
  expect(`${cut.out}${cut.err}`).toMatch(/records of partners, .*\(sources\.phones\)/u);
});
