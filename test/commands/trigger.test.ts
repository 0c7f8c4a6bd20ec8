import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../servers/daemon.ts';
import { eventsOf, openStage, type Running, type Stage } from './command-line.ts';

const PATIENCE = { timeout: 60_000 };
const TOKEN = 'hr-may-ask-for-runs';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly run?: string; readonly [field: string]: unknown };
}

interface Asking {
  readonly stage: Stage;
  readonly running: Running;
  readonly ask: (body?: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly look: (path: string, token?: string) => Promise<Answer>;
  /** Looks until the run has ended. */
  readonly ended: (answer: Answer) => Promise<Answer['body']>;
}

const configuration = (port: number, more: string): string =>
  `sync: { cron: '0 0 1 1 *', guard: { leavers: 0 }${more} }
http: { listen: "127.0.0.1:${port}", trigger: { token: ${TOKEN} } }
log:`;

/** A daemon whose first run has ended. */
async function asking({ more = '' }: { readonly more?: string } = {}): Promise<Asking> {
  const port = await freePort();
  const stage = await openStage();
  stage.configure(['log:', configuration(port, more)]);
  const running = stage.start('run');
  onTestFinished(() => void running.child.kill('SIGKILL'));
  await expect.poll(() => eventsOf(running.out()).map(({ event }) => event), PATIENCE).toContain('run.end');
  const fetched = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
  };
  const look: Asking['look'] = async (path, token = TOKEN) =>
    fetched(path, { headers: { authorization: `Bearer ${token}` } });
  return {
    stage,
    running,
    look,
    ask: async (body, headers = {}) =>
      fetched('/sync', {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, ...headers },
        ...(body !== undefined && { body }),
      }),
    ended: async ({ body: { run = '' } }) => {
      await expect.poll(async () => (await look(`/sync/${run}`)).body['state'], PATIENCE).toBe('ended');
      return (await look(`/sync/${run}`)).body;
    },
  };
}

/** Holds up calls until it is opened. */
function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  onTestFinished(() => open());
  return { promise, open: () => open() };
}

const names = ({ sandbox }: Stage): readonly string[] =>
  sandbox.state
    .employees()
    .map(({ name }) => name)
    .toSorted();

test('POST /sync begins a run, and GET /sync/RUN tells of it until it has ended', async () => {
  const { stage, running, ask, look, ended } = await asking();
  stage.hr(`update employee set full_name = 'Anna' where login = 'ann'`);
  stage.hr(`update employee set full_name = 'Robert' where login = 'bob'`);
  const one = await ask('{"only": "ann"}');
  expect([one.status, one.headers.get('location'), Object.keys(one.body)]).toEqual([
    202,
    `/sync/${one.body.run}`,
    ['run'],
  ]);
  const nothing = { failed: 0, held: 0, blocked: 0, error: null };
  const ok = { state: 'ended', result: 'ok', exitCode: 0, ...nothing };
  expect(await ended(one)).toEqual({ run: one.body.run, applied: 1, ...ok });
  expect(names(stage)).toEqual(['Anna', 'Bob', '林']);
  const all = await ask('', { 'content-type': 'application/json' });
  expect(await ended(all)).toEqual({ run: all.body.run, applied: 1, ...ok });
  expect(names(stage)).toEqual(['Anna', 'Robert', '林']);
  const starts = eventsOf(running.out()).filter(({ event }) => event === 'run.start');
  expect(starts.map(({ trigger, run }) => [trigger, run]).slice(1)).toEqual([
    ['http', one.body.run],
    ['http', all.body.run],
  ]);
  stage.hr(`update employee set status = 'left' where login = 'bob'`);
  expect(await ended(await ask())).toMatchObject({ result: 'held', exitCode: 3, applied: 0, held: 1 });
  expect((await stage.type('sync', '--only', 'ann')).code).toBe(0);
  const [{ id: typed } = { id: '' }] = (
    JSON.parse((await stage.type('status', '--json')).out) as {
      readonly runs: readonly { readonly id: string }[];
    }
  ).runs;
  expect((await look(`/sync/${typed}`)).body).toMatchObject({ run: typed, ...ok });
  expect((await look('/sync/20260101-000000-abcd')).status).toBe(404);
});

test('POST /sync takes nothing but {"only": NAME} of a record that is there', async () => {
  const { stage, running, ask } = await asking();
  const before = eventsOf(running.out()).filter(({ event }) => event === 'run.start').length;
  const bad = ['{', '[]', 'null', '"ann"', '{}', '{"only":1}', '{"only":" "}', '{"only":"ann","full":true}'];
  for (const body of bad)
    expect([body, (await ask(body)).status, (await ask(body)).body]).toEqual([
      body,
      400,
      { error: 'the body is not {"only": "NAME"}' },
    ]);
  expect((await ask(' '.repeat(100_000))).status).toBe(413);
  const unknown = await ask('{"only": "nobody"}');
  expect([unknown.status, unknown.body['error']]).toEqual([
    404,
    expect.stringContaining('"nobody" is neither in the source nor in the ledger'),
  ]);
  stage.hr(`insert into department values ('ann', 'd1', 'ann')`);
  const several = await ask('{"only": "ann"}');
  expect([several.status, several.body['error']]).toEqual([400, expect.stringContaining('names 2 records')]);
  expect(eventsOf(running.out()).filter(({ event }) => event === 'run.start')).toHaveLength(before);
});

test('a run that could not begin, or failed, has an end as well', async () => {
  const { stage, ask, ended } = await asking();
  stage.hr('alter table employee rename to gone');
  for (const body of ['', '{"only": "ann"}']) {
    const answer = await ask(body);
    expect(answer.status).toBe(202);
    expect(await ended(answer)).toMatchObject({
      run: answer.body.run,
      result: 'failed',
      exitCode: 1,
      error: expect.stringContaining('no such table: employee') as string,
    });
  }
});

test('POST /sync answers 409 with the run at work, and 503 while the daemon stops', async () => {
  const { stage, running, ask, look } = await asking();
  const { promise, open } = gate();
  stage.hr(`update employee set full_name = 'Anna' where login = 'ann'`);
  let sent = 0;
  stage.sandbox.onCall = async ({ method }) => {
    if (method === 'GET') return;
    sent += 1;
    await promise;
  };
  const first = await ask();
  const second = await ask('{"only": "ann"}');
  expect([second.status, second.body]).toEqual([409, { error: 'a run is at work', run: first.body.run }]);
  expect((await look(`/sync/${first.body.run}`)).body).toMatchObject({ state: 'working', result: null });
  // What is under way is finished first.
  await expect.poll(() => sent, PATIENCE).toBe(1);
  running.child.kill('SIGTERM');
  await expect.poll(async () => (await ask()).status, PATIENCE).toBe(503);
  open();
  expect((await running.ended).code).toBe(0);
});

test('a run of another process is at work as well', async () => {
  const { stage, ask } = await asking();
  const { promise, open } = gate();
  stage.sandbox.onCall = () => promise;
  const other = stage.start('sync', '--full');
  await expect.poll(() => other.out(), PATIENCE).toContain('"event":"run.start"');
  const start = eventsOf(other.out()).find(({ event }) => event === 'run.start');
  const answer = await ask();
  expect([answer.status, answer.body.run]).toEqual([409, start?.['run']]);
  open();
  await other.ended;
});

test('a daemon that only reports says so, and sends nothing', async () => {
  const { stage, ask, ended } = await asking({ more: ', mode: report' });
  stage.changing();
  const answer = await ask('{"only": "ann"}');
  expect([answer.status, answer.body]).toEqual([202, { run: answer.body.run, mode: 'report' }]);
  expect(await ended(answer)).toMatchObject({ result: 'ok', applied: 0, mode: 'report' });
  expect(stage.changing()).toEqual([]);
});

test('wrong tokens open nothing, are few, and are logged once a minute', async () => {
  const { running, ask, look } = await asking();
  const wrong = await ask('', { authorization: 'Bearer wrong-wrong-wrong' });
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect((await ask('', { authorization: `Basic ${TOKEN}` })).status).toBe(401);
  expect((await ask('', { authorization: '' })).status).toBe(401);
  expect((await look('/sync/any', 'wrong-wrong-wrong')).status).toBe(401);
  expect((await look('/sync/any')).status).toBe(404);
  expect((await look('/sync/any', `${TOKEN}x`)).status).toBe(401);
  const late = await ask();
  expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
  const said = running.out().match(/wrong token/gu) ?? [];
  expect(said).toHaveLength(1);
  expect(running.out()).not.toContain('wrong-wrong-wrong');
});

test('without http.trigger there is no /sync', async () => {
  const port = await freePort();
  const stage = await openStage();
  stage.configure(['log:', `http: { listen: "127.0.0.1:${port}" }\nlog:`]);
  const running = stage.start('run');
  onTestFinished(() => void running.child.kill('SIGKILL'));
  await expect.poll(() => running.out(), PATIENCE).toContain('"event":"run.end"');
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await fetch(`http://127.0.0.1:${port}/sync`, { method: 'POST', headers })).status).toBe(404);
});
