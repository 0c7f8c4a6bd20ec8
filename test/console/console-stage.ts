import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { HR, openStage, until, type Running, type Stage } from '../commands/command-line.ts';

export const SCRIPT = `<script>alert(1)</script>`;
export const FAMILY = '👨‍👩‍👧‍👦';
export const LONG = 'Long '.repeat(60);
const HOSTILE = [
  SCRIPT,
  `"><img src=x onerror=alert(2)>'`,
  'l\u202Eiam \u2066evil',
  FAMILY,
  LONG,
  'Ann & Sons',
];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const PEOPLE = Array.from({ length: 40 }, (_, n) => {
  const name = HOSTILE[n] ?? `Person ${n}`;
  return `('h${n}', 'user.${n}', ${quoted(name)}, 'secret.${n}@example.com', 'active')`;
});

/** A company with hostile names: a unit, too, whose people leave in the second run, so that they are held. */
const COMPANY = `${HR}
  insert into department values ('x1', 'd1', ${quoted(SCRIPT)});
  insert into employee values ${PEOPLE.join(', ')};
  insert into assignment select emp_no, 'x1', 'Dev +49 170 5550199', 1 from employee where emp_no like 'h%';`;

export interface ConsoleStage extends Stage {
  readonly address: string;
  readonly running: Running;
  /** Returns status and text of an address, and its headers. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Asked>;
}

export interface Asked {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Starts the daemon with a console after two runs: people have joined, and 30 would leave. */
export async function openConsole(http = '{ listen: 127.0.0.1:0, console: true }'): Promise<ConsoleStage> {
  const stage = await openStage({ hr: COMPANY });
  await stage.type('sync');
  stage.configure(['log:', `http: ${http}\nlog:`]);
  stage.hr(`update employee set full_name = 'Anna', email = 'new@example.com' where emp_no = '1';
    insert into employee values ('b1', 'bad', 'Bad "Unit"', null, 'active');
    insert into assignment values ('b1', 'nowhere', null, 1);
    update employee set status = 'left' where emp_no in (${PEOPLE.slice(0, 30)
      .map((_, n) => `'h${n}'`)
      .join(', ')});`);
  await stage.type('sync');
  const running = stage.start('run');
  onTestFinished(async () => {
    running.child.kill('SIGTERM');
    if (running.child.exitCode === null) await once(running.child, 'close');
  });
  await until(() => running.out().includes('"event":"run.end"'), 'the first run of the daemon');
  const address = /"address":"(http:[^"]+)"/u.exec(running.out())?.[1] ?? '';
  const ask = async (path: string, init: RequestInit = {}): Promise<Asked> => {
    const answer = await fetch(address + path, { redirect: 'manual', ...init });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  return { ...stage, address, running, ask };
}

/** The text of a page, a line for each block. */
export const linesOf = ({ status, text }: Asked): string =>
  `(${status})\n${textOf({ text: text.replaceAll(/<(?:p|tr|li|h\d|dt|section|div|pre)\b/gu, '¶$&') })}`
    .replaceAll(/\s*¶\s*/gu, '\n')
    .trim();

const textOf = ({ text }: Pick<Asked, 'text'>): string =>
  text
    .replaceAll(/<style>[^]*?<\/style>|<script[^]*?<\/script>|<[^>]+>/gu, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/gu, ' ');
