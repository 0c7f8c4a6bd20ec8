import { styleText } from 'node:util';
import { fold } from '../runtime/screen/fold.ts';
import { prettyLine } from '../runtime/log/pretty-line.ts';
import { wantsColour } from '../runtime/screen/screen.ts';

type Style = Parameters<typeof styleText>[0];

const WIDTH = 100;

/** Tells what the demo says and shows, on a terminal or in a file. */
export class Narrator {
  readonly #out: NodeJS.WriteStream;
  readonly #colour: boolean;
  #chapter = 0;

  constructor(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.#colour = wantsColour(out, env);
  }

  chapter(title: string): void {
    this.#chapter += 1;
    const head = `── ${this.#chapter}. ${title} `;
    this.#line(`\n${this.#paint('bold', head.padEnd(WIDTH, '─'))}`);
  }

  say(text: string): void {
    for (const line of fold(text, WIDTH)) this.#line(line);
  }

  /** Prints sentences that were shown to be true. */
  proved(sentences: readonly string[]): void {
    this.#line('');
    for (const line of sentences.flatMap((text) => fold(`✓ ${text}`, WIDTH))) {
      this.#line(this.#paint('green', line));
    }
  }

  command(words: string): void {
    this.#line(`\n${this.#paint('cyan', `$ ${words}`)}`);
  }

  /**
   * Prints output of a command as a terminal shows it: JSON of the log is spelled out, long lines are folded.
   */
  output(text: string): void {
    const shown = text.startsWith('{"level"') ? prettyLine(text, this.#colour) : text;
    for (const line of fold(shown, WIDTH)) this.#line(line);
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #paint(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }
}
