import { requireLoads } from '../app/survey.ts';
import { draftText } from '../config/config-text.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { Line } from '../domain/text/line.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { stopOnSignals, type Context } from './context.ts';
import { askService, type ServicePart } from './init/ask-service.ts';
import { lookAtDatabase } from './init/look-at-database.ts';
import { lookAtDirectory } from './init/look-at-directory.ts';
import { lookAtFiles } from './init/look-at-files.ts';
import type { Looked } from './init/looked.ts';
import { INIT_KINDS, type InitKind, type InitOptions } from './init/options.ts';
import { confirmed, openPrompter, type Prompter } from './terminal/prompter.ts';
import { requireFree, writeAll } from './init/target.ts';

export type { InitOptions } from './init/options.ts';

const HEAD = `# Made by rollcall init from what it saw. Lines with "assumed" are guesses: read them.
# config/rollcall.schema.json has every key and its default.
`;

/** Says something to a person beside stdout. */
type Complain = (text: string) => void;

/** Runs `rollcall init`: looks at a source, proposes a configuration, and writes it into a file of its own. */
export async function initCommand(
  context: Context,
  options: InitOptions,
  complain: Complain,
): Promise<number> {
  const target = options.out ?? context.configFile();
  if (!options.print) requireFree(target);
  const stop = stopOnSignals();
  const prompter = openPrompter({ input: process.stdin, output: process.stderr });
  stop.signal.addEventListener('abort', () => prompter.close());
  try {
    const looked = await lookAt({ prompter, options, target, signal: stop.signal });
    if (looked.gaps.length > 0) {
      tellGaps(looked, complain);
      if (!(await wantsSkeleton(prompter, options))) return EXIT.failed;
    }
    const service = await askService(prompter, options, target);
    const text = textOf(looked, service);
    requireLoads(text, target);
    const made = { context, target, looked, service };
    if (options.print) print(text, made, complain);
    else write(text, made);
    return looked.gaps.length > 0 ? EXIT.partial : EXIT.done;
  } finally {
    prompter.close();
    stop.release();
  }
}

interface Asking {
  readonly prompter: Prompter;
  readonly options: InitOptions;
  readonly target: string;
  readonly signal: AbortSignal;
}

const LOOKS: Readonly<Record<InitKind, (asking: Asking) => Promise<Looked>>> = {
  ldap: lookAtDirectory,
  sql: lookAtDatabase,
  csv: lookAtFiles,
};

async function lookAt(asking: Asking): Promise<Looked> {
  const { prompter, options } = asking;
  const kind = await prompter.ask({
    text: 'What do you have: a directory (ldap), a database (sql), or an export of files (csv)',
    flag: '--kind, --url or --file',
    given: options.kind ?? kindOf(options),
    problem: (answer) => (INIT_KINDS.some((one) => one === answer) ? null : `write ${INIT_KINDS.join(', ')}`),
  });
  const known = INIT_KINDS.find((one) => one === kind);
  if (known === undefined) throw new ConfigError(`rollcall init: ${kind} is no kind of source.`);
  return LOOKS[known](asking);
}

/** Returns the kind that the address tells. */
function kindOf({ url, file }: InitOptions): InitKind | undefined {
  if (url !== undefined) return /^ldaps?:/iu.test(url) ? 'ldap' : 'sql';
  return file.length > 0 ? 'csv' : undefined;
}

function tellGaps({ gaps, seen }: Looked, complain: Complain): void {
  complain('rollcall: a configuration cannot be proposed as a whole:');
  for (const gap of gaps) complain(`  ${printableText(gap)}`);
  for (const sight of seen) complain(`  ${printableText(sight)}`);
  complain('  Name what is meant with the flags of rollcall init, or write these parts by hand: --skeleton');
  complain('  writes what was found, with CHANGE-ME in their places; config/recipes has whole examples.');
}

async function wantsSkeleton(prompter: Prompter, { skeleton }: InitOptions): Promise<boolean> {
  if (skeleton || !prompter.isTerminal) return skeleton;
  const text = 'Write it with CHANGE-ME in these places';
  return confirmed(prompter, { text, flag: '--skeleton', otherwise: 'no' });
}

function textOf(looked: Looked, service: ServicePart): string {
  if (looked.recipe === undefined) return HEAD + draftText([service.entry, ...looked.entries]);
  const address = draftText(looked.entries).trim();
  const source = looked.recipe.replace(/^( *)url: .*$/mu, (_, blanks: string) =>
    address.replaceAll(/^/gmu, blanks),
  );
  return `${HEAD}${draftText([service.entry])}\n${source}`;
}

interface Made {
  readonly context: Context;
  readonly target: string;
  readonly looked: Looked;
  readonly service: ServicePart;
}

/** Shows the configuration alone on stdout, and everything else beside it; no secret is written. */
function print(text: string, { context, looked, service }: Made, complain: Complain): void {
  context.out(text);
  for (const sentence of looked.assumed) complain(`assumed: ${printableText(sentence)}`);
  const files = [...looked.secrets, ...service.secrets].map(({ path }) => `write the secret into ${path}`);
  for (const step of [...files, ...service.open]) complain(`next: ${printable(step)}`);
}

function write(text: string, { context, target, looked, service }: Made): void {
  const secrets = [...looked.secrets, ...service.secrets];
  writeAll(target, text, secrets);
  const { paint } = context.screen;
  const flag = target === 'config/rollcall.yaml' ? '' : ` --config ${printable(target)}`;
  const steps = [...service.open, ...looked.gaps.map((gap) => `by hand: ${gap}`)];
  const lines: readonly Line[] = [
    ...looked.assumed.map((sentence) => ({
      head: `${paint('care', 'assumed')}  `,
      text: printableText(sentence),
    })),
    ...[...secrets.map(({ path }) => path), target].map((path) => ({
      head: `${paint('fine', 'written')}  `,
      text: printable(path),
    })),
    ...[
      ...steps,
      `rollcall${flag} check   reads everything once, and shows how people would look`,
      `rollcall${flag} plan    shows what would happen`,
    ].map((step) => ({ head: `${paint('strong', 'next')}     `, text: printableText(step) })),
  ];
  context.screen.print(lines);
}
