import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  FullReadNeeded,
  IncrementalRead,
  KeyedReading,
  KeyedReadings,
  ReadMark,
} from '../../../../src/domain/reading/increment.ts';
import { FullReadNeededError } from '../../../../src/domain/errors.ts';
import type { SourceRead } from '../../../../src/domain/reading/source.ts';
import type { SqlIncrements, SqlSettings } from '../../../../src/source/sql/kind.ts';
import { openSource } from '../../../../src/source/open-source.ts';
import { readClock, whyRestored, type DatabaseClock } from '../../../../src/source/sql/read/engine-words.ts';
import { hasServer } from '../../../servers/install.ts';
import { startMariadb } from '../../../servers/mariadb.ts';
import { startPostgres } from '../../../servers/postgres.ts';
import { removeFolder, scratchFolder } from '../../../servers/scratch.ts';
import { never } from '../../source-contract.ts';
import { NO_MAPS } from '../../world.ts';

interface Engine {
  readonly url: string;
  exec(sql: string): Promise<void>;
  stop(): Promise<void>;
}

async function sqlite(): Promise<Engine> {
  const folder = scratchFolder('changes');
  const database = new Database(join(folder, 'hr.db'));
  return {
    url: `sqlite:${join(folder, 'hr.db')}`,
    exec: (sql) => Promise.resolve(void database.exec(sql)),
    stop: () => Promise.resolve([database.close(), removeFolder(folder)]).then(() => undefined),
  };
}

/** How each engine spells three keys of each type. */
const KEYS = {
  postgres: {
    integer: ['1', '2', '3'],
    bigint: ['9007199254740993', '9007199254740994', '-9007199254740993'],
    'numeric(30)': ['100000000000000000000000000001', '100000000000000000000000000002', '7'],
    'char(9)': [`'ab'`, `'a''b'`, `'c d'`],
    text: [`'Ab'`, `'it''s'`, `'back\\slash="'`],
    uuid: [1, 2, 3].map((n) => `'d3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6${n}'`),
    bytea: [1, 2, 3].map((n) => `'\\xd3b07384d9a04c9b8f0e1a2b3c4d5e6${n}'`),
  },
  mariadb: {
    int: ['1', '2', '3'],
    bigint: ['9007199254740993', '9007199254740994', '-9007199254740993'],
    'decimal(30)': ['100000000000000000000000000001', '100000000000000000000000000002', '7'],
    'char(9)': [`'ab'`, `'a''b'`, `'c d'`],
    'varchar(20)': [`'Ab'`, `'it''s'`, `'back\\\\slash="'`],
    'binary(16)': [1, 2, 3].map((n) => `x'd3b07384d9a04c9b8f0e1a2b3c4d5e6${n}'`),
  },
  sqlite: {
    integer: ['1', '2', '9007199254740993'],
    text: [`'Ab'`, `'it''s'`, `'007'`],
    blob: [1, 2, 3].map((n) => `x'd3b07384d9a04c9b8f0e1a2b3c4d5e6${n}'`),
    '': ['1', `'b'`, '3'],
  },
} as const;

const ENGINES: Readonly<Record<keyof typeof KEYS, () => Promise<Engine>>> = {
  postgres: () => startPostgres(),
  mariadb: () => startMariadb(),
  sqlite,
};

const TIMES = {
  postgres: { type: 'timestamptz', now: 'now()', old: `'2020-01-01'` },
  mariadb: { type: 'datetime', now: 'now()', old: `'2020-01-01'` },
  sqlite: { type: 'text', now: `datetime('now')`, old: `'2020-01-01 00:00:00'` },
} as const;

/** Sets the time zone in which the server's sessions begin. */
/** Behind UTC, and ahead of it. */
const ZONES = [
  ['-08:00', -8],
  ['+09:00', 9],
] as const;

const ZONE = {
  // The sign of a zone without a name is that of POSIX.
  postgres: (zone: string) => `ALTER DATABASE hr SET timezone TO '<x>${-Number(zone.slice(0, 3))}'`,
  mariadb: (zone: string) => `SET GLOBAL time_zone = '${zone}'`,
  sqlite: () => '',
} as const;

/** The time as a program writes it that takes the server's clock on the wall, in a column without a zone. */
const WALL = {
  postgres: (hours: number) => `(now() AT TIME ZONE 'UTC') + interval '${hours} hours'`,
  mariadb: (hours: number) => `UTC_TIMESTAMP() + INTERVAL ${hours} HOUR`,
  sqlite: () => '',
} as const;
const WALL_COLUMN = {
  postgres: 'ALTER COLUMN changed TYPE timestamp',
  mariadb: 'MODIFY COLUMN changed datetime',
  sqlite: '',
} as const;

function settingsFor(url: string, changes: Partial<SqlIncrements> = {}): SqlSettings {
  return {
    type: 'sql',
    url,
    tls: { insecure: false },
    timeoutSeconds: 20,
    changes: 'auto',
    units: { query: `select 'u' as id`, rules: { id: 'id', fields: { name: { const: 'Unit' } } } },
    people: {
      query: 'SELECT * FROM staff -- all of them\n;',
      changes: {
        query: 'SELECT * FROM staff WHERE changed >= :changedSince;',
        ids: 'SELECT ID FROM staff',
        ...changes,
      },
      rules: { ...NO_MAPS, id: 'id', username: 'login', fields: { name: 'name' } },
    },
  };
}

/** One read of the source, with what tells changes. */
async function reading<T>(
  settings: SqlSettings,
  work: (incremental: IncrementalRead, read: SourceRead) => Promise<T>,
): Promise<T> {
  const read = await openSource(settings).open(never);
  try {
    const { incremental } = read;
    if (incremental === undefined || 'why' in incremental)
      throw new Error(incremental?.why ?? 'no increments');
    return await work(incremental, read);
  } finally {
    await read.close();
  }
}

async function all(readings: KeyedReadings): Promise<readonly KeyedReading[]> {
  const found: KeyedReading[] = [];
  for await (const batch of readings) found.push(...batch);
  return found.toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
}

interface Full {
  readonly mark: ReadMark;
  readonly people: readonly KeyedReading[];
}

const SALT = 'salt';

const inFull = (settings: SqlSettings): Promise<Full> =>
  reading(settings, async (incremental, read) => {
    const mark = await incremental.begin();
    if ('why' in mark) throw new Error(mark.why);
    return {
      mark,
      people: await all(read.people({ salt: SALT, areKnown: (prints) => prints.map(() => false) })),
    };
  });

/** The code of why a full read is needed. */
const codeOf = (needed: FullReadNeeded): string =>
  (needed instanceof FullReadNeededError ? needed.problem : null) ?? needed.why;

interface Changed {
  readonly why?: string;
  readonly people: readonly KeyedReading[];
  readonly present: readonly string[] | null;
  readonly gone: readonly string[];
}

const since = (settings: SqlSettings, mark: ReadMark, again: readonly string[] = []): Promise<Changed> =>
  reading(settings, async (incremental) => {
    await incremental.begin();
    const increment = await incremental.increment({ since: mark, again, salt: SALT });
    if ('why' in increment) return { why: codeOf(increment), people: [], present: null, gone: [] };
    const people = await all(increment.records());
    const list = increment.present();
    const present: string[] = [];
    if (list !== null) for await (const keys of list) present.push(...keys);
    return { people, present: list === null ? null : present.toSorted(), gone: increment.gone() };
  });

const keysOf = (people: readonly KeyedReading[]): readonly string[] => people.map(({ key }) => key ?? '');

const engines = (Object.keys(ENGINES) as (keyof typeof KEYS)[]).filter(
  (name) => name === 'sqlite' || hasServer(name),
);

describe.each(engines)('%s', (name) => {
  let engine: Engine;
  const time = TIMES[name];
  beforeAll(async () => {
    engine = await ENGINES[name]();
  });
  afterAll(async () => engine?.stop());

  async function staff(type: string, keys: readonly string[]): Promise<SqlSettings> {
    await engine.exec('DROP TABLE IF EXISTS staff');
    await engine.exec(
      `CREATE TABLE staff (id ${type}, login varchar(20), name varchar(20), changed ${time.type})`,
    );
    for (const [index, key] of keys.entries())
      await engine.exec(`INSERT INTO staff VALUES (${key}, 'l${index}', 'Name', ${time.old})`);
    return settingsFor(engine.url);
  }

  test.each(Object.entries<readonly string[]>(KEYS[name]))(
    'finds records by keys of the type %s',
    async (type, keys) => {
      const settings = await staff(type, keys);
      const { mark, people } = await inFull(settings);
      expect([new Set(keysOf(people)).size, keysOf(people).every((key) => key !== '')]).toEqual([3, true]);
      const again = await since(settings, mark, keysOf(people));
      expect(again.people).toEqual(people);
      expect([again.present, again.gone]).toEqual([keysOf(people).toSorted(), []]);
      const [first = ''] = keysOf(people);
      expect(keysOf((await since(settings, mark, [first])).people)).toEqual([first]);
    },
  );

  test('tells what changed since the mark, and the list of all', async () => {
    const settings = await staff('integer', ['1', '2', '3']);
    const { mark } = await inFull(settings);
    await engine.exec(`UPDATE staff SET name = 'New', changed = ${time.now} WHERE id = 2`);
    await engine.exec(`INSERT INTO staff VALUES (4, 'l4', 'Late', NULL)`);
    await engine.exec('DELETE FROM staff WHERE id = 1');
    const changed = await since(settings, mark);
    expect([keysOf(changed.people), changed.present]).toEqual([['2'], ['2', '3', '4']]);
    expect(changed.people).toMatchObject([{ ok: true, record: { fields: { name: 'New' } } }]);
  });

  test('refuses a row that changed and is not in the list of all', async () => {
    await staff('integer', ['1', '2', '3', '4']);
    const settings = settingsFor(engine.url, { ids: 'SELECT id FROM staff WHERE id < 3' });
    const { mark } = await inFull(settings);
    await engine.exec(`UPDATE staff SET changed = ${time.now} WHERE id IN (2, 4)`);
    const changed = await since(settings, mark, ['1', '3']);
    expect([keysOf(changed.people), changed.present]).toEqual([
      ['1', '2', '3', '4'],
      ['1', '2'],
    ]);
    const refused = changed.people.filter(({ ok }) => !ok);
    expect(keysOf(refused)).toEqual(['3', '4']);
  });

  // SQLite has no clock of its own but the machine's.
  test.each(name === 'sqlite' ? [] : ZONES)(
    'tells what changed in the wall clock of a server at %s',
    async (zone, hours) => {
      const settings = await staff('integer', ['1', '2', '3']);
      await engine.exec(ZONE[name](zone));
      const { mark } = await inFull(settings);
      const wall = WALL[name](hours);
      await engine.exec(`UPDATE staff SET changed = ${time.old}; ALTER TABLE staff ${WALL_COLUMN[name]}`);
      await engine.exec(`UPDATE staff SET changed = ${wall} WHERE id = 2`);
      expect(keysOf((await since(settings, mark)).people)).toEqual(['2']);
    },
  );

  test.each(name === 'sqlite' ? [] : [['-07:00', '-08:00'] as const, ['-08:00', '-07:00'] as const])(
    'adds nothing to a read of before the wall clock went from %s to %s',
    async (summer, winter) => {
      const settings = await staff('integer', ['1', '2', '3']);
      await engine.exec(ZONE[name](summer));
      const { mark } = await inFull(settings);
      expect((await since(settings, mark)).why).toBeUndefined();
      await engine.exec(ZONE[name](winter));
      expect((await since(settings, mark)).why).toBe('full-summer');
    },
  );

  test('tells who was removed, and not who has come back', async () => {
    await staff('integer', ['1', '2', '3']);
    const settings = settingsFor(engine.url, {
      ids: undefined,
      removed: 'SELECT id FROM tombstone WHERE removed >= :changedSince',
    });
    await engine.exec(
      `DROP TABLE IF EXISTS tombstone; CREATE TABLE tombstone (id integer, removed ${time.type})`,
    );
    const { mark } = await inFull(settings);
    await engine.exec(`INSERT INTO tombstone VALUES (1, ${time.now}), (2, ${time.now}), (9, ${time.old})`);
    await engine.exec('DELETE FROM staff WHERE id = 1');
    const changed = await since(settings, mark);
    expect([keysOf(changed.people), changed.present, changed.gone]).toEqual([['2'], null, ['1']]);
  });

  test('adds nothing to a read of another database, or of a later time', async () => {
    const settings = await staff('integer', ['1']);
    const { mark } = await inFull(settings);
    const [version, { asked, seen }] = JSON.parse(mark.text);
    const other = (part: object): Promise<Changed> =>
      since(settings, { ...mark, text: JSON.stringify([version, { asked, seen: { ...seen, ...part } }]) });
    expect((await other({ place: 'elsewhere' })).why).toBe('full-restored');
    expect((await other({ utc: '2999-01-01 00:00:00.000' })).why).toBe('full-clock');
    expect((await other({})).why).toBeUndefined();
  });
});

const clockAt = (utc: string, aheadOfUs: number): DatabaseClock => ({
  utc: `2026-01-31 ${utc}.000`,
  earliest: `2026-01-31 ${utc}.000`,
  aheadOfUs,
  aheadSeconds: 0,
  place: '',
  step: null,
});

describe('the clock of the database', () => {
  const MINUTE = 60_000;
  const BEHIND = 'full-clock';

  test.each([
    ['went on', clockAt('12:00:00', 0), clockAt('12:15:00', 0), null],
    ['went back', clockAt('12:00:00', 0), clockAt('11:59:00', -16 * MINUTE), BEHIND],
    ['was ahead, and is right again', clockAt('12:12:00', 12 * MINUTE), clockAt('12:15:00', 0), BEHIND],
    ['went back by less than the overlap', clockAt('12:04:00', 4 * MINUTE), clockAt('12:15:00', 0), null],
    ['is ahead now', clockAt('12:00:00', 0), clockAt('12:27:00', 12 * MINUTE), null],
  ])('that %s', (_, before, now, why) => {
    expect(whyRestored(before, now, 300)?.problem ?? null).toBe(why);
  });

  test('that seems to go back because a connection took its time', () => {
    expect(whyRestored(clockAt('12:00:00', 20_000), clockAt('12:15:00', 0), 0)).toBeNull();
  });

  test('of a replica counts as of the last transaction that it has', async () => {
    const row = ['2026-01-31 12:00:00.000000', '2026-01-31 13:00:00.000000', 'place', '7', '80.5'];
    const connection = {
      type: 'postgres',
      snapshot: '',
      rows: () => once([row]),
      close: () => Promise.resolve(),
    } as const;
    expect((await readClock(connection, new Date())).earliest).toBe('2026-01-31 11:58:39.500');
  });
});

async function* once<T>(one: T): AsyncGenerator<T> {
  yield one;
}
