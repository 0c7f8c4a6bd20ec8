import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option, type AddHelpTextContext } from 'commander';
import type { CallOptions } from './call.ts';
import type { CheckOptions } from './check.ts';
import type { CommandContext } from './context.ts';
import type { ExplainOptions } from './explain.ts';
import type { ForgetOptions } from './forget.ts';
import type { HistoryOptions } from './history.ts';
import type { InitOptions } from './init/look-at-source.ts';
import type { PlanOptions } from './plan.ts';
import type { RevertOptions } from './revert.ts';
import type { SandboxCommandOptions } from './sandbox.ts';
import type { StatusOptions } from './status.ts';
import type { SyncOptions } from './sync.ts';
import { EXIT } from '../domain/errors.ts';
import { escapeHidden } from '../domain/text/printable.ts';
import { shellWord } from '../domain/text/shell.ts';
import { packagedFile } from '../lib/packaged-file.ts';
import { STRUCTURES } from '../proposal/propose-directory.ts';
import { createScreen, drained } from '../runtime/screen.ts';

const EXIT_TEXTS: Readonly<Record<string, string>> = {
  [EXIT.usage]: 'usage or configuration',
  [EXIT.failed]: 'it failed or was stopped',
  [EXIT.held]: 'something is held',
  [EXIT.partial]: 'some records failed, are blocked or skipped',
  [EXIT.changes]: 'with --exit-code: sync would make changes now',
  [EXIT.done]: 'done',
};

const COMMON_EXITS = '210';
/** Exit codes of the verbs that have more than these few, the first that applies first. */
const EXITS_OF: Readonly<Record<string, string>> = {
  rollcall: '213450',
  sync: '21340',
  revert: '21340',
  status: '21340',
  plan: '2150',
  init: '2140',
  check: '2140',
  call: '2140',
};

function exitCodes({ command }: AddHelpTextContext): string {
  const codes = EXITS_OF[command.name()] ?? COMMON_EXITS;
  const lines = Array.from(codes, (code) => `  ${code}  ${EXIT_TEXTS[code] ?? ''}`);
  return ['', 'Exit codes, the first that applies:', ...lines].join('\n');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/u.test(text)) throw new InvalidArgumentError('expected a whole number.');
  return Number(text);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Refuses a second record, as only the last one would count. */
function oneRecord(value: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError('it is the second one, and one is possible.');
  return value;
}

/** Reads the version of the package that this file belongs to, only for `--version`. */
function version(): string {
  const about = JSON.parse(readFileSync(packagedFile('package.json'), 'utf8')) as {
    readonly version: string;
  };
  return about.version;
}

/** Writes lines to stderr for a person, folded as those on stdout. */
export function complain(text: string): void {
  createScreen(process.stderr, process.env).print(text.split('\n'));
}

/** Suggestion that commander adds to an error, on a line of its own. */
const SUGGESTION = /\n\(Did you mean [^\n]*\?\)$/u;

/** Says what is wrong with the usage. It quotes what was typed, so no line break in that may begin a line. */
function usageError(output: string): void {
  const line = output.replace(/\n$/u, '');
  const [hint = ''] = SUGGESTION.exec(line) ?? [];
  const suggestion = line.includes("'--dry-run'") ? '\nWhat sync would do is shown by: rollcall plan' : hint;
  const text = line.slice(0, line.length - hint.length).replace(/^error:/u, 'rollcall:');
  complain(`${escapeHidden(text)}${suggestion}`);
}

type Verb<A extends readonly unknown[]> = (context: CommandContext, ...args: A) => Promise<number>;

/** Builds the command line; each verb has a thin file of its own. */
export function buildProgram(): Command {
  const program = new Command('rollcall')
    .description(
      'Keeps the organizations and employees of a workplace messaging service in step with a directory.',
    )
    .addOption(
      new Option('--config <file>', 'configuration').env('ROLLCALL_CONFIG').default('config/rollcall.yaml'),
    )
    .option('-V, --version', 'the version of rollcall')
    .on('option:version', () => {
      process.stdout.write(`${version()}\n`);
      process.exit(EXIT.done);
    })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('afterAll', exitCodes)
    .showHelpAfterError('(rollcall --help lists the verbs, rollcall VERB --help their options)')
    .configureOutput({ outputError: usageError })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage));
  const perform: Perform = async (load, ...args) => {
    const verb = await load();
    process.exitCode = await verb(contextOf(program), ...args);
  };
  addRuns(program, perform);
  addReadingVerbs(program, perform);
  addBackup(program, perform);
  addTools(program, perform);
  return program;
}

const COMMAND = /rollcall (?=(?:run|sync|revert|forget|plan|status|explain|history|check|call|backup)\b)/gu;

/** Puts the `--config` that was given into each command that a text tells to type. */
export function withConfig(program: Command, text: string): string {
  if (program.getOptionValueSource('config') !== 'cli') return text;
  const { config } = program.opts<{ config: string }>();
  return text.replaceAll(COMMAND, () => `rollcall --config ${shellWord(config)} `);
}

/** Control characters that JSON has as they are, and a terminal obeys. */
const CONTROLS = /[\u007F-\u009F]/gu;
const jsonEscape = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`;

function contextOf(program: Command): CommandContext {
  const command = (text: string): string => withConfig(program, text);
  return {
    env: process.env,
    out: (text) => void process.stdout.write(text.replaceAll(CONTROLS, jsonEscape)),
    drained: () => drained(process.stdout),
    screen: createScreen(process.stdout, process.env, command),
    command,
    configFile: program.opts<{ config: string }>().config,
  };
}

type Perform = <A extends readonly unknown[]>(load: () => Promise<Verb<A>>, ...args: A) => Promise<void>;

function addRuns(program: Command, perform: Perform): void {
  program
    .command('run')
    .description('the daemon: runs on its cron schedules until SIGTERM')
    .action(() => perform(VERBS.run));
  program
    .command('sync')
    .description('one run, now')
    .option('--full', 'reads all of the service instead of what has changed', false)
    .option('--approve <hash>', 'releases what is held under this hash; repeatable', collect, [])
    .option('--only <person|unit>', 'sends this record alone, with the new units above it', oneRecord)
    .option('--wait <seconds>', 'for another run to end', wholeNumber, 600)
    .action((options: SyncOptions) => perform(VERBS.sync, options));
  program
    .command('revert')
    .argument('[run]', 'id of the run: history and status show it')
    .description('puts back what a run did: shows it, and applies it with --approve')
    .option('--only <person|unit>', 'puts back this record alone', oneRecord)
    .option(
      '--approve <hash>',
      'applies the revert with this hash; those of guards as well; repeatable',
      collect,
      [],
    )
    .option('--all', 'every record, not the first of each kind', false)
    .option('--json', 'for machines', false)
    .option('--wait <seconds>', 'for another run to end', wholeNumber, 600)
    .action((run: string | undefined, options: RevertOptions) => perform(VERBS.revert, run, options));
  program
    .command('forget')
    .argument('<person>', 'username or source id')
    .description('erases a person who is gone from the ledger and its history; the username stays reserved')
    .option('--wait <seconds>', 'for a run to end', wholeNumber, 600)
    .action((person: string, options: ForgetOptions) => perform(VERBS.forget, person, options));
}

function addBackup(program: Command, perform: Perform): void {
  program
    .command('backup')
    .argument('<file>', 'a new file; nothing is written over')
    .description('a consistent copy of the ledger, also while the daemon works')
    .action((file: string) => perform(VERBS.backup, file));
}

function addReadingVerbs(program: Command, perform: Perform): void {
  program
    .command('plan')
    .description('what sync would do: a readable diff; changes nothing')
    .option('--full', 'reads all of the service instead of what has changed', false)
    .option('--all', 'every changed person, not the first of each kind', false)
    .option('--json', 'for machines', false)
    .option('--html <file>', 'also as a page for a browser: one file, with search and filters')
    .option('--exit-code', 'exit 5 when sync would make changes now', false)
    .action((options: PlanOptions) => perform(VERBS.plan, options));
  program
    .command('status')
    .description('last runs, counts, what is blocked or failing and why, next run')
    .option('--unmanaged', 'employees here whom the source does not have', false)
    .option('--json', 'for machines', false)
    .option('--health', "exit 0 while the daemon's heartbeat is younger than 2 minutes, else 1", false)
    .option(
      '--exit-code',
      "exit with the last run's code, and not 0 while something is held or a leaver inside",
      false,
    )
    .action((options: StatusOptions) => perform(VERBS.status, options));
  program
    .command('explain')
    .argument('<name>', 'person: username, name or source id; unit: source id, name or serial number')
    .description('one person or unit: state, reason and each field; changes nothing')
    .option('--live', 'asks source and service now, and what a run would do', false)
    .option('--json', 'for machines', false)
    .action((name: string, options: ExplainOptions) => perform(VERBS.explain, name, options));
  addHistory(program, perform);
}

function addHistory(program: Command, perform: Perform): void {
  program
    .command('history')
    .description('what was changed in the service, field by field, oldest first; changes nothing')
    .option('--person <name>', 'one person: username or source id', oneRecord)
    .option('--unit <name>', 'one unit: source id, name or serial number', oneRecord)
    .option(
      '--since <time>',
      'a day (2026-11-01), a time (2026-11-01T08:00:00Z), or how long ago (7d, 12h, 10m)',
    )
    .option('--json', 'for machines: an array, one change a line', false)
    .action((options: HistoryOptions) => perform(VERBS.history, options));
}

function addInit(program: Command, perform: Perform): void {
  program
    .command('init')
    .description('looks at a source, and writes a configuration for it, with a reason at each line')
    .addOption(
      new Option('--kind <kind>', 'kind of source; default: by the address').choices([
        'ldap',
        'sql',
        'csv',
        'scim',
      ]),
    )
    .option('--url <url>', 'address of the source: ldaps://… postgres://USER@… sqlite:PATH https://…/scim/v2')
    .option('--file <file>', 'file of a CSV export; repeatable', collect, [])
    .option('--bind-dn <dn>', 'name to bind with in a directory')
    .option('--anonymous', 'without name and password', false)
    .option(
      '--password-file <file>',
      'holds the password, or the token of a SCIM server; no flag takes it itself',
    )
    .option('--ca-file <file>', 'PEM file of the authority that signed the certificate')
    .option('--start-tls', 'encrypts ldap:// by StartTLS', false)
    .option('--base <dn>', 'base DN of all people; default: found in the directory')
    .addOption(new Option('--units <how>', 'what makes the units of a directory').choices(STRUCTURES))
    .option('--people-table <name>', 'table or file of the people; default: found by its columns')
    .option('--units-table <name>', 'table or file of the departments; default: found by its columns')
    .option('--service-url <url>', 'address of the service')
    .option('--domain-id <id>', 'id of the domain there')
    .option('--org-code <code>', 'code of the organization there')
    .option('--token-file <file>', 'holds the token of the service')
    .option('--out <file>', 'file to write, instead of --config; never one that exists')
    .option('--print', 'prints the configuration, and writes nothing', false)
    .action((options: InitOptions) => perform(VERBS.init, options, complain));
}

function addTools(program: Command, perform: Perform): void {
  addInit(program, perform);
  program
    .command('check')
    .description(
      'tries config, source, service and ledger for real: counts, examples and what a run would skip; writes nothing',
    )
    .option('--json', 'for machines', false)
    .action((options: CheckOptions) => perform(VERBS.check, options));
  program
    .command('call')
    .argument('[operation]', 'its name; --list lists them')
    .description('any operation of the interface, checked before it goes out; the answer as JSON or a file')
    .option('--param <name=value>', 'part of the path, the query or the form; repeatable', collect, [])
    .option('--body <file>', 'JSON, or the file that is uploaded; - for stdin')
    .option('--out <file>', 'where the answer goes')
    .option('--write', 'for operations that change something', false)
    .option('--list', 'all operations', false)
    .helpOption(false)
    .option('-h, --help', 'what the operation takes and answers', false)
    .action((operation: string | undefined, options: Omit<CallOptions, 'warn'>) =>
      perform(VERBS.call, operation, { ...options, warn: complain }),
    );
  program
    .command('sandbox')
    .description('a local stand-in of the service; prints base URL, token, domain id, org code')
    .option('--port <number>', '0 picks a free one', wholeNumber, 0)
    .option('--data <file>', 'keeps its state in this file; default: in memory')
    .option('--faults <spec>', 'fails on purpose, e.g. seed=7,rate=0.2,kinds=429+500+dropAfter')
    .option('--lenient', 'ignores what the interface does not have, instead of refusing it', false)
    .option('--callback <url>', 'sends callbacks there; each push sends an event')
    .option('--callback-token <text>', 'token of their signatures')
    .option('--callback-key <text>', '43 characters: the key of their encryption')
    .option('--callback-app <id>', 'identifier of the application')
    .addOption(
      new Option('--callback-mode <mode>', 'how they are written').choices(['plain', 'safe', 'compatible']),
    )
    .option('--reading <name=value>', 'how it reads what the interface leaves open; repeatable', collect, [])
    .action((options: SandboxCommandOptions) => perform(VERBS.sandbox, options));
}

/** The verbs, each loaded when it is asked for: all of them together would cost every one of them half a second. */
const VERBS = {
  call: async () => (await import('./call.ts')).callCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  forget: async () => (await import('./forget.ts')).forgetCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  init: async () => (await import('./init.ts')).initCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  revert: async () => (await import('./revert.ts')).revertCommand,
  run: async () => (await import('./run.ts')).runCommand,
  sandbox: async () => (await import('./sandbox.ts')).sandboxCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  sync: async () => (await import('./sync.ts')).syncCommand,
} as const;
