import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoApprovals } from './demo-config.ts';
import { DemoError } from './demo-error.ts';
import type { HrChange } from './hr-database.ts';
import { sentNothing, type Proof } from './proofs.ts';
import type { Stage } from './stage.ts';

/** Unit that is sold, with all who work in it. */
const SOLD = { id: 'D22', name: 'The Leipzig Plant' };
const PAGE = 'plan.html';
const PATIENCE_MS = 30_000;

/** Says what happens in HR, and applies it: so many leave that somebody should look at it. */
export function sell({ narrator, hr }: Stage): void {
  narrator.chapter('A Tuesday in HR');
  const change: HrChange = {
    says: `${SOLD.name} is sold: whoever works there leaves the company`,
    statements: [
      [
        "update employee set status = 'left' where emp_no in (select emp_no from assignment where dept_id like ? || '%')",
        SOLD.id,
      ],
    ],
  };
  hr.apply([change]);
  narrator.say(`  • ${change.says}`);
}

/** Plans it: the leavers are held, with the likely cause, and the page shows it. */
export async function planHeld({ narrator, sandbox, commandLine, folder }: Stage): Promise<readonly Proof[]> {
  narrator.chapter('More than usual is held');
  sandbox.forgetCalls();
  await commandLine.rollcall('plan', '--html', PAGE);
  const bytes = statSync(join(folder, PAGE)).size;
  return [
    sentNothing(sandbox, 'this plan'),
    {
      says: `The same plan is a page for a browser: ${PAGE}, ${bytes.toLocaleString('en')} bytes.`,
      holds: bytes > 0,
    },
  ];
}

/** Starts the daemon, which asks in the messenger, and answers as the approver. */
export async function release(stage: Stage): Promise<readonly Proof[]> {
  const { narrator, sandbox, commandLine, callback, configure } = stage;
  narrator.chapter('The daemon asks, and somebody answers');
  const more = demoApprovals(callback);
  narrator.say('The configuration gets a few lines more:\n');
  for (const line of more.trimEnd().split('\n')) narrator.output(`    ${line}`);
  configure(more);
  const locked = lockedIn(stage);
  const daemon = commandLine.daemon();
  const message = await pushed(stage, { type: 'text', value: 'content' });
  const file = await pushed(stage, { type: 'file', value: 'name' });
  narrator.say(`\nIn the messenger of ${callback.approver}:\n`);
  show(stage, `${message}\n\nand with it the file ${file}`);
  const hash = /approve (?<hash>[\da-f]{12})/u.exec(message)?.groups?.['hash'] ?? '';
  narrator.say(`\n${callback.approver} answers:\n`);
  show(stage, `approve ${hash}`);
  const answer = { msg_type: 'text', from_user_name: callback.approver, content: `approve ${hash}` };
  const { http, reply, problem } = await sandbox.callback(answer);
  const result = await pushed(stage, { type: 'text', value: 'content', number: 1 });
  narrator.say(`\nIn the messenger of ${callback.approver}:\n`);
  show(stage, result);
  await daemon.stop();
  const gone = lockedIn(stage) - locked;
  return [
    {
      says: `The daemon took the answer: HTTP ${http ?? problem ?? ''}, ${reply ?? ''}`,
      holds: http === 200,
    },
    {
      says: `${gone} accounts were locked after that, and none before.`,
      holds: gone > 0 && result.startsWith('Done'),
    },
  ];
}

const lockedIn = ({ sandbox }: Stage): number =>
  sandbox.state.employees().filter(({ locked }) => locked).length;

function show({ narrator }: Stage, text: string): void {
  for (const line of text.split('\n')) narrator.output(`    ${line}`);
}

/** Returns a value of a message of this type, once it was pushed. */
async function pushed({ sandbox }: Stage, { type, value, number = 0 }: Awaited): Promise<string> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    const push = sandbox.state.pushes().filter((one) => one.type === type)[number];
    const shown = push?.body[value];
    if (typeof shown === 'string') return shown;
    await sleep(50);
  }
  throw new DemoError(`nobody was sent a ${type} about what is held`);
}

interface Awaited {
  readonly type: 'text' | 'file';
  readonly value: 'content' | 'name';
  readonly number?: number;
}
