import { expect, test } from 'vitest';
import type { Source } from '../../src/domain/reading/source.ts';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { scratchDatabase } from '../servers/scratch-database.ts';
import { openWorld, type Ran, type World } from './world.ts';

const PEOPLE = Array.from({ length: 12 }, (_, index) => `('${index}', 'p${index}', '')`);

interface Stage {
  readonly world: World;
  readonly sql: (text: string) => void;
  readonly sync: (approve?: readonly string[]) => Promise<Ran>;
  /** Which rule says who is active. */
  readonly setActive: (expr: string) => void;
  /** Usernames of the accounts that work. */
  readonly working: () => readonly string[];
}

/** Twelve people in a database, in one unit; nobody has a status. */
async function openStage(): Promise<Stage> {
  const { file, sql } = scratchDatabase('hidden');
  sql(`create table employee (no text, login text, status text);
    insert into employee values ${PEOPLE.join(', ')}`);
  const world = await openWorld({ sync: { guard: SYNC.guard } });
  let source = sourceOf(file, "status != 'left'");
  return {
    world,
    sql,
    sync: (approve = []) => world.sync({ from: () => source, approve }),
    setActive: (expr) => {
      source = sourceOf(file, expr);
    },
    working: () =>
      world.sandbox.state
        .employees()
        .filter(({ locked }) => !locked)
        .map(({ username }) => username),
  };
}

function sourceOf(file: string, expr: string): Source {
  const none = { properties: {}, tag_names: {}, source_identifiers: {} };
  const rules = {
    ...none,
    id: 'no',
    username: 'login',
    active: { expr },
    fields: { name: 'login' },
    positions: [{ unit: { const: 'u' }, fields: {} }],
  };
  return openSource({
    type: 'sql',
    url: `sqlite:${file}`,
    tls: { insecure: false },
    timeoutSeconds: 20,
    units: { query: "select 'u' as id", rules: { id: 'id', fields: { name: { const: 'Unit' } } } },
    people: { query: 'select * from employee', rules },
  });
}

const hashes = ({ plan }: Ran): readonly string[] => plan?.held.map(({ hash }) => hash) ?? [];
const HIDDEN =
  'status (source.people.fields.active): most people had it in the last complete read, and nobody has it now';

test.each([
  ['no value', 'null'],
  ['an empty text', "''"],
])(
  'a column that most had and that has %s now enables, disables and creates nobody, until it is back',
  async (_, empty) => {
    const { sql, sync, working } = await openStage();
    sql("update employee set status = 'here'; update employee set status = 'left' where no = '1'");
    await sync();
    sql("update employee set status = 'left' where no = '2'");
    await sync();
    expect(working()).toHaveLength(10);
    sql(`update employee set status = ${empty}`);
    for (let run = 1; run <= 2; run += 1) {
      const { exitCode, changing, report, listed } = await sync();
      expect([exitCode, changing, working().length]).toEqual([4, [], 10]);
      expect(listed).toContainEqual(
        expect.stringMatching(
          /^\d+: the rule for active could not be evaluated: it reads status, which most had in the last complete/u,
        ),
      );
      expect(report.end.unknown).toEqual([expect.stringContaining(HIDDEN)]);
    }
    sql("update employee set status = 'here'; update employee set status = 'left' where no in ('1', '3')");
    expect((await sync()).exitCode).toBe(0);
    expect(working()).toHaveLength(10);
    expect(working()).toContain('p2');
  },
);

test('a rule that does not read the column any more ends it', async () => {
  const { sql, sync, setActive, working } = await openStage();
  sql("update employee set status = 'here'");
  await sync();
  sql('update employee set status = null');
  expect((await sync()).exitCode).toBe(4);
  setActive("login != 'p2'");
  expect((await sync()).exitCode).toBe(0);
  expect(working()).toHaveLength(11);
});

test('of what few had and nobody has, more than one is held until that is approved, and nothing after', async () => {
  const { sql, sync, working } = await openStage();
  await sync();
  sql("update employee set status = 'left' where no in ('1', '2', '3')");
  await sync();
  expect(working()).toHaveLength(9);
  sql("update employee set status = ''");
  let held = await sync();
  held = await sync();
  expect([held.exitCode, working().length]).toEqual([3, 9]);
  expect(held.plan?.held[0]?.about).toMatch(/may be hidden from the reading account/u);
  expect((await sync(hashes(held))).exitCode).toBe(0);
  expect(working()).toHaveLength(12);
  sql("insert into employee values ('30', 'n1', ''), ('31', 'n2', '')");
  expect([(await sync()).exitCode, working().length]).toEqual([0, 14]);
});

test('the last who had it comes back, and so does one of several', async () => {
  const { sql, sync, working } = await openStage();
  await sync();
  sql("update employee set status = 'left' where no in ('1', '2')");
  await sync();
  for (const [no, count] of [
    ['1', 11],
    ['2', 12],
  ] as const) {
    sql(`update employee set status = '' where no = '${no}'`);
    expect([(await sync()).exitCode, working().length]).toEqual([0, count]);
  }
});

test('a row without id and username is nobody, whoever was in its place: rows have none that lasts', async () => {
  const { world, sql, sync, working } = await openStage();
  world.configure({ leavers: { ...SYNC.leavers, misses: 1 } });
  await sync();
  sql("update employee set no = null, login = null where no = '3'");
  expect([(await sync()).exitCode, working().length]).toEqual([4, 11]);
});
