import { parseArgs } from 'node:util';
import { EXIT } from '../domain/errors.ts';
import { CONFIG, DemoError, MAIN, say } from './narrator.ts';
import { setStage } from './stage.ts';
import { tellStory } from './story.ts';

/**
 * Runs `npm run demo`: the main job on a small company, with real processes. Exits 1 unless everything ends
 * as it says.
 */
async function demo(keep: boolean): Promise<void> {
  const startedAt = Date.now();
  const stage = await setStage(keep);
  const { folder, sandbox, hr } = stage;
  try {
    await tellStory(stage);
  } finally {
    hr.close();
    await sandbox.close();
  }
  say(`\nAll as narrated, in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  if (!keep) return say(`${folder} is removed; npm run demo -- --keep leaves it there.`);
  const port = new URL(sandbox.baseUrl).port;
  say(`${folder} is kept. To go on with it:\n`);
  say(`  cd ${folder}\n  node ${MAIN} sandbox --data service.db --port ${port} &`);
  say(`  node ${MAIN} --config ${CONFIG} sync`);
}

function wantsToKeep(): boolean {
  try {
    return parseArgs({ options: { keep: { type: 'boolean', default: false } } }).values.keep;
  } catch {
    console.error('usage: npm run demo [-- --keep]');
    return process.exit(EXIT.usage);
  }
}

// A reader that went away (| head) ends the story; the exit handler removes what it would leave behind.
process.stdout.once('error', () => process.exit(EXIT.failed));
try {
  await demo(wantsToKeep());
} catch (error) {
  console.error('\nThe demo did not end as narrated:', error instanceof DemoError ? error.message : error);
  process.exitCode = EXIT.failed;
}
