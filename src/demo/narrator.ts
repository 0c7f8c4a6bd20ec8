import { stripVTControlCharacters, styleText } from 'node:util';
import { prettyLine, wantsColour } from '../runtime/pretty-line.ts';

type Style = Parameters<typeof styleText>[0];

const WIDTH = 100;
const WIDE = /\p{Script=Han}/gu;

/** What the demo says and shows, on a terminal or in a file. */
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
    for (const line of wrap(text, WIDTH)) this.#line(line);
  }

  /** What was shown to be so. */
  proved(sentences: readonly string[]): void {
    this.#line('');
    for (const line of sentences.flatMap((text) => wrap(`✓ ${text}`, WIDTH))) {
      this.#line(this.#paint('green', line));
    }
  }

  command(words: string): void {
    this.#line(`\n${this.#paint('cyan', `$ ${words}`)}`);
  }

  /** A line of a command, as it shows on a terminal: JSON of the log is spelled out, long ones are folded. */
  output(text: string): void {
    const shown = text.startsWith('{"level"') ? prettyLine(text, this.#colour).trimEnd() : text;
    for (const line of wrap(shown, WIDTH)) this.#line(line);
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #paint(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** Columns of a terminal: a Chinese character takes two. */
function columns(text: string): number {
  const bare = stripVTControlCharacters(text);
  return bare.length + (bare.match(WIDE)?.length ?? 0);
}

/** Folded at blanks; what follows is indented below the first line. */
export function wrap(text: string, width: number): readonly string[] {
  if (columns(text) <= width) return [text];
  const indent = ' '.repeat((/^ */u.exec(text)?.[0].length ?? 0) + 4);
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/ *[^ ]+/gu) ?? []) {
    if (line !== '' && columns(line + word) > width) {
      lines.push(line);
      line = indent + word.trimStart();
    } else {
      line += word;
    }
  }
  return [...lines, line];
}
