import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import {
  HR,
  openStage,
  until,
  type Running,
  type Stage,
  type StageOptions,
} from '../commands/command-line.ts';

export const TOKENS = {
  viewer: 'a-token-of-the-console',
  lin: 'the-own-token-of-lin',
  eva: 'the-own-token-of-eva',
};
export const ANN = 'the-own-token-of-ann';

export const WITH_EVA = `${HR} insert into employee values ('4', 'eva', 'Eva', null, 'active');
  insert into assignment values ('4', 'd1', null, 1);`;
export const LEAVE = `update employee set status = 'left' where login in ('ann', 'bob')`;

interface Options extends StageOptions {
  /** Of the section `sync`. */
  readonly sync?: string;
  /** Usernames that the configuration lists instead, with the tokens of lin, eva and so on. */
  readonly usernames?: readonly string[];
}

const configuration = ({
  sync = 'guard: { leavers: 0 }',
  usernames = ['lin', 'eva', 'ann'],
}: Options): string => {
  const tokens = [TOKENS.lin, TOKENS.eva, ANN];
  const approvers = usernames.map((username, n) => `{ username: ${username}, token: ${tokens[n]} }`);
  return `sync: { ${sync}, cron: "0 0 1 1 *" }
http:
  listen: "127.0.0.1:0"
  console:
    token: ${TOKENS.viewer}
    approvers: [${approvers.join(', ')}]
log:`;
};

interface Answer {
  readonly status: number;
  readonly html: string;
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
  /** Lets the daemon read the configuration again, with a part replaced. */
  readonly reload: (search: string, by: string) => Promise<void>;
  /** Changes the source, waits for a run of the daemon, and returns the hashes that it holds. */
  readonly run: (sql: string) => Promise<readonly string[]>;
}

const textOf = (html: string): string =>
  html
    .replaceAll(/<style>[^]*?<\/style>|<[^>]+>/gu, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/gu, ' ');

const RELOADED = 'configuration read again';

export const runs = (running: Running): number => running.out().split('"event":"run.end"').length - 1;

/** A daemon whose console has three approvers, after its first run. */
export async function openConsole(options: Options = {}): Promise<Console> {
  const stage = await openStage({ hr: WITH_EVA, ...options });
  stage.configure(['log:', configuration(options)]);
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
    const html = await answer.text();
    return { status: answer.status, html, text: textOf(html), headers: answer.headers };
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
    reload: async (search, by) => {
      const before = running.out().split(RELOADED).length;
      stage.configure(['log:', configuration(options)], [search, by]);
      running.child.kill('SIGHUP');
      await until(() => running.out().split(RELOADED).length > before, 'the configuration', 60);
    },
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
