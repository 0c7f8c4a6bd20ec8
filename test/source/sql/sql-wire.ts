import Database from 'better-sqlite3';
import { join } from 'node:path';
import { openSource } from '../../../src/source/open-source.ts';
import { startMariadb } from '../../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../../servers/postgres.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { NO_MAPS } from '../world.ts';
import { IDS, place, same, type Fault, type Wire } from '../wire.ts';

interface Engine {
  readonly start: () => Promise<Pick<SqlServer, 'url' | 'exec' | 'stop'>>;
  /** Gives an error at the row of this id. */
  readonly failing: (id: string) => string;
  /** What is done to the table or the connection; `changed` takes a person away. */
  readonly meanwhile: Partial<Record<Fault['is'], string>>;
}

const LOAD = IDS.map((id) => `('${id}', 'user${id}', 'Name, ${id}')`).join(', ');
const TABLE = 'create table person (id varchar(9), login varchar(20), name varchar(40))';

const ENGINES = {
  sqlite: {
    start: async () => {
      const folder = scratchFolder('sqlite-wire');
      const database = new Database(join(folder, 'hr.db'));
      database.pragma('journal_mode = WAL');
      return {
        url: `sqlite:${join(folder, 'hr.db')}`,
        exec: async (sql) => void database.exec(sql),
        stop: async () => void [database.close(), removeFolder(folder)],
      };
    },
    failing: (id) => `case when id = '${id}' then json('{') end`,
    meanwhile: {},
  },
  postgres: {
    start: () => startPostgres(),
    failing: (id) => `1 / (${id} - id::int)`,
    meanwhile: {
      killed: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rollcall'",
      replaced: `begin; truncate person; insert into person values ${LOAD}; commit`,
    },
  },
  mariadb: {
    start: () => startMariadb(),
    failing: (id) => `(select 1 from (select 1 union select 2) t where id = '${id}')`,
    meanwhile: { killed: 'kill user hr' },
  },
} as const satisfies Readonly<Record<string, Engine>>;

/** A database whose table is written, and whose connection is ended, while it is read. */
export async function sqlWire(name: keyof typeof ENGINES): Promise<Wire> {
  const { start, failing, meanwhile }: Engine = ENGINES[name];
  const server = await start();
  await server.exec(TABLE);
  const load = `delete from person; insert into person values ${LOAD};`;
  const settings = (more: string) =>
    ({
      type: 'sql',
      url: server.url,
      tls: { insecure: false },
      timeoutSeconds: 20,
      people: {
        query: `select *${more} from person`,
        rules: { ...NO_MAPS, id: 'id', username: 'login', fields: { name: 'name' } },
      },
    }) as const;
  return {
    disturbed: ({ is, at }) => {
      const id = IDS[place(at, IDS.length)] ?? '';
      const sql = is === 'changed' ? `delete from person where id = '${id}'` : (meanwhile[is] ?? '');
      return {
        source: openSource(settings(is === 'cut' ? `, ${failing(id)} as broken` : '')),
        before: () => server.exec(load),
        meanwhile: () => (sql === '' ? undefined : server.exec(sql)),
      };
    },
    isWhole: (people) =>
      same(
        people.map(({ id }) => id),
        IDS,
      ),
    stop: () => server.stop(),
  };
}
