import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ConfigError, StoppedError } from '../../domain/errors.ts';
import { guardText } from '../../runtime/screen.ts';

interface Question {
  readonly text: string;
  /** Flag that gives the same answer. */
  readonly flag: string;
  /** Value of that flag: then nothing is asked. */
  readonly given?: string | undefined;
  /** Answer where nothing is typed, or nobody can be asked; absent: there has to be an answer. */
  readonly otherwise?: string | undefined;
  /** Returns what is wrong with an answer; `null`: nothing. */
  readonly problem?: ((answer: string) => string | null) | undefined;
}

/** Asks a person on a terminal, on stderr; without one, takes flags and what stands for them. */
export interface Prompter {
  readonly isTerminal: boolean;
  ask(question: Question): Promise<string>;
  /** Asks for a secret, which is not shown; `null`: nobody can be asked. */
  askSecret(text: string): Promise<string | null>;
  close(): void;
}

/** Part of a terminal that is needed here. */
interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

export function openPrompter({ input, output }: Terminal): Prompter {
  return input.isTTY ? new TerminalPrompter({ input, output }) : NOBODY;
}

/** Gives what flags say. Throws a `ConfigError` that names the flag where there has to be an answer. */
const NOBODY: Prompter = {
  isTerminal: false,
  ask: async (question) => {
    const answer = question.given ?? question.otherwise;
    if (answer === undefined)
      throw new ConfigError(
        `rollcall init: ${question.flag} is missing (${question.text}); there is no terminal here to ask on.`,
      );
    return checked(question, answer);
  },
  askSecret: async () => null,
  close: () => undefined,
};

class TerminalPrompter implements Prompter {
  readonly isTerminal = true;
  readonly #lines: Interface;
  readonly #output: NodeJS.WriteStream;
  #isHidden = false;
  /** Aborted when the person stops, or the terminal is closed. */
  readonly #end = new AbortController();

  constructor({ input, output }: Terminal) {
    this.#output = output;
    const shown = new Writable({
      write: (chunk: Buffer, _, done) => {
        if (!this.#isHidden) output.write(chunk);
        done();
      },
    });
    this.#lines = createInterface({ input, output: shown, terminal: true, historySize: 0 });
    // Ctrl-C and Ctrl-D, and a terminal that is gone: readline itself would leave the question unanswered.
    this.#lines.on('SIGINT', () => this.#lines.close());
    this.#lines.on('close', () => this.#end.abort());
  }

  async ask(question: Question): Promise<string> {
    const { text, given, otherwise } = question;
    if (given !== undefined) return checked(question, given);
    const shown = otherwise === undefined || otherwise === '' ? '' : ` [${otherwise}]`;
    for (;;) {
      const typed = (await this.#answer(`${guardText(`${text}${shown}`)}: `)).trim();
      const answer = typed === '' ? otherwise : typed;
      const problem =
        answer === undefined ? 'there has to be an answer' : (question.problem?.(answer) ?? null);
      if (problem === null && answer !== undefined) return answer;
      this.#output.write(`  ${guardText(problem ?? '')}\n`);
    }
  }

  async askSecret(text: string): Promise<string> {
    this.#output.write(`${guardText(text)}: `);
    this.#isHidden = true;
    try {
      return await this.#answer('');
    } finally {
      this.#isHidden = false;
      this.#output.write('\n');
    }
  }

  close(): void {
    this.#lines.close();
  }

  async #answer(prompt: string): Promise<string> {
    const { signal } = this.#end;
    try {
      if (signal.aborted) throw stopped();
      return await this.#lines.question(prompt, { signal });
    } catch (error) {
      if (signal.aborted) throw stopped();
      throw error;
    }
  }
}

/** Asks a question that yes or no answers. */
export async function confirmed(prompter: Prompter, question: Omit<Question, 'problem'>): Promise<boolean> {
  const text = `${question.text} (yes or no)`;
  const answer = await prompter.ask({ ...question, text, problem: noYes });
  return answer.toLowerCase().startsWith('y');
}

function noYes(answer: string): string | null {
  return /^(?:y|yes|n|no)$/iu.test(answer) ? null : 'yes or no';
}

function stopped(): StoppedError {
  return new StoppedError('Stopped: nothing was written.');
}

function checked({ flag, problem }: Question, answer: string): string {
  const wrong = problem?.(answer) ?? null;
  if (wrong === null) return answer;
  throw new ConfigError(`rollcall init: ${flag}: ${wrong}.`);
}
