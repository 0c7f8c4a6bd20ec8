import { copyFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Source } from '../../src/domain/reading/source.ts';
import type { SqlIncrements, SqlSettings } from '../../src/source/sql/kind.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { openSource } from '../../src/source/open-source.ts';
import { scratchDatabase } from '../servers/scratch-database.ts';
import { expectTold, whyFull, type Told } from './said.ts';
import { openWorld, type Ran, type SyncOptions, type World } from './world.ts';

/** Long ago: a row with it has not changed since any read. */
const OLD = '2020-01-01 00:00:00';

export type Mapping = Partial<NonNullable<SqlSettings['people']>['rules']>;

/** One source, read by two: by one in increments, by the other in full each time. Both have to find the same. */
export interface Readers {
  /** The one that reads in increments, and the one that reads everything. */
  readonly one: World;
  readonly other: World;
  /** Runs both, compares what they did, and returns what the first one did, and how it read. */
  readonly sync: (options?: SyncOptions) => Promise<TwinRun>;
  readonly plan: () => Promise<TwinRun>;
  /** Runs the one that reads in increments alone. */
  readonly alone: (options?: SyncOptions) => Promise<TwinRun>;
  readonly minutes: (minutes: number) => void;
  readonly configure: (sync: Partial<SyncSettings>) => void;
}

/** Readers of a database. */
export interface Twins extends Readers {
  /** Changes the database. */
  readonly sql: (text: string) => void;
  /** What is read, from the next run on. */
  readonly map: (rules: Mapping, where?: string) => void;
  readonly increments: (increments: Partial<SqlIncrements>) => void;
  readonly backup: () => () => void;
}

/** Expects how a run read, and what these say of it. */
export function expectRead(ran: TwinRun, how: string, expected: Partial<Told> = {}): TwinRun {
  expect(ran.how).toBe(how);
  expectTold(ran, expected);
  return ran;
}

export interface TwinRun extends Ran {
  /** `incremental`, or the code of why it was a full read. */
  readonly how: string;
}

export async function openTwins(people = 12, sync: Partial<SyncSettings> = {}): Promise<Twins> {
  const { file, sql } = scratchDatabase('twins');
  sql(`
    CREATE TABLE unit (id TEXT, parent TEXT, name TEXT);
    INSERT INTO unit VALUES ('u', NULL, 'Unit'), ('v', 'u', 'Other');
    CREATE TABLE employee (no INTEGER, login TEXT, name TEXT, unit TEXT, status TEXT, born TEXT, updated_at TEXT);
    CREATE TABLE tombstone (no INTEGER, deleted_at TEXT);`);
  const rows = Array.from(
    { length: people },
    (_, no) => `(${no}, 'p${no}', 'Name ${no}', 'u', 'here', NULL, '${OLD}')`,
  );
  sql(`INSERT INTO employee VALUES ${rows.join(', ')}`);
  let [rules, where, increments]: [Mapping, string | undefined, Partial<SqlIncrements>] = [{}, undefined, {}];
  const readers = await readByTwo((changes) => sourceOf(file, { rules, where, increments, changes }), sync);
  return {
    ...readers,
    sql,
    map: (newRules, newWhere) => ([rules, where] = [newRules, newWhere]),
    increments: (changed) => (increments = changed),
    backup: () => {
      copyFileSync(file, `${file}.old`);
      return () => copyFileSync(`${file}.old`, file);
    },
  };
}

/** Has a source read by two. */
export async function readByTwo(
  source: (changes: 'auto' | 'off') => Source,
  sync: Partial<SyncSettings> = {},
): Promise<Readers> {
  const [one, other] = [await openWorld({ sync }), await openWorld({ sync })];
  const run =
    (mode: 'sync' | 'plan') =>
    async (options: SyncOptions = {}): Promise<TwinRun> => {
      const first = await one[mode]({ ...options, describe: true, from: () => source('auto') });
      const second = await other[mode]({ ...options, describe: true, from: () => source('off') });
      expect(told(first, one)).toEqual(told(second, other));
      return { ...first, how: howOf(first) };
    };
  return {
    one,
    other,
    sync: run('sync'),
    plan: run('plan'),
    alone: async (options = {}) => {
      const ran = await one.sync({ ...options, from: () => source('auto') });
      return { ...ran, how: howOf(ran) };
    },
    minutes: (minutes) => [one, other].forEach((world) => world.minutes(minutes)),
    configure: (settings) => [one, other].forEach((world) => world.configure(settings)),
  };
}

interface Reading {
  readonly rules: Mapping;
  readonly where: string | undefined;
  readonly increments: Partial<SqlIncrements>;
  readonly changes: 'auto' | 'off';
}

function sourceOf(file: string, { rules, where, increments, changes }: Reading): Source {
  const none = { properties: {}, tag_names: {}, source_identifiers: {} };
  return openSource({
    type: 'sql',
    url: `sqlite:${file}`,
    tls: { insecure: false },
    timeoutSeconds: 20,
    changes,
    units: {
      query: 'SELECT * FROM unit',
      rules: { id: 'id', parent: 'parent', refs: ['id'], fields: { name: 'name' } },
    },
    people: {
      query: 'SELECT * FROM employee',
      changes: {
        query: 'SELECT * FROM employee WHERE updated_at >= :changedSince',
        ids: 'SELECT no FROM employee',
        ...increments,
      },
      ...(where !== undefined && { where }),
      rules: {
        ...none,
        id: 'no',
        username: 'login',
        active: { expr: "status != 'left'" },
        fields: { name: 'name', birthday: 'born' },
        positions: [{ unit: 'unit' }],
        ...rules,
      },
    },
  });
}

/** What has to be the same of both. */
function told({ report, planned, text, listed, inside, kept, error, exitCode }: Ran, world: World): unknown {
  const { counts, applied, failed, blocked, held, unmanaged } = report.end;
  return {
    error,
    exitCode,
    planned,
    text,
    listed: listed.toSorted(),
    inside,
    kept,
    end: { counts, applied, failed, blocked, held, unmanaged },
    state: world.state(),
  };
}

function howOf({ lines }: Ran): string {
  const read = lines.findLast(({ fields }) => fields['event'] === 'source.read')?.fields;
  const why = lines.findLast(({ message }) => message === 'all of the source was read')?.fields['why'];
  if (read?.['read'] === 'incremental') return 'incremental';
  return typeof why === 'string' ? whyFull(why) : '';
}
