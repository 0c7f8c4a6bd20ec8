import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import type { SourceMark } from '../../../src/domain/reading/source-part.ts';
import type { SqlSettings } from '../../../src/source/sql/kind.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { freePort } from '../../servers/daemon.ts';
import { hasServer } from '../../servers/install.ts';
import { startMariadb } from '../../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../../servers/postgres.ts';
import { makePrivateCa } from '../../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { throughout } from '../../servers/throughout.ts';
import { collect, describeSource, never, readAll } from '../source-contract.ts';
import { worldSettings, worldSql } from '../sql-world.ts';
import { problem } from '../problem.ts';

/** A server with an account that may do everything, and what is said differently there. */
interface Engine {
  readonly name: 'postgres' | 'mariadb';
  readonly start: typeof startPostgres;
  readonly world: (sql: string) => string;
  readonly boss: string;
  readonly broken: string;
  readonly wrongQueries: readonly (readonly [query: string, reason: RegExp | Error])[];
  readonly syntaxError: RegExp;
  readonly refused: readonly string[];
  readonly sent: readonly string[];
  readonly secure: string;
  readonly slow: string;
  /** What the slow query ends in. */
  readonly late: Error;
}

const MARIADB: Engine = {
  name: 'mariadb',
  start: startMariadb,
  world: (sql) => sql.replaceAll('\\', '\\\\'),
  boss: "grant all on *.* to boss@'%' identified by 'b'",
  broken: 'select *, (select 1 from (select 1 union select 2) t where seq = 700) as broken from employee',
  wrongQueries: [
    ['select nope from employee', /nope/u],
    ['update employee set seq = 1', problem('sql-not-select')],
  ],
  syntaxError: /was not sent.*You have an error in your SQL syntax/u,
  refused: [
    'truncate table assignment',
    'select * from employee into outfile "rollcall.txt"',
    'select login from employee limit 1 into @who',
    'delete from assignment',
    'call nothing()',
    'start transaction',
    'select 1 ) as a; drop table assignment; select 1 from (select 1',
  ],
  sent: [
    '/* all */ select e.*, d.id, d.id from employee e left join department d on false # of them',
    'select sql_no_cache * from employee',
    "select *, 'drop table x; into outfile' as words from employee\n;\n",
  ],
  secure: 'ssl-mode=REQUIRED',
  slow: 'select *, sleep(5) from employee',
  late: problem('sql-slow'),
};

const POSTGRES: Engine = {
  name: 'postgres',
  start: startPostgres,
  world: (sql) => sql,
  boss: "create role boss superuser login password 'b'",
  broken: 'select *, 1 / (700 - seq) as broken from employee',
  wrongQueries: [
    ['select nope\nfrom employee', /nope.*does not exist \(line 1, column 8\)/u],
    ['update employee set seq = 1 returning *', problem('sql-not-select')],
  ],
  syntaxError: /was not sent.*syntax error.*line 2, column 1/u,
  refused: [
    'truncate table assignment',
    "copy (select 1) to program 'touch /tmp/rollcall-was-here'",
    'select * into mine from employee',
    'with gone as (delete from assignment returning *) select * from gone',
    'explain analyze delete from assignment',
    'do $$ begin delete from assignment; end $$',
    'commit',
  ],
  sent: ['/* all */ table employee', "select *, 'drop table x; into' as words from employee\n;\n"],
  secure: 'sslmode=verify-full',
  slow: 'select *, pg_sleep(5) from employee',
  late: problem('sql-failed', 'statement timeout'),
};

const ENGINES: readonly Engine[] = [POSTGRES, MARIADB];
const PRESENT = ENGINES.filter(({ name }) => hasServer(name));

async function startWithWorld({ start, world }: Engine): Promise<SqlServer> {
  const server = await start();
  for (const sql of worldSql()) await server.exec(world(sql));
  return server;
}

for (const engine of ENGINES)
  describeSource(engine.name, hasServer(engine.name), async () => {
    const server = await startWithWorld(engine);
    return {
      source: openSource(worldSettings(server.url)),
      broken: openSource(worldSettings(server.url, { query: engine.broken })),
      stop: async () => server.stop(),
    };
  });

async function peopleBy(url: string, query: string, more: Partial<SqlSettings> = {}): Promise<number> {
  const read = await openSource(worldSettings(url, { query, ...(more as object) })).open(never);
  try {
    return (await collect(read.people())).length;
  } finally {
    await read.close();
  }
}

async function connect(url: string, tls: SqlSettings['tls']): Promise<'connected'> {
  const read = await openSource(worldSettings(url, { tls })).open(never);
  await read.close();
  return 'connected';
}

const insert = (id: string): string =>
  `insert into employee (emp_no, login, full_name) values ('${id}', '${id}', 'One')`;

describe.each(PRESENT)('a server of $name', (engine) => {
  const server = throughout(() => startWithWorld(engine));

  test('tells how many transactions it has had, where it counts them, whether or not changes are asked for', async () => {
    const marks = async (): Promise<readonly SourceMark[]> => {
      const read = await openSource(worldSettings(server.url)).open(never);
      const told = await read.marks();
      await read.close();
      return told;
    };
    const before = await marks();
    await server.exec(insert('one'));
    await server.exec("delete from employee where emp_no = 'one'");
    const after = await marks();
    expect([before.length, after.length]).toEqual(engine.name === 'postgres' ? [1, 1] : [0, 0]);
    for (const [index, { name, value }] of after.entries()) {
      expect(name).toBe(before[index]?.name);
      expect(value > (before[index]?.value ?? '')).toBe(true);
    }
    // One that began before the last one and ends after it counts as well: a server that lacks it is behind.
    const sleep = engine.name === 'postgres' ? 'pg_sleep(2)' : 'sleep(2)';
    const slow = server.exec(`begin; ${insert('slow')}; select ${sleep}; commit`);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await server.exec(insert('quick'));
    const between = await marks();
    await slow;
    const ended = await marks();
    await server.exec("delete from employee where emp_no in ('slow', 'quick')");
    expect(ended.map(({ value }, index) => value > (between[index]?.value ?? ''))).toEqual(
      after.map(() => true),
    );
  });

  test('that is down is named with host and port, without password', async () => {
    const place = `localhost:${await freePort()}/hr`;
    const failure = openSource(worldSettings(`${engine.name}://hr:topsecret@${place}`)).open(never);
    await expect(failure).rejects.toThrow(problem('sql-failed', `://${place}: `, 'ECONNREFUSED'));
    await expect(failure).rejects.not.toThrow(/topsecret/u);
  });

  test.each([
    [
      'password',
      (url: string) => url.replace('word#1', 'wrong'),
      /refuses this user or password; check the user in source\.url and its password/u,
    ],
    ['database', (url: string) => url.replace(/hr$/u, 'nowhere'), /may not use this|no such database/u],
  ])('says when the %s is wrong', async (_, change, reason) => {
    await expect(openSource(worldSettings(change(server.url))).open(never)).rejects.toThrow(reason);
  });

  test.each([
    ...engine.wrongQueries,
    ['select * from nowhere', /query select \* from nowhere: .*nowhere/u],
  ] as const)('the query %j fails with its reason', async (query, reason) => {
    await expect(peopleBy(server.url, query)).rejects.toThrow(reason);
  });

  describe('by an account that may do everything', () => {
    let all: string;
    beforeAll(async () => {
      await server.exec(engine.boss);
      all = server.url.replace(/\/\/.*@/u, '//boss:b@');
    });

    test.each([...engine.refused, 'drop table assignment', 'select 1; drop table assignment'])(
      '%s is not sent, and nothing is changed',
      async (query) => {
        await expect(peopleBy(all, query)).rejects.toThrow(problem('sql-not-select'));
        expect((await readAll(openSource(worldSettings(all)))).people).toHaveLength(1_206);
        expect(existsSync('/tmp/rollcall-was-here')).toBe(false);
        await server.exec('select 1 from assignment limit 1');
      },
    );

    test.each([
      ...engine.sent,
      'select * from employee;',
      'with e as (select * from employee) select * from e',
      '(select * from employee where seq < 600) union all (select * from employee where seq >= 600) order by seq',
      'select * from employee -- all of them',
    ])('%s is sent', async (query) => {
      expect(await peopleBy(all, query)).toBe(1_208);
    });

    test('a syntax error is told in the words of the server', async () => {
      await expect(peopleBy(all, 'select *\nfrm employee')).rejects.toThrow(engine.syntaxError);
    });
  });

  test('speaks TLS with its authority, also where the URL asks for it itself', async () => {
    const tls = { caFile: server.caFile, insecure: false };
    const asking = `${server.url}?${engine.secure}`;
    expect(await connect(server.url, tls)).toBe('connected');
    expect(await connect(asking, tls)).toBe('connected');
    expect(await connect(server.url, { insecure: true })).toBe('connected');
    await expect(connect(asking, { insecure: false })).rejects.toThrow(
      problem('sql-failed', 'source.tls.caFile'),
    );
    const unreadable = connect(server.url, { caFile: '/nowhere/ca.pem', insecure: false });
    await expect(unreadable).rejects.toBeInstanceOf(ConfigError);
    const folder = scratchFolder('stranger');
    const stranger = { caFile: makePrivateCa(folder).caFile, insecure: false };
    await expect(connect(server.url, stranger)).rejects.toThrow(problem('sql-failed', 'source.tls.caFile'));
    removeFolder(folder);
  });

  test('that speaks no TLS is not spoken to without', async () => {
    const plain = await engine.start({ tls: false });
    try {
      const failure = connect(plain.url, { caFile: server.caFile, insecure: false });
      await expect(failure).rejects.toThrow(problem('sql-failed', 'source.tls', 'NO_TLS'));
      await connect(plain.url, { insecure: false });
    } finally {
      await plain.stop();
    }
  });

  test('that takes too long is given up', async () => {
    const slow = peopleBy(server.url, engine.slow, { timeoutSeconds: 1 });
    await expect(slow).rejects.toThrow(engine.late);
  });
});

describe.skipIf(!hasServer('postgres'))('PostgreSQL', () => {
  const server = throughout(() => startWithWorld(POSTGRES));

  test('has its time for each answer, however long the whole takes with what is done in between', async () => {
    const query = 'select e.* from employee e cross join generate_series(1, 2)';
    const read = await openSource(worldSettings(server.url, { timeoutSeconds: 1, query })).open(never);
    let people = 0;
    for await (const batch of read.people()) {
      people += [...batch].length;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(people).toBe(2 * 1_208);
    await read.close();
  });

  test('whose table has its place taken by another one during the read is incomplete', async () => {
    const read = await openSource(worldSettings(server.url)).open(never);
    await collect(read.units());
    await server.exec(
      'begin; alter table employee rename to old; create table employee as table old; commit; grant select on employee to hr',
    );
    await expect(collect(read.people())).rejects.toMatchObject({ problem: 'sql-replaced', isPassing: true });
    await read.close();
  });
});

describe.skipIf(!hasServer('mariadb'))('MariaDB', () => {
  const server = throughout(() => startWithWorld(MARIADB));

  test('is read to its end, whatever row limit the server is set to', async () => {
    await server.exec('set global sql_select_limit = 25');
    expect(await peopleBy(server.url, 'select * from employee')).toBe(1_208);
  });

  test('that stopped looking for rows has not been read to its end', async () => {
    const query = 'select * from employee limit rows examined 600';
    const read = await openSource(worldSettings(server.url, { query })).open(never);
    await expect(collect(read.people())).rejects.toThrow(problem('sql-cut'));
    expect(read.evidence().parts).toMatchObject([{ end: 'not ended' }]);
    await read.close();
  });

  test('that cut a list of names has not been read to its end', async () => {
    await server.exec('set global group_concat_max_len = 20');
    const query = 'select e.*, (select group_concat(full_name) from employee) as names from employee e';
    await expect(peopleBy(server.url, query)).rejects.toThrow(problem('sql-cut'));
  });

  test('compares no certificate with an address: a name is asked for', async () => {
    const failure = connect('mysql://hr:x@192.0.2.1/hr?ssl-mode=REQUIRED', { insecure: false });
    await expect(failure).rejects.toThrow(/^source\.url: .*192\.0\.2\.1\.$/u);
  });
});

test.each([
  ['postgres', 'ETIMEDOUT'],
  ['mysql', 'ETIMEDOUT'],
  ['sqlserver', 'ETIMEOUT'],
  ['oracle', 'NJS-510'],
])('a port that answers nothing of %s is given up', async (scheme, code) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = worldSettings(`${scheme}://hr:topsecret@127.0.0.1:${port}/hr`, { timeoutSeconds: 3 });
  const failure = openSource(settings).open(never);
  await expect(failure).rejects.toThrow(problem('sql-failed', `127.0.0.1:${port}/hr: `, code));
  await expect(failure).rejects.not.toThrow(/topsecret/u);
  for (const socket of sockets) socket.destroy();
  server.close();
});
