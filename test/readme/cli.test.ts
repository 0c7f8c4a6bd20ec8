import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/commands/program.ts';
import { withTables } from './page.ts';

/** Returns what `--help` prints, at a width that the page shows whole. */
function helpOf(command: Command): string {
  let text = '';
  const written = { writeOut: (part: string) => void (text += part), getOutHelpWidth: () => 100 };
  for (let one: Command | null = command; one !== null; one = one.parent) one.configureOutput(written);
  command.outputHelp();
  return text.trim();
}

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

/** Returns the part of a help that only this verb has: neither what it does nor the options of all verbs. */
function ownHelpOf(command: Command): string {
  const parts = helpOf(command).split('\n\n');
  const own = parts.filter((part, at) => at === 0 || /^(?:Arguments|Options|Exit codes)/u.test(part));
  return own
    .join('\n')
    .replace(/^ {2}-h, --help +display help for command\n/mu, '')
    .replace(/^Options:\n(?! )/mu, '')
    .replace(/^Exit codes.*:\n(?<codes>(?: .*\n?)+)/mu, (_, codes: string) => {
      return `Exit codes: ${[...codes.matchAll(/^ {2}(?<code>\d)/gmu)].map(([, code]) => code).join(', ')}`;
    })
    .replaceAll(/ \(default:\s+(?:false|\[\])\)/gu, '')
    .trim();
}

test('docs/cli.md has the help of every verb', async () => {
  const program = buildProgram(process);
  const verbs = program.commands.map((verb) => [`help of ${verb.name()}`, fenced(ownHelpOf(verb))] as const);
  const { is, made } = await withTables('docs/cli.md', {
    'help of rollcall': fenced(helpOf(program)),
    ...Object.fromEntries(verbs),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});
