import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { HR, openStage, until, type Running, type Stage } from '../commands/command-line.ts';

export const TOKENS = {
  viewer: 'a-token-of-the-console',
  lin: 'the-own-token-of-lin',
  eva: 'the-own-token-of-eva',
};
export const ANN = 'the-own-token-of-ann';

export const WITH_EVA = `${HR} insert into employee values ('4', 'eva', 'Eva', null, 'active');
  insert into assignment values ('4', 'd1', null, 1);`;
export const LEAVE = `update employee set status = 'left' where login in ('ann', 'bob')`;

const configuration = (more = ''): string => `sync: { guard: { leavers: 0 }, cron: "0 0 1 1 *" }
http:
  listen: "127.0.0.1:0"
  console:
    token: ${TOKENS.viewer}
    approvers:
      - { username: lin, token: ${TOKENS.lin} }
      - { username: eva, token: ${TOKENS.eva} }
      - { username: ann, token: ${ANN} }
${more}log:`;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface Console {
  readonly stage: Stage;
  readonly running: Running;
  readonly address: string;
  readonly get: (path: string, cookie: string) => Promise<Answer>;
  readonly post: (path: string, form: Readonly<Record<string, string>>, headers?: object) => Promise<Answer>;
  /** Signs in, and returns the cookie. */
  readonly signIn: (token: string) => Promise<string>;
  readonly approve: (hash: string, cookie: string, headers?: object) => Promise<Answer>;
  /** Changes the source, waits for a run of the daemon, and returns the hashes that it holds. */
  readonly run: (sql: string) => Promise<readonly string[]>;
}

const textOf = (html: string): string =>
  html
    .replaceAll(/<style>[^]*?<\/style>|<[^>]+>/gu, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/gu, ' ');

export const runs = (running: Running): number => running.out().split('"event":"run.end"').length - 1;

/** A daemon whose console has three approvers, after its first run. */
export async function openConsole(more?: string, company = WITH_EVA): Promise<Console> {
  const stage = await openStage({ hr: company });
  stage.configure(['log:', configuration(more)]);
  expect((await stage.type('sync')).code).toBe(0);
  const running = stage.start('run');
  onTestFinished(async () => {
    running.child.kill('SIGTERM');
    if (running.child.exitCode === null) await once(running.child, 'close');
  });
  await until(() => runs(running) === 1, 'the first run of the daemon', 60);
  const address = /"address":"(http:[^"]+)"/u.exec(running.out())?.[1] ?? '';
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(`${address}/console${path}`, { redirect: 'manual', ...init });
    return { status: answer.status, text: textOf(await answer.text()), headers: answer.headers };
  };
  const post: Console['post'] = async (path, form, headers = {}) =>
    ask(path, { method: 'POST', body: new URLSearchParams(form), headers: { origin: address, ...headers } });
  return {
    stage,
    running,
    address,
    post,
    get: async (path, cookie) => ask(path, { headers: { cookie } }),
    signIn: async (token) => {
      const { headers } = await post('/enter', { token });
      return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    },
    approve: async (hash, cookie, headers = {}) =>
      post('/approve', { hash, sure: 'yes' }, { cookie, ...headers }),
    run: async (sql) => {
      const before = runs(running);
      stage.hr(sql);
      running.child.kill('SIGUSR2');
      await until(() => runs(running) > before, 'a run', 60);
      const { held } = JSON.parse((await stage.type('status', '--json')).out) as { held: { hash: string }[] };
      return held.map(({ hash }) => hash);
    },
  };
}
