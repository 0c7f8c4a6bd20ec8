import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/commands/program.ts';
import { tableOf, withTables } from './page.ts';
import { code } from './schema-rows.ts';

/** Returns what `--help` prints, at a width that the page shows whole. */
function helpOf(command: Command): string {
  let text = '';
  const written = { writeOut: (part: string) => void (text += part), getOutHelpWidth: () => 100 };
  for (let one: Command | null = command; one !== null; one = one.parent) one.configureOutput(written);
  command.outputHelp();
  return `\`\`\`text\n${text.trim()}\n\`\`\``;
}

test('docs/cli.md has the help of every verb', async () => {
  const program = buildProgram(process);
  const verbs = program.commands.map((verb) => [verb.name(), helpOf(verb)] as const);
  const rows = program.commands.map((verb) => [
    `[${code(verb.name())}](#${verb.name()})`,
    verb.description(),
  ]);
  const { is, made } = await withTables('docs/cli.md', {
    verbs: tableOf(['verb', 'does'], rows),
    'help of rollcall': helpOf(program),
    ...Object.fromEntries(verbs.map(([name, help]) => [`help of ${name}`, help])),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});
