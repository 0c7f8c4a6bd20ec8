import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../servers/daemon.ts';
import { loadedStage, openStage, type Stage } from './command-line.ts';

interface Told {
  readonly verb: string;
  readonly code: number | null;
  readonly text: string;
  /** A stack trace, or more lines than a sentence for each problem has. */
  readonly noise: boolean;
  readonly sent: readonly string[];
}

/** What the verbs say and do. */
async function told(stage: Stage, ...verbs: readonly string[]): Promise<readonly Told[]> {
  const all: Told[] = [];
  for (const verb of verbs.length === 0 ? ['sync', 'plan'] : verbs) {
    const { code, out, err } = await stage.type(...verb.split(' '));
    const lines = err.split('\n').filter((line) => line !== '').length;
    const noise =
      /\n {4}at |node:internal|unexpected error/u.test(out + err) || lines > (code === 2 ? 12 : 1);
    all.push({ verb, code, text: out + err, noise, sent: stage.changing() });
  }
  return all;
}

/** One sentence that names place and remedy; no stack, and nothing sent. */
function sentence(code: number, text: RegExp, ...verbs: readonly string[]): readonly unknown[] {
  const all = verbs.length === 0 ? ['sync', 'plan'] : verbs;
  return all.map((verb) => ({
    verb,
    code,
    text: expect.stringMatching(text) as string,
    noise: false,
    sent: [],
  }));
}

describe('the configuration', () => {
  test('with several mistakes: all of them at once, each with its place', async () => {
    const stage = await openStage();
    stage.configure(['requestsPerSecond: 1000', 'requestsPerSecnd: fast'], ['type: sql', 'type: sqll']);
    expect(await told(stage)).toEqual(
      sentence(2, /service\.limits[^]*source\.type|source\.type[^]*service\.limits/u),
    );
  });

  test('that does not exist', async () => {
    const stage = await openStage();
    const verb = '--config none.yaml sync';
    expect(await told(stage, verb)).toEqual(sentence(2, /none\.yaml/u, verb));
  });
});

describe('the database', () => {
  test.each<[string, string, string, RegExp]>([
    [
      'a query with an error',
      'select * from department',
      'select * frm department',
      /select \* frm department.*syntax error/u,
    ],
    ['a table that is missing', 'select * from assignment', 'select * from nonsuch', /nonsuch/u],
    ['a column that is missing', 'name: full_name', 'name: fullname', /fullname/u],
    ['a file that is missing', 'sqlite:hr.db', 'sqlite:none.db', /none\.db/u],
    ['a query that writes', 'select * from employee', 'delete from employee', /employee|people/u],
  ])('%s', async (_, search, replacement, words) => {
    const stage = await openStage();
    stage.configure([search, replacement]);
    expect(await told(stage)).toEqual(sentence(1, words));
  });
});

describe('the service', () => {
  test('that is down', async () => {
    const stage = await openStage();
    const url = `http://127.0.0.1:${await freePort()}`;
    stage.configure([stage.sandbox.baseUrl, url]);
    expect(await told(stage, 'plan')).toEqual(sentence(1, /refuses connections: is it running/u, 'plan'));
  });

  test('with a wrong token', async () => {
    const stage = await openStage();
    stage.setEnv({ TOKEN: 'a-wrong-token' });
    expect(await told(stage)).toEqual(sentence(1, /10011.*service\.token/u));
    const { out, err } = await stage.type('sync');
    expect(out + err).not.toContain('a-wrong-token');
  });
});

describe('the ledger', () => {
  test('that cannot be written', async () => {
    const stage = await openStage();
    writeFileSync(join(stage.folder, 'state'), 'a file where the folder should be');
    expect(await told(stage, 'sync')).toEqual(sentence(1, /ledger .*state\/rollcall\.db/u, 'sync'));
  });

  test('that is damaged', async () => {
    const stage = await openStage();
    mkdirSync(join(stage.folder, 'state'));
    writeFileSync(
      stage.ledgerFile,
      'no SQLite file at all, but long enough to have a header of its own'.repeat(100),
    );
    expect(await told(stage)).toEqual(sentence(1, /ledger .*(?:no ledger|damaged).*backup/u));
    expect(await told(stage, 'status')).toEqual(sentence(1, /ledger/u, 'status'));
  });

  test('of another organization', async () => {
    const stage = await loadedStage();
    stage.changing();
    stage.configure([`domainId: ${stage.sandbox.domainId}`, 'domainId: other']);
    expect(await told(stage)).toEqual(sentence(2, /belongs to ".*".*names "other\//u));
    expect(await told(stage, 'status')).toEqual(sentence(2, /belongs to/u, 'status'));
  });
});
