import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoError } from './command-line.ts';
import type { HrChange } from './hr-database.ts';
import {
  inStep,
  remember,
  reorganized,
  sentNothing,
  sentSomething,
  type Memory,
  type Proof,
} from './proofs.ts';
import type { Reorganization } from './reorganization.ts';
import { demoApprovals, type Stage } from './stage.ts';

/**
 * Tells the main job. Each chapter ends with what the service itself says about it; throws DemoError where
 * that differs.
 */
export async function tellStory(stage: Stage, plan: Reorganization): Promise<void> {
  introduce(stage);
  await planTheLoad(stage);
  await load(stage);
  await runAgain(stage);
  const before = remember(stage.sandbox);
  reorganize(stage, plan);
  await planTheChanges(stage);
  await applyTheChanges(stage);
  await showStatus(stage);
  summarize(stage, before, plan);
  sell(stage);
  prove(stage.narrator, await planHeld(stage));
  prove(stage.narrator, await release(stage));
}

function introduce({ narrator, folder, sandbox, configText, hr }: Stage): void {
  narrator.chapter('The stage');
  narrator.say(
    'Harbour Instruments keeps its units and people in an HR database. The messaging service knows',
  );
  narrator.say('none of them yet.\n');
  const people = [
    `${hr.count('employee')} people`,
    `${hr.count('assignment where not is_primary')} of them in two units`,
    `${hr.count("employee where status = 'left'")} who left`,
  ].join(', ');
  narrator.say(`  HR        ${folder}/hr.db, SQLite`);
  narrator.say(`            ${hr.count('department')} units on 4 levels, ${people}`);
  narrator.say(`  service   ${sandbox.baseUrl}, the sandbox: a local stand-in`);
  narrator.say('  rollcall  dist/main.js, in that folder, by this rollcall.yaml:\n');
  for (const line of configText.trimEnd().split('\n')) narrator.output(`    ${line}`);
}

async function planTheLoad({ narrator, sandbox, commandLine }: Stage): Promise<void> {
  narrator.chapter('The plan of the first load');
  narrator.say('A plan reads both sides and changes neither.');
  await commandLine.rollcall('plan');
  prove(narrator, [sentNothing(sandbox, 'this plan')]);
}

async function load({ narrator, sandbox, hr, commandLine }: Stage): Promise<void> {
  narrator.chapter('The first load');
  sandbox.forgetCalls();
  await commandLine.rollcall('sync');
  prove(narrator, [sentSomething(sandbox), ...inStep(sandbox, hr)]);
}

async function runAgain({ narrator, sandbox, commandLine }: Stage): Promise<void> {
  narrator.chapter('A second run, with nothing new');
  sandbox.forgetCalls();
  await commandLine.rollcall('sync');
  prove(narrator, [sentNothing(sandbox, 'this run')]);
}

function reorganize({ narrator, hr }: Stage, { changes }: Reorganization): void {
  narrator.chapter('A Monday in HR');
  hr.apply(changes);
  for (const { says } of changes) narrator.say(`  • ${says}`);
}

async function planTheChanges({ narrator, sandbox, commandLine }: Stage): Promise<void> {
  narrator.chapter('The plan of the changes');
  sandbox.forgetCalls();
  await commandLine.rollcall('plan');
  prove(narrator, [sentNothing(sandbox, 'this plan')]);
}

async function applyTheChanges({ narrator, sandbox, commandLine }: Stage): Promise<void> {
  narrator.chapter('The changes');
  sandbox.forgetCalls();
  await commandLine.rollcall('sync');
  prove(narrator, [sentSomething(sandbox)]);
}

async function showStatus({ narrator, commandLine }: Stage): Promise<void> {
  narrator.chapter('How things stand');
  await commandLine.rollcall('status');
}

function summarize({ narrator, sandbox, hr }: Stage, before: Memory, plan: Reorganization): void {
  narrator.chapter('What the service says of it');
  prove(narrator, [...inStep(sandbox, hr), ...reorganized(sandbox, before, plan)]);
}

function prove(narrator: Stage['narrator'], proofs: readonly Proof[]): void {
  const wrong = proofs.find(({ holds }) => !holds);
  if (wrong !== undefined) throw new DemoError(`this does not hold: ${wrong.says}`);
  narrator.proved(proofs.map(({ says }) => says));
}

/** Unit that is sold, with all who work in it. */
const SOLD = { id: 'D22', name: 'The Leipzig Plant' };
const PAGE = 'plan.html';
const PATIENCE_MS = 30_000;

/** Says what happens in HR, and applies it: so many leave that somebody should look at it. */
function sell({ narrator, hr }: Stage): void {
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
async function planHeld({ narrator, sandbox, commandLine, folder }: Stage): Promise<readonly Proof[]> {
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
async function release(stage: Stage): Promise<readonly Proof[]> {
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
