import { DemoError } from './demo-error.ts';
import { inStep, remember, reorganized, sentNothing, sentSomething } from './proofs.ts';
import type { Memory, Proof } from './proofs.ts';
import { planHeld, release, sell } from './release.ts';
import type { Reorganization } from './reorganization.ts';
import type { Stage } from './stage.ts';

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
