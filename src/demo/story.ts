import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planReorganization, SALE, type HrChange } from './hr.ts';
import { chapter, CONFIG, DemoError, say, show, startCommand } from './narrator.ts';
import { inStep, remember, reorganized, sent, type Proof } from './proofs.ts';
import type { Stage } from './stage.ts';

/** Tells the main job. Each chapter ends with what the service itself says about it; throws DemoError where that differs. */
export async function tellStory(stage: Stage): Promise<void> {
  const { sandbox, hr } = stage;
  introduce(stage);
  await run(stage, 'The plan of the first load', ['plan'], () => [sent(sandbox, false)]);
  await run(stage, 'The first load', ['sync'], () => [sent(sandbox, true), ...inStep(sandbox, hr)]);
  await run(stage, 'A second run, with nothing new', ['sync'], () => [sent(sandbox, false)]);
  const before = remember(sandbox);
  const plan = planReorganization(hr);
  apply(stage, 'A Monday in HR', plan.changes);
  await run(stage, 'The plan of the changes', ['plan'], () => [sent(sandbox, false)]);
  await run(stage, 'The changes', ['sync'], () => [sent(sandbox, true)]);
  await run(stage, 'How things stand', ['status'], () => [
    ...inStep(sandbox, hr),
    ...reorganized(sandbox, before, plan),
  ]);
  apply(stage, 'A Tuesday in HR: more than usual is held', [SALE]);
  await run(stage, 'The plan of the sale', ['plan', '--html', PAGE], () => [
    sent(sandbox, false),
    pageExists(stage),
  ]);
  chapter('The daemon asks, and somebody answers');
  prove(await release(stage));
}

function introduce({ folder, sandbox, configText, hr }: Stage): void {
  chapter('The stage');
  const count = (table: string): string => hr.texts(`select count(*) from ${table}`).join('');
  say(
    `Harbour Instruments keeps its units and people in an HR database, ${folder}/hr.db: ` +
      `${count('department')} units on 4 levels, ${count('employee')} people, ` +
      `${count('assignment where not is_primary')} of them in two units, ` +
      `${count("employee where status = 'left'")} who left. The messaging service knows none of them yet: ` +
      `${sandbox.baseUrl}, the sandbox, a local stand-in. rollcall runs in that folder by this rollcall.yaml:\n`,
  );
  show(configText);
}

/** Runs a command, and proves what it did. */
async function run(
  { folder, sandbox }: Stage,
  title: string,
  argv: readonly string[],
  proofs: () => readonly Proof[],
): Promise<void> {
  chapter(title);
  sandbox.forgetCalls();
  await startCommand(folder, argv)();
  prove(proofs());
}

function prove(proofs: readonly Proof[]): void {
  const wrong = proofs.find(([, holds]) => !holds);
  if (wrong !== undefined) throw new DemoError(`this does not hold: ${wrong[0]}`);
  say(`\n${proofs.map(([sentence]) => `✓ ${sentence}`).join('\n')}`);
}

function apply({ hr }: Stage, title: string, changes: readonly HrChange[]): void {
  chapter(title);
  hr.apply(changes);
  for (const [sentence] of changes) say(`  • ${sentence}`);
}

const PAGE = 'plan.html';

function pageExists({ folder }: Stage): Proof {
  const { size } = statSync(join(folder, PAGE));
  const bytes = `${size.toLocaleString('en')} bytes`;
  return [`The same plan is a page for a browser: ${PAGE}, ${bytes}.`, size > 0];
}

/** Starts the daemon, which asks in the messenger, and answers as the approver. */
async function release(stage: Stage): Promise<readonly Proof[]> {
  const { folder, sandbox, approver, approvals } = stage;
  say('The configuration gets a few lines more:\n');
  show(approvals);
  appendFileSync(join(folder, CONFIG), approvals);
  const locked = lockedIn(stage);
  const ended = startCommand(folder, ['run']);
  const message = await pushed(stage, 'text');
  const file = await pushed(stage, 'file');
  const inMessenger = `\nIn the messenger of ${approver}:\n`;
  say(inMessenger);
  show(`${message}\n\nand with it the file ${file}`);
  const content = `approve ${/approve (?<hash>[\da-f]{12})/u.exec(message)?.groups?.['hash'] ?? ''}`;
  say(`\n${approver} answers:\n`);
  show(content);
  const sending = { msg_type: 'text', from_user_name: approver, content };
  const { http, reply, problem } = await sandbox.callback(sending);
  const result = await pushed(stage, 'text', 1);
  say(inMessenger);
  show(result);
  await ended('SIGTERM');
  const count = lockedIn(stage) - locked;
  return [
    [`The daemon took the answer: HTTP ${http ?? problem ?? ''}, ${reply ?? ''}`, http === 200],
    [`${count} accounts were locked after that, and none before.`, count > 0 && result.startsWith('Done')],
  ];
}

function lockedIn({ sandbox }: Stage): number {
  return sandbox.state.employees().filter(({ locked }) => locked).length;
}

/** Returns what is shown of a message of this type, once it was pushed. */
async function pushed({ sandbox }: Stage, type: 'text' | 'file', number = 0): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    const push = sandbox.state.pushes().filter((one) => one.type === type)[number];
    if (push !== undefined) return push.shown;
    await sleep(50);
  }
  throw new DemoError(`no approver was sent a ${type} about what is held`);
}
