import { existsSync, writeFileSync } from 'node:fs';
import { dirname, normalize, resolve } from 'node:path';
import { draftFromSource, requireLoads, type SourceFlags } from '../app/survey.ts';
import { commandProblem } from './problems.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import { fileProblem } from '../app/app.ts';
import { draftText } from '../config/config-text.ts';
import { DraftSection, PLACEHOLDER, type DraftEntry } from '../domain/draft.ts';
import { codeOf, EXIT, type ConfigError } from '../domain/errors.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { shellWord } from '../domain/text/shell.ts';
import { makeFolder } from '../lib/replace-file.ts';

const HEAD = `# Made by rollcall init from what it saw. Lines with "assumed" are guesses: read them.
# config/rollcall.schema.json has every key and its default.
`;

/** The user of the container, who is not the one that writes, has to read it; secrets are in files of their own. */
const MODE = 0o644;

/** Flags of `rollcall init`. */
export interface InitOptions extends SourceFlags {
  readonly kind?: string | undefined;
  readonly serviceUrl?: string | undefined;
  readonly domainId?: string | undefined;
  readonly orgCode?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly out?: string | undefined;
  readonly print: boolean;
}

/**
 * Runs `rollcall init`: looks at a source, proposes a configuration, and writes it into a file of its own.
 */
export async function initCommand(context: CommandContext, options: InitOptions): Promise<number> {
  const target = options.out ?? context.configFile;
  if (!options.print && existsSync(target)) throw exists(target);
  const stop = stopOnSignals();
  try {
    const { entries, assumed, gaps } = await draftFromSource(options, stop.signal);
    // A path that is absolute here is rarely there in a container.
    const token = normalize(options.tokenFile ?? 'secrets/service-token');
    const text = HEAD + draftText([serviceOf(options, token), ...entries]);
    requireLoads(text, target);
    const steps = [...gaps.map((gap) => `by hand: ${gap}`), ...openSteps(options, token)];
    if (options.print) {
      context.out(text);
      for (const sentence of assumed) context.complain(`assumed: ${printableText(sentence)}`);
      for (const step of steps) context.complain(`next: ${printableText(step)}`);
    } else {
      write(target, text);
      await context.show({ lines: (paint) => writtenLines(target, { assumed, steps }, paint) });
    }
    return gaps.length > 0 ? EXIT.partial : EXIT.done;
  } finally {
    stop.release();
  }
}

/** Returns where the service is; what is not known yet gets a placeholder that `check` names. */
function serviceOf({ serviceUrl, domainId, orgCode }: InitOptions, token: string): DraftEntry {
  return {
    key: 'service',
    value: new DraftSection([
      { key: 'baseUrl', value: serviceUrl ?? `https://${PLACEHOLDER}` },
      { key: 'domainId', value: domainId ?? PLACEHOLDER },
      {
        key: 'orgCode',
        value: orgCode ?? PLACEHOLDER,
        because: 'the ledger is bound to domainId and orgCode',
      },
      { key: 'token', value: `\${file:${token}}`, refers: true },
    ]),
  };
}

function openSteps({ serviceUrl, domainId, orgCode }: InitOptions, token: string): readonly string[] {
  const isOpen = [serviceUrl, domainId, orgCode].includes(undefined);
  return [
    ...(isOpen ? [`write what belongs in place of ${PLACEHOLDER} below service`] : []),
    ...(existsSync(token) ? [] : [`write the token of the service into ${token}`]),
  ];
}

/** Writes the file and its folder; never over a file. */
function write(file: string, text: string): void {
  try {
    makeFolder(dirname(resolve(file)));
    writeFileSync(file, text, { flag: 'wx', mode: MODE });
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'EEXIST' && existsSync(file)) throw exists(file);
    throw commandProblem(
      'output-unwritable',
      { option: 'init: --out', path: file, why: fileProblem(cause) },
      { cause },
    );
  }
}

function exists(file: string): ConfigError {
  return commandProblem('init-there', { file });
}

interface InitAnswers {
  readonly assumed: readonly string[];
  readonly steps: readonly string[];
}

function writtenLines(target: string, { assumed, steps }: InitAnswers, paint: Paint): readonly Line[] {
  const flag = target === 'config/rollcall.yaml' ? '' : ` --config ${shellWord(target)}`;
  const next = [
    ...steps,
    `read everything once, and see how people would look: rollcall${flag} check`,
    `see what would happen: rollcall${flag} plan`,
  ];
  return [
    ...assumed.map((text) => ({ head: `${paint('care', 'assumed')}  `, text: printableText(text) })),
    { head: `${paint('fine', 'written')}  `, text: printable(target) },
    ...next.map((text) => ({ head: `${paint('strong', 'next')}     `, text: printableText(text) })),
  ];
}
