import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { loadedStage, openStage, type Stage, type Typed } from './command-line.ts';

const HASH = /--approve (?<hash>[0-9a-f]{12})$/mu;

interface StatusJson {
  readonly runs: readonly { readonly id: string }[];
  readonly heldFromSource: readonly { readonly id: string; readonly run: string }[];
  readonly leftInside: readonly { readonly id: string; readonly reason: string }[];
}

async function status(stage: Stage): Promise<StatusJson> {
  return JSON.parse((await stage.type('status', '--json')).out) as StatusJson;
}

const lastRun = async (stage: Stage): Promise<string> => (await status(stage)).runs[0]?.id ?? '';

/** A company in which the source has just made a mistake, and the run that applied it. */
async function mistaken(): Promise<{ readonly stage: Stage; readonly run: string }> {
  const stage = await loadedStage();
  stage.hr(`
    update employee set email = 'wrong@example.com' where login = 'ann';
    update employee set status = 'left' where login = 'bob';
    insert into employee values ('4', 'eve', 'Eve', null, 'active');
    insert into assignment values ('4', 'd3', 'Clerk', 1)`);
  expect((await stage.type('sync')).code).toBe(0);
  stage.changing();
  return { stage, run: await lastRun(stage) };
}

const people = ({ sandbox }: Stage): readonly string[] =>
  sandbox.state
    .employees()
    .map(({ username, profile: { email }, locked }) =>
      [username, typeof email === 'string' ? email : '', locked ? 'locked' : ''].join(' ').trim(),
    )
    .toSorted();

const hashIn = ({ out }: Typed): string => HASH.exec(out)?.groups?.['hash'] ?? '';

describe('rollcall revert', () => {
  test('shows what it would put back and sends nothing; with the hash it does, and says so', async () => {
    const { stage, run } = await mistaken();
    const before = people(stage);
    const shown = await stage.type('revert', run);
    expect([shown.code, shown.err, stage.changing()]).toEqual([0, '', []]);
    expect(people(stage)).toEqual(before);
    for (const text of [
      `Revert of run ${run}, which changed 3 records`,
      'The next run lets the source decide again: correct it first.',
      `~ ann (Ann)  revert of ${run}; email "wrong@example.com" → "ann@example.com"`,
      `- eve (Eve)  disable: revert of ${run}`,
      `+ bob (Bob)  enable: revert of ${run}`,
      `Nothing was sent. Apply exactly this with: rollcall revert ${run} --approve ${hashIn(shown)}`,
    ])
      expect(shown.out).toContain(text);
    const done = await stage.type('revert', run, '--approve', hashIn(shown));
    expect([done.code, people(stage)]).toEqual([4, ['ann ann@example.com', 'bob', 'eve  locked', 'lin']]);
    expect(done.out).toMatch(
      /1 person updated, 1 person enabled, 1 person disabled in \d+ s\.[^]*1 leaver still active; 1 person skipped/u,
    );
    const { leftInside, runs } = await status(stage);
    expect(done.out).toContain(`This is run ${runs[0]?.id}`);
    expect(leftInside).toMatchObject([{ id: '2' }]);
    const history = await stage.type('history', '--person', 'ann');
    expect(history.out).toContain(`revert of ${run}`);
  });

  test('--json is the plan with what is not put back', async () => {
    const { stage, run } = await mistaken();
    const { out } = await stage.type('revert', run, '--json', '--only', 'ann');
    const plan = JSON.parse(out) as { readonly reverts: object; readonly changes: readonly object[] };
    expect(plan.reverts).toMatchObject({
      run,
      records: 1,
      notBack: [],
    });
    expect(plan.changes).toMatchObject([{ kind: 'update', id: '1', why: `revert of ${run}` }]);
  });

  test('a guard holds it as any plan, and tells the command with both hashes', async () => {
    const { stage, run } = await mistaken();
    stage.configure(['log:', 'sync: { guard: { leavers: 0 } }\nlog:']);
    const shown = await stage.type('revert', run, '--only', 'eve');
    const both = /rollcall revert \S+ --only eve --approve (?<plan>\w{12}) --approve (?<held>\w{12})/u.exec(
      shown.out,
    );
    const { plan = '', held = '' } = both?.groups ?? {};
    const half = await stage.type('revert', run, '--only', 'eve', '--approve', plan);
    expect([half.code, half.out]).toEqual([
      3,
      expect.stringContaining(`1 held: rollcall revert ${run} --only eve`),
    ]);
    expect(half.out).not.toContain('This is run');
    expect(people(stage)).toContain('eve');
    const done = await stage.type('revert', run, '--only', 'eve', '--approve', plan, '--approve', held);
    expect([done.code, people(stage).includes('eve  locked')]).toEqual([0, true]);
  });

  test('what is put back already needs nothing more', async () => {
    const { stage, run } = await mistaken();
    await stage.type(
      'revert',
      run,
      '--only',
      'ann',
      '--approve',
      hashIn(await stage.type('revert', run, '--only', 'ann')),
    );
    const again = await stage.type('revert', run, '--only', 'ann');
    expect(again.out).toContain('There is nothing to put back.');
  });
});

async function sentences(stage: Stage, ...words: readonly string[]): Promise<string> {
  const typed = await stage.type('revert', ...words);
  expect([typed.code, stage.changing()]).toEqual([2, []]);
  return typed.err;
}

describe('rollcall revert refuses', () => {
  test('before the first run, and without a run', async () => {
    const stage = await openStage();
    expect(await sentences(stage, 'x')).toContain('[ledger-no-run]');
    expect(await sentences(stage)).toContain('[usage-missing]');
  });

  test('runs that are unknown, changed nothing, or are older than the history', async () => {
    const { stage, run } = await mistaken();
    expect(await sentences(stage, `${run.slice(0, -1)}~`)).toContain(
      `The last runs that changed something: ${run}`,
    );
    await stage.type('sync');
    for (const other of [await lastRun(stage), '20200101-000000-abcd'])
      expect(await sentences(stage, other)).toMatch(
        /the history, which begins 20\d\d-.*, has nothing of such a run: it is unknown, older, or changed nothing/u,
      );
  });

  test('a record that the run did not change', async () => {
    const { stage, run } = await mistaken();
    expect(await sentences(stage, run, '--only', 'lin')).toMatch(
      /--only "lin" names none of the records; give one of: \w+ \(person:\d\), .*, .*/u,
    );
  });

  test('a run of which it is not known yet what it did', async () => {
    const { stage, run } = await mistaken();
    const db = new Database(stage.ledgerFile);
    db.exec(`update call set settled_at = null where call = (select max(call) from call)`);
    db.close();
    expect(await sentences(stage, run)).toMatch(
      /it was interrupted, and the result of \d of its changes is not known yet: rollcall sync finds out/u,
    );
    await stage.type('sync');
    expect((await stage.type('revert', run)).code).toBe(0);
  });
});
