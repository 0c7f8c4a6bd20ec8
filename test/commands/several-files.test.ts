import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { writeExport } from '../servers/scratch.ts';
import { openStage, type Stage } from './command-line.ts';

/** Two exports, with phones in a database, which proves its end. */
const SOURCES = `sources:
  parent: { type: csv }
  branch: { type: csv, idPrefix: B- }
  phones: { type: sql, url: "sqlite:phones.db" }
source:
  units: { from: parent, file: units.csv, fields: { id: id, parent: parent, name: name } }
  people:
    - from: parent
      file: parent.csv
      fields: &fields { id: id, username: login, name: name, positions: [{ unit: dept }], label: phones.desk }
      join: &join { from: phones, query: select * from phone, on: { id: id }, missing: empty }
    - { from: branch, file: branch.csv, fields: *fields, join: *join }
sync: { leavers: { misses: 1 } }
`;

const numbers = (size: number): readonly number[] => Array.from({ length: size }, (_, n) => n + 1);

function write({ folder }: Stage, name: string, rows: readonly string[]): void {
  writeExport(join(folder, name), `${rows.join('\n')}\n`);
}

const people = (stage: Stage, name: string, size: number): void =>
  write(stage, `${name}.csv`, [
    'id,login,name,dept',
    ...numbers(size).map((n) => `${n},${name}${n},Name ${n},d1`),
  ]);

test(
  'partners that are gone all at once are no complete read, though their source proves its end',
  { timeout: 240_000 },
  async () => {
    const stage = await openStage();
    // Nothing but the read itself stands in the way.
    const guards = 'guard: { updates: off, emptied: off }';
    stage.setSource(SOURCES.replace('sync: {', `sync: { ${guards},`));
    write(stage, 'units.csv', ['id,parent,name', 'd1,,Company']);
    people(stage, 'parent', 3);
    people(stage, 'branch', 3);
    const phone = (...sql: readonly string[]): void => {
      const database = new SqliteFile(join(stage.folder, 'phones.db'));
      for (const one of sql) database.exec(one);
      database.close();
    };
    phone('create table phone (id text, desk text)');
    const desk = (): unknown => stage.sandbox.state.employee('parent1')?.profile['label'];
    const synced = async (): Promise<number | null> => (await stage.type('sync')).code;
    // Nobody has had one yet.
    expect([await synced(), desk()]).toEqual([0, undefined]);
    phone("insert into phone values ('1', 'Desk 1'), ('2', 'Desk 2')");
    expect([await synced(), desk()]).toEqual([0, 'Desk 1']);
    stage.changing();
    phone('delete from phone');
    const gone = await stage.type('sync');
    expect([gone.code, stage.changing(), desk()]).toEqual([1, [], 'Desk 1']);
    const sentence =
      'sources.phones has no record for a join, while its partners in the last complete read were 4 records; the read is taken as incomplete';
    expect(`${gone.out}${gone.err}`).toContain(sentence);
    const check = await stage.type('check');
    expect([check.code, check.out.replaceAll(/\s+/gu, ' ')]).toEqual([1, expect.stringContaining(sentence)]);
    phone("insert into phone values ('2', 'Desk 2')");
    expect([await synced(), desk() ?? '']).toEqual([0, '']);
  },
);
