import type { CommandContext } from './context.ts';
import { EXIT } from '../domain/errors.ts';
import type { Structure } from '../app/survey.ts';

/** What a verb does with what was typed; returns its exit code. */
type Perform = (context: CommandContext, ...given: never[]) => Promise<number>;

/** What an option is: without anything a flag, or a text of which the last one counts. */
export interface OptionRow {
  readonly about: string;
  /** It may be given several times, and is a list. */
  readonly isRepeatable?: boolean;
  /** A second one is refused. */
  readonly isSingle?: boolean;
  /** It is a whole number, and this one by default. */
  readonly number?: number;
  readonly choices?: readonly string[];
}

/** All that a verb is. */
export interface VerbRow {
  readonly about: string;
  /** Its arguments: `<NAME>`, or `[NAME]` for one that may be absent. */
  readonly takes?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string | OptionRow>>;
  /** Exit codes, the first that applies first. */
  readonly exits: readonly number[];
  /** Whether it prints its help itself. */
  readonly hasOwnHelp?: boolean;
  /** Loads what it needs: all verbs together would cost each of them half a second. */
  readonly load: () => Promise<Perform>;
}

const { usage, failed, held, partial, changes, done } = EXIT;

/** Meanings of the exit codes. */
export const EXIT_TEXTS: Readonly<Record<number, string>> = {
  [usage]: 'usage or configuration',
  [failed]: 'it failed or was stopped',
  [held]: 'something is held',
  [partial]: 'some records failed, are blocked or skipped',
  [changes]: 'with --exit-code: sync would make changes now',
  [done]: 'done',
};
/** All of them, the first that applies first. */
export const ALL_EXITS = [usage, failed, held, partial, changes, done] as const;

const SIMPLE = [usage, failed, done] as const;
const OF_RUNS = [usage, failed, held, partial, done] as const;
const OF_TRIALS = [usage, failed, partial, done] as const;

const JSON_OPTION = { '--json': 'for machines' } as const;
const FULL = { '--full': 'reads all of the service instead of what has changed' } as const;
const waitFor = (what: string) => ({ '--wait <seconds>': { about: `for ${what} to end`, number: 600 } });

/** The verbs, in the order of the help. */
export const VERBS: Readonly<Record<string, VerbRow>> = {
  run: {
    about: 'the daemon: runs on its cron schedules until SIGTERM',
    exits: SIMPLE,
    load: async () => (await import('./run.ts')).runCommand,
  },
  sync: {
    about: 'one run, now',
    options: {
      ...FULL,
      '--approve <hash>': {
        about: 'releases what is held under this hash; repeatable',
        isRepeatable: true,
      },
      '--only <person|unit>': {
        about: 'sends this record, of a unit with all below it, and the new units above',
        isSingle: true,
      },
      ...waitFor('another run'),
    },
    exits: OF_RUNS,
    load: async () => (await import('./sync.ts')).syncCommand,
  },
  revert: {
    about: 'puts back what a run did: shows it, and applies it with --approve',
    takes: { '[run]': 'id of the run: history and status show it' },
    options: {
      '--only <person|unit>': { about: 'puts back this record alone', isSingle: true },
      '--approve <hash>': {
        about: 'applies the revert with this hash; those of guards as well; repeatable',
        isRepeatable: true,
      },
      '--all': 'every record, not the first of each kind',
      ...JSON_OPTION,
      ...waitFor('another run'),
    },
    exits: OF_RUNS,
    load: async () => (await import('./revert.ts')).revertCommand,
  },
  forget: {
    about: 'erases a person who is gone from the ledger and its history; the username stays reserved',
    takes: { '<person>': 'username or source id' },
    options: waitFor('a run'),
    exits: SIMPLE,
    load: async () => (await import('./forget.ts')).forgetCommand,
  },
  plan: {
    about: 'what sync would do: a readable diff; changes nothing',
    options: {
      ...FULL,
      '--all': 'every changed person, not the first of each kind',
      ...JSON_OPTION,
      '--html <file>': 'also as a page for a browser: one file, with search and filters',
      '--exit-code': 'exit 5 when sync would make changes now',
    },
    exits: [usage, failed, changes, done],
    load: async () => (await import('./plan.ts')).planCommand,
  },
  status: {
    about: 'last runs, counts, what is blocked or failing and why, next run',
    options: {
      '--unmanaged': 'employees here whom the source does not have',
      ...JSON_OPTION,
      '--health': "exit 0 while the daemon's heartbeat is younger than 2 minutes, else 1",
      '--exit-code': "exit with the last run's code, and not 0 while something is held or a leaver inside",
    },
    exits: OF_RUNS,
    load: async () => (await import('./status.ts')).statusCommand,
  },
  explain: {
    about: 'one person or unit: state, reason and each field; changes nothing',
    takes: { '<name>': 'person: username, name or source id; unit: source id, name or serial number' },
    options: { '--live': 'asks source and service now, and what a run would do', ...JSON_OPTION },
    exits: SIMPLE,
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  history: {
    about: 'what was changed in the service, field by field, oldest first; changes nothing',
    options: {
      '--person <name>': { about: 'one person: username or source id', isSingle: true },
      '--unit <name>': { about: 'one unit: source id, name or serial number', isSingle: true },
      '--run <run>': { about: 'one run: why it began, how it ended, what it applied', isSingle: true },
      '--since <time>': 'a day (2026-11-01), a time (2026-11-01T08:00:00Z), or how long ago (7d, 12h, 10m)',
      '--json': 'for machines: an array, one change a line',
    },
    exits: SIMPLE,
    load: async () => (await import('./history.ts')).historyCommand,
  },
  backup: {
    about: 'a consistent copy of the ledger, also while the daemon works',
    takes: { '<file>': 'a new file; nothing is written over' },
    exits: SIMPLE,
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  init: {
    about: 'looks at a source, and writes a configuration for it, with a reason at each line',
    options: {
      '--kind <kind>': 'kind of source, as source.type names it; default: by the address',
      '--url <url>': 'address of the source: ldaps://… postgres://USER@… sqlite:PATH https://…',
      '--file <file>': { about: 'file of a CSV export; repeatable', isRepeatable: true },
      '--bind-dn <dn>': 'name to bind with in a directory',
      '--anonymous': 'without name and password',
      '--password-file <file>':
        'holds the password, or the token of a server over HTTP; no flag takes it itself',
      '--ca-file <file>': 'PEM file of the authority that signed the certificate',
      '--base <dn>': 'base DN of all people; default: found in the directory',
      '--units <how>': {
        about: 'what makes the units of a directory',
        choices: ['tree', 'values', 'groups'] satisfies readonly Structure[],
      },
      '--people-table <name>': 'table or file of the people; default: found by its columns',
      '--units-table <name>': 'table or file of the departments; default: found by its columns',
      '--service-url <url>': 'address of the service',
      '--domain-id <id>': 'id of the domain there',
      '--org-code <code>': 'code of the organization there',
      '--token-file <file>': 'holds the token of the service',
      '--out <file>': 'file to write, instead of --config; never one that exists',
      '--print': 'prints the configuration, and writes nothing',
    },
    exits: OF_TRIALS,
    load: async () => (await import('./init.ts')).initCommand,
  },
  check: {
    about:
      'tries config, source, service and ledger for real: counts, examples and what a run would skip; writes nothing',
    options: JSON_OPTION,
    exits: OF_TRIALS,
    load: async () => (await import('./check.ts')).checkCommand,
  },
  call: {
    about: 'any operation of the interface, checked before it goes out; the answer as JSON or a file',
    takes: { '[operation]': 'its name; --list lists them' },
    options: {
      '--param <name=value>': {
        about: 'part of the path, the query or the form; repeatable',
        isRepeatable: true,
      },
      '--body <file>': 'JSON, or the file that is uploaded; - for stdin',
      '--out <file>': 'where the answer goes',
      '--write': 'for operations that change something',
      '--list': 'all operations',
      '-h, --help': 'what the operation takes and answers',
    },
    exits: OF_TRIALS,
    hasOwnHelp: true,
    load: async () => (await import('./call.ts')).callCommand,
  },
  sandbox: {
    about: 'a local stand-in of the service; prints base URL, token, domain id, org code',
    options: {
      '--port <number>': { about: '0 picks a free one', number: 0 },
      '--data <file>': 'keeps its state in this file; default: in memory',
      '--faults <spec>': 'fails on purpose, e.g. seed=7,rate=0.2,kinds=429+500+dropAfter',
      '--lenient': 'ignores what the interface does not have, instead of refusing it',
      '--callback <url>': 'sends callbacks there; each push sends an event',
      '--callback-token <text>': 'token of their signatures',
      '--callback-key <text>': '43 characters: the key of their encryption',
      '--callback-app <id>': 'identifier of the application',
      '--callback-mode <mode>': {
        about: 'how they are written',
        choices: ['plain', 'safe', 'compatible'],
      },
      '--reading <name=value>': {
        about: 'how it reads what the interface leaves open; repeatable',
        isRepeatable: true,
      },
    },
    exits: SIMPLE,
    load: async () => (await import('./sandbox.ts')).sandboxCommand,
  },
};
