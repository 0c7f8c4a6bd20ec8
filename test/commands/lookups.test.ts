import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage } from './command-line.ts';

test.each([
  [
    'cut in its last line',
    'key,value\nEngineer,Eng',
    'does not end with a line break, as it did at the last read',
  ],
  ['emptied', 'key,value\n', 'has its header alone, and had entries at the last read'],
])(
  'a table of lookups that is %s ends the run, until it is whole or somebody asks for a full run',
  async (_, less, words) => {
    const stage = await openStage();
    const table = join(stage.folder, 'titles.csv');
    const whole = 'key,value\nEngineer,Engineering\n';
    writeFileSync(table, whole);
    stage.configure(
      ['job_title: title', `job_title: { expr: "lookup('titles', title, '')" }`],
      ['log:', `lookups: { titles: { file: ${table}, key: key, value: value } }\nlog:`],
    );
    expect((await stage.type('sync')).code).toBe(0);
    stage.changing();
    writeFileSync(table, less);
    const cut = await stage.type('sync');
    expect([cut.code, stage.changing()]).toEqual([1, []]);
    expect(cut.out + cut.err).toContain(`lookups.titles.file ${words}`);
    writeFileSync(table, whole);
    expect((await stage.type('sync')).code).toBe(0);
    writeFileSync(table, less);
    expect((await stage.type('plan', '--full')).code).not.toBe(1);
  },
);

test('a table that is not there fails a run, and keeps nobody from asking who is still active', async () => {
  const stage = await openStage();
  const table = join(stage.folder, 'titles.csv');
  writeFileSync(table, 'key,value\nEngineer,Engineering\n');
  stage.configure(
    ['job_title: title', `job_title: { expr: "lookup('titles', title, '')" }`],
    ['log:', `lookups: { titles: { file: ${table}, key: key, value: value } }\nlog:`],
  );
  expect((await stage.type('sync')).code).toBe(0);
  rmSync(table);
  const ran = await stage.type('sync');
  expect([ran.code, ran.out]).toEqual([2, expect.stringContaining('"event":"run.end"')]);
  const status = await stage.type('status');
  expect([status.code, status.out]).toEqual([0, expect.stringContaining('there is no file')]);
  expect((await stage.type('history')).code).toBe(0);
});
