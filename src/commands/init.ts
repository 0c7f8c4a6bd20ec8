import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireLoads } from '../app/survey.ts';
import { stopOnSignals, type Context } from './context.ts';
import { lookAtDatabase, lookAtFiles } from './init/look-at-tables.ts';
import { lookAtDirectory } from './init/look-at-directory.ts';
import {
  besideConfig,
  referenceTo,
  requireFree,
  writeAll,
  type Looked,
  type SecretFile,
} from './init/target.ts';
import { INIT_KINDS, type InitKind, type InitOptions } from './init/options.ts';
import { confirmed, openPrompter, type Prompter } from './init/prompter.ts';
import { draftText } from '../config/config-text.ts';
import { DraftSection, PLACEHOLDER, type DraftEntry } from '../domain/draft.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { Line } from '../domain/text/line.ts';
import { printable, printableText } from '../domain/text/printable.ts';

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

interface ServicePart {
  readonly entry: DraftEntry;
  readonly secrets: readonly SecretFile[];
  /** What is still to be written, as steps for a person. */
  readonly open: readonly string[];
}

const LATER = 'Enter: later';

/** Asks where the service is; what is not known yet gets a placeholder that `check` names. */
async function askService(prompter: Prompter, options: InitOptions, target: string): Promise<ServicePart> {
  const ask = async (text: string, flag: string, given: string | undefined): Promise<string> =>
    (await prompter.ask({
      text: `${text} (${LATER})`,
      flag,
      given,
      otherwise: '',
      problem: PROBLEMS[flag],
    })) || (flag === '--service-url' ? `https://${PLACEHOLDER}` : PLACEHOLDER);
  const baseUrl = await ask('Address of the service', '--service-url', options.serviceUrl);
  const domainId = await ask('Id of the domain there', '--domain-id', options.domainId);
  const orgCode = await ask('Code of the organization there', '--org-code', options.orgCode);
  const token = await tokenOf(prompter, options, target);
  const placeholders = [baseUrl, domainId, orgCode].filter((value) => value.includes(PLACEHOLDER));
  return {
    entry: {
      key: 'service',
      value: new DraftSection([
        { key: 'baseUrl', value: baseUrl },
        { key: 'domainId', value: domainId },
        { key: 'orgCode', value: orgCode, because: 'the ledger is bound to domainId and orgCode' },
        { key: 'token', value: referenceTo(token.path), refers: true },
      ]),
    },
    secrets: token.secrets,
    open: [
      ...(placeholders.length === 0 ? [] : [`write what belongs in place of ${PLACEHOLDER} below service`]),
      ...token.open,
    ],
  };
}

const PROBLEMS: Readonly<Record<string, (answer: string) => string | null>> = {
  '--service-url': (answer) =>
    answer === '' || /^https?:\/\/./iu.test(answer) ? null : 'begin it with https:// or http://',
};

interface Token {
  readonly path: string;
  readonly secrets: readonly SecretFile[];
  readonly open: readonly string[];
}

async function tokenOf(prompter: Prompter, { tokenFile }: InitOptions, target: string): Promise<Token> {
  if (tokenFile !== undefined) return named(resolve(tokenFile));
  const path = besideConfig(target, 'service-token');
  if (existsSync(path)) return named(path);
  const typed = (
    (await prompter.askSecret(`Token of the service, which is not shown (${LATER})`)) ?? ''
  ).trim();
  return typed === '' ? named(path) : { path, secrets: [{ path, secret: typed }], open: [] };
}

function named(path: string): Token {
  return { path, secrets: [], open: existsSync(path) ? [] : [`write the token of the service into ${path}`] };
}
