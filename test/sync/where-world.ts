import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Settings } from '../../src/domain/settings.ts';
import type { FieldRule, SqlSettings } from '../../src/domain/source-settings.ts';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { openWorld, type Ran, type SyncOptions, type World } from './world.ts';

/** Conditions and tables, which a test may change between two runs. */
export interface Config {
  readonly people?: string;
  readonly units?: string;
  readonly protect?: string;
  readonly lookups?: Settings['lookups'];
  /** Rules of further fields of people. */
  readonly fields?: Readonly<Record<string, FieldRule>>;
}

export interface WhereWorld extends World {
  readonly hr: (sql: string) => void;
  readonly folder: string;
  /** Runs with these conditions from now on. */
  readonly use: (config: Config) => void;
}

const HR = `
  create table department (id text, parent text, name text, kind text);
  create table employee (emp_no text, login text, name text, dept text, title text, level text, expires text);
  insert into department values ('u1', null, 'Head', 'real'), ('u2', 'u1', 'Lab', 'real'), ('u3', 'u1', 'Old', 'real');
  insert into employee values ('1', 'l1', 'Ann', 'u1', 'Boss', '9', '2030-01-01'), ('2', 'l2', 'Bob', 'u2', 'Dev', '3', ''),
    ('3', 'l3', 'Cid', 'u2', 'Dev', '4', ''), ('4', 'l4', 'Dan', 'u3', 'Clerk', '5', '');
`;

/** A real database of four people in three units as the source, on the clock of the world. */
export async function openWhereWorld(first: Config = {}): Promise<WhereWorld> {
  const world = await openWorld();
  const folder = dirname(world.ledgerFile);
  const file = join(folder, 'hr.db');
  const hr = (sql: string): void => {
    const db = new Database(file);
    db.exec(sql);
    db.close();
  };
  hr(HR);
  let config = first;
  const from: SyncOptions['from'] = () => {
    const { lookups = {}, protect } = config;
    return openSource(settingsOf(file, config), { clock: world.clock, lookups, protect });
  };
  const use = (next: Config): void => {
    config = next;
    world.configure({ protect: { ...SYNC.protect, where: next.protect } });
  };
  use(first);
  const withSource =
    (perform: World['sync']) =>
    (options: SyncOptions = {}): Promise<Ran> =>
      perform({ from, ...options });
  return { ...world, hr, folder, use, sync: withSource(world.sync), plan: withSource(world.plan) };
}

function settingsOf(file: string, { people, units, fields = {} }: Config): SqlSettings {
  return {
    type: 'sql',
    url: `sqlite:${file}`,
    tls: { insecure: false },
    timeoutSeconds: 20,
    units: {
      query: 'select * from department',
      where: units,
      rules: { id: 'id', parent: 'parent', fields: { name: 'name' } },
    },
    people: {
      query: 'select * from employee',
      where: people,
      rules: {
        id: 'emp_no',
        username: 'login',
        fields: { name: 'name', ...fields },
        properties: {},
        tag_names: {},
        source_identifiers: {},
        positions: [{ unit: 'dept', job_title: 'title' }],
      },
    },
  };
}
