import { expect, test } from 'vitest';
import { openExplained, SOURCE, type Explained } from './explained.ts';

/** Conditions below `source.people` and `sync.protect`; ranks are empty, but for E2 (7) and E4 (first). */
function use(stage: Explained, where: string, protect = 'false'): void {
  const people = SOURCE.replace(
    'query: select * from employee\n',
    `query: select * from employee\n    where: ${JSON.stringify(where)}\n`,
  );
  stage.setSource(`${people}sync: { protect: { where: "${protect}" } }\n`);
}

test('explain says by which condition somebody is out of scope, from the first read to the leaving', async () => {
  const stage = await openExplained();
  await stage.type('sync');
  use(stage, "login != 'ann'", "rank == '7'");
  expect(await stage.first('ann', '--live')).toBe(
    "ann (Ann), managed, active: out of scope by source.people.where: login != 'ann': missing once; will be disabled by the first run after TIME",
  );
  await stage.type('sync');
  const { out } = await stage.explain('ann', '--live');
  expect(out).toMatch(
    /out of scope by source\.people\.where: login != 'ann': missing once; will be disabled by the first run after TIME/u,
  );
  expect(out).toMatch(/source +row 3 of people; out of scope by source\.people\.where: login != 'ann'/u);
});

test('explain says the same of somebody who was never taken over, and why a condition failed', async () => {
  const stage = await openExplained();
  use(stage, "rank == '' || int(rank) < 7");
  await stage.type('sync');
  expect(await stage.first('li.wei', '--live')).toContain(
    "in the source, but out of scope by source.people.where: rank == '' || int(rank) < 7",
  );
  expect(await stage.first('bob', '--live')).toMatch(
    /not managed yet: where: the expression failed at column 19 of source\.people\.where: int\(\)/u,
  );
});

test('check counts who is out of scope and who is protected, and exits 0', async () => {
  const stage = await openExplained();
  stage.hr("update employee set rank = '1' where rank = 'first'");
  use(stage, "!(login in ['ann', 'bob'])", "rank == '7'");
  const { code, out } = await stage.type('check');
  expect(out).toContain('2 records out of scope by where');
  expect(out).toContain('1 person protected by sync.protect.where');
  expect(code).toBe(0);
});

test('a wrong expression is told with file, path and column, and nothing is done', async () => {
  const stage = await openExplained();
  use(stage, 'int(rank) & 2');
  for (const verb of ['check', 'plan', 'sync']) {
    const { code, err } = await stage.type(verb);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        'rollcall.yaml: line 13, source.people.where: the expression "int(rank) & 2", column 11: Unexpected character: &',
      ),
    ]);
  }
  use(stage, 'rank');
  expect((await stage.type('plan')).err).toContain(
    'source.people.where: "rank" gives string, and not true or false. Compare it',
  );
  use(stage, 'true', "uper(rank) == 'A'");
  expect((await stage.type('plan')).err).toContain('sync.protect.where: the expression');
});

test('all wrong expressions are told together', async () => {
  const stage = await openExplained();
  const fields = SOURCE.replace('name: full_name', 'name: { expr: "uper(full_name)" }');
  stage.setSource(
    `${fields.replace('email: email', 'email: { expr: "email = 1" }')}sync: { protect: { where: "rank" } }\n`,
  );
  const { code, err } = await stage.type('plan');
  expect(code).toBe(2);
  expect(err).toMatch(/rollcall\.yaml: 3 problems\n/u);
  for (const path of ['source.people.fields.name', 'source.people.fields.email', 'sync.protect.where'])
    expect(err).toContain(`, ${path}: `);
  expect(err.match(/^ {2}line \d+(?=, )/gmu)).toEqual(['  line 16', '  line 17', '  line 25']);
});
