import { commandProblem } from './problems.ts';
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option, type AddHelpTextContext } from 'commander';
import { contextOf, type CommandContext, type Streams } from './context.ts';
import { staySmall } from './process.ts';
import { ALL_EXITS, EXIT_TEXTS, VERBS, type OptionRow, type VerbRow } from './verbs.ts';
import { EXIT, RollcallError, sentenceOf } from '../domain/errors.ts';
import { escapeHidden, printable } from '../domain/text/printable.ts';
import { shellWord } from '../domain/text/shell.ts';
import { packagedFile } from '../lib/packaged-file.ts';
import { createScreen } from '../runtime/screen.ts';

/** Runs the command line; returns the exit code. */
export async function rollcall(args: readonly string[], streams: Streams): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = buildProgram(streams, (code) => void (exitCode = code));
  try {
    // Node reads bytes that are not UTF-8 as this sign, and they are lost.
    const broken = args.find((argument) => argument.includes('\uFFFD'));
    if (broken !== undefined) throw commandProblem('usage-not-utf8', { argument: printable(broken) });
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    complain(streams, withConfig(program, `rollcall: ${sentenceOf(error)}`));
    return error instanceof RollcallError ? error.exitCode : EXIT.failed;
  }
}

/** Builds the command line from the rows of its verbs. */
export function buildProgram(streams: Streams, ended: (code: number) => void = () => undefined): Command {
  const program = new Command('rollcall')
    .description(
      'Keeps the organizations and employees of a workplace messaging service in step with a directory.',
    )
    .addOption(
      new Option('--config <file>', 'configuration')
        .env('ROLLCALL_CONFIG')
        .default(streams.env['ROLLCALL_CONFIG'] ?? 'config/rollcall.yaml', '"config/rollcall.yaml"'),
    )
    .option('-V, --version', 'the version of rollcall')
    .on('option:version', () => {
      streams.stdout.write(`${version()}\n`);
      throw new CommanderError(EXIT.done, 'rollcall.version', '');
    })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('afterAll', exitCodes)
    .showHelpAfterError('(rollcall --help lists the verbs, rollcall VERB --help their options)')
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
      outputError: (text) => complain(streams, usageError(text)),
    })
    .exitOverride();
  for (const [name, row] of Object.entries(VERBS)) {
    addVerb(program.command(name), row, async (given, options) => {
      // The stand-in of the service holds a whole company; its time is what others measure themselves by.
      if (name !== 'sandbox') staySmall();
      const perform = (await row.load()) as (context: CommandContext, ...all: unknown[]) => Promise<number>;
      const { config } = program.opts<{ config: string }>();
      const context = contextOf(streams, {
        configFile: config,
        command: (text) => withConfig(program, text),
        isJson: options['json'] === true,
      });
      ended(await perform(context, ...given, options));
    });
  }
  return program;
}

type Options = Readonly<Record<string, unknown>>;
type Act = (given: readonly unknown[], options: Options) => Promise<void>;

function addVerb(
  verb: Command,
  { about, takes = {}, options = {}, hasOwnHelp = false }: VerbRow,
  act: Act,
): void {
  verb.description(about);
  if (hasOwnHelp) verb.helpOption(false);
  for (const [name, text] of Object.entries(takes)) verb.argument(name, text);
  for (const [flags, row] of Object.entries(options)) verb.addOption(optionOf(flags, row));
  const count = Object.keys(takes).length;
  verb.action((...given: unknown[]) => act(given.slice(0, count), verb.opts()));
}

function optionOf(flags: string, row: string | OptionRow): Option {
  const { about, number, choices, ...how } = typeof row === 'string' ? { about: row } : row;
  const option = new Option(flags, about);
  if (!flags.includes('<')) return option.default(false);
  if (choices !== undefined) return option.choices(choices);
  if (number !== undefined) return option.default(number).argParser(wholeNumber);
  if (how.isRepeatable === true) return option.default([]).argParser(collect);
  return how.isSingle === true ? option.argParser(onlyOne) : option;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/u.test(text)) throw new InvalidArgumentError('expected a whole number.');
  return Number(text);
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Refuses a second one, as only the last one would count. */
function onlyOne(value: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError('it is the second one, and one is possible.');
  return value;
}

function exitCodes({ command }: AddHelpTextContext): string {
  const codes = VERBS[command.name()]?.exits ?? ALL_EXITS;
  const lines = codes.map((code) => `  ${code}  ${EXIT_TEXTS[code] ?? ''}`);
  return ['', 'Exit codes, the first that applies:', ...lines].join('\n');
}

/** Reads the version of the package that this file belongs to, only for `--version`. */
function version(): string {
  const about = JSON.parse(readFileSync(packagedFile('package.json'), 'utf8')) as {
    readonly version: string;
  };
  return about.version;
}

/** Writes lines to stderr for a person, folded as those on stdout. */
export function complain({ stderr, env }: Pick<Streams, 'stderr' | 'env'>, text: string): void {
  createScreen(stderr, env).print(text.split('\n'));
}

/** Suggestion that commander adds to an error, on a line of its own. */
const SUGGESTION = /\n\(Did you mean [^\n]*\?\)$/u;

/** Says what is wrong with the usage. It quotes what was typed, so no line break in that may begin a line. */
function usageError(output: string): string {
  const line = output.replace(/\n$/u, '');
  const [hint = ''] = SUGGESTION.exec(line) ?? [];
  const suggestion = line.includes("'--dry-run'") ? '\nWhat sync would do is shown by: rollcall plan' : hint;
  const text = line.slice(0, line.length - hint.length).replace(/^error:/u, 'rollcall:');
  return `${escapeHidden(text)}${suggestion}`;
}

const TYPED = Object.keys(VERBS).filter((name) => !['init', 'sandbox'].includes(name));
const COMMAND = new RegExp(`rollcall (?=(?:${TYPED.join('|')})\\b)`, 'gu');

/** Puts the `--config` that was given into each command that a text tells to type. */
function withConfig(program: Command, text: string): string {
  if (program.getOptionValueSource('config') !== 'cli') return text;
  const { config } = program.opts<{ config: string }>();
  return text.replaceAll(COMMAND, () => `rollcall --config ${shellWord(config)} `);
}
