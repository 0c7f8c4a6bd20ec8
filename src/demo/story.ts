import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoError } from './command-line.ts';
import { planReorganization, SALE, type HrChange } from './hr-database.ts';
import { inStep, remember, reorganized, sent, type Proof } from './proofs.ts';
import { demoApprovals, type Stage } from './stage.ts';

/** Tells the main job. Each chapter ends with what the service itself says about it; throws DemoError where that differs. */
export async function tellStory(stage: Stage): Promise<void> {
  const { narrator, sandbox, hr } = stage;
  introduce(stage);
  narrator.chapter('The plan of the first load');
  await run(stage, ['plan'], () => [sent(sandbox, false)]);
  narrator.chapter('The first load');
  await run(stage, ['sync'], () => [sent(sandbox, true), ...inStep(sandbox, hr)]);
  narrator.chapter('A second run, with nothing new');
  await run(stage, ['sync'], () => [sent(sandbox, false)]);
  const before = remember(sandbox);
  const plan = planReorganization(hr);
  narrator.chapter('A Monday in HR');
  apply(stage, plan.changes);
  narrator.chapter('The plan of the changes');
  await run(stage, ['plan'], () => [sent(sandbox, false)]);
  narrator.chapter('The changes');
  await run(stage, ['sync'], () => [sent(sandbox, true)]);
  narrator.chapter('How things stand');
  await run(stage, ['status'], () => [...inStep(sandbox, hr), ...reorganized(sandbox, before, plan)]);
  narrator.chapter('A Tuesday in HR: more than usual is held');
  apply(stage, [SALE]);
  await run(stage, ['plan', '--html', PAGE], () => [sent(sandbox, false), pageExists(stage)]);
  narrator.chapter('The daemon asks, and somebody answers');
  prove(stage, await release(stage));
}

function introduce({ narrator, folder, sandbox, configText, hr }: Stage): void {
  narrator.chapter('The stage');
  const people = [
    `${hr.count('employee')} people`,
    `${hr.count('assignment where not is_primary')} of them in two units`,
    `${hr.count("employee where status = 'left'")} who left`,
  ].join(', ');
  narrator.say(
    `Harbour Instruments keeps its units and people in an HR database, ${folder}/hr.db: ` +
      `${hr.count('department')} units on 4 levels, ${people}. The messaging service knows none of them yet: ` +
      `${sandbox.baseUrl}, the sandbox, a local stand-in. rollcall runs in that folder by this rollcall.yaml:\n`,
  );
  show(narrator, configText);
}

/** Runs a command, and proves what it did. */
async function run(stage: Stage, argv: readonly string[], proofs: () => readonly Proof[]): Promise<void> {
  stage.sandbox.forgetCalls();
  await stage.commandLine.rollcall(...argv);
  prove(stage, proofs());
}

function prove({ narrator }: Stage, proofs: readonly Proof[]): void {
  const wrong = proofs.find(({ holds }) => !holds);
  if (wrong !== undefined) throw new DemoError(`this does not hold: ${wrong.sentence}`);
  narrator.proved(proofs.map(({ sentence }) => sentence));
}

function apply({ narrator, hr }: Stage, changes: readonly HrChange[]): void {
  hr.apply(changes);
  for (const { sentence } of changes) narrator.say(`  • ${sentence}`);
}

function show(narrator: Stage['narrator'], text: string): void {
  for (const line of text.trimEnd().split('\n')) narrator.output(`    ${line}`);
}

const PAGE = 'plan.html';

function pageExists({ folder }: Stage): Proof {
  const bytes = statSync(join(folder, PAGE)).size;
  const size = `${bytes.toLocaleString('en')} bytes`;
  return { sentence: `The same plan is a page for a browser: ${PAGE}, ${size}.`, holds: bytes > 0 };
}

/** Starts the daemon, which asks in the messenger, and answers as the approver. */
async function release(stage: Stage): Promise<readonly Proof[]> {
  const { narrator, sandbox, commandLine, callback, configure } = stage;
  const more = demoApprovals(callback);
  narrator.say('The configuration gets a few lines more:\n');
  show(narrator, more);
  configure(more);
  const locked = lockedIn(stage);
  const daemon = commandLine.start('run');
  const message = await pushed(stage, { type: 'text', value: 'content' });
  const file = await pushed(stage, { type: 'file', value: 'name' });
  narrator.say(`\nIn the messenger of ${callback.approver}:\n`);
  show(narrator, `${message}\n\nand with it the file ${file}`);
  const content = `approve ${/approve (?<hash>[\da-f]{12})/u.exec(message)?.groups?.['hash'] ?? ''}`;
  narrator.say(`\n${callback.approver} answers:\n`);
  show(narrator, content);
  const answer = { msg_type: 'text', from_user_name: callback.approver, content };
  const { http, reply, problem } = await sandbox.callback(answer);
  const result = await pushed(stage, { type: 'text', value: 'content', number: 1 });
  narrator.say(`\nIn the messenger of ${callback.approver}:\n`);
  show(narrator, result);
  await daemon.stop();
  const newlyLocked = lockedIn(stage) - locked;
  return [
    {
      sentence: `The daemon took the answer: HTTP ${http ?? problem ?? ''}, ${reply ?? ''}`,
      holds: http === 200,
    },
    {
      sentence: `${newlyLocked} accounts were locked after that, and none before.`,
      holds: newlyLocked > 0 && result.startsWith('Done'),
    },
  ];
}

const lockedIn = ({ sandbox }: Stage): number =>
  sandbox.state.employees().filter(({ locked }) => locked).length;

const PATIENCE_MS = 30_000;

interface Awaited {
  readonly type: 'text' | 'file';
  readonly value: 'content' | 'name';
  readonly number?: number;
}

/** Returns a value of a message of this type, once it was pushed. */
async function pushed({ sandbox }: Stage, { type, value, number = 0 }: Awaited): Promise<string> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    const push = sandbox.state.pushes().filter((one) => one.type === type)[number];
    const shown = push?.body[value];
    if (typeof shown === 'string') return shown;
    await sleep(50);
  }
  throw new DemoError(`no approver was sent a ${type} about what is held`);
}
