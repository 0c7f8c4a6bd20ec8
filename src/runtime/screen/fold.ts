import { stripVTControlCharacters } from 'node:util';
import type { Line } from '../../domain/text/line.ts';

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/gu;

/** Returns the columns that a text takes on a terminal: a Chinese character takes two, a colour none. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  const wide = bare.match(WIDE) ?? [];
  // A character beyond U+FFFF already has the length two.
  return bare.length + wide.filter((character) => character.length === 1).length;
}

/**
 * Texts that stay in one line because people copy them: commands, and ids, which stand in short brackets or
 * after their name.
 */
const COMMAND =
  /rollcall (?:--config \S+ )?(?:explain (?:'[^']*'|\S+)|[a-z]+)(?: --(?:approve|reading|data) \S+| --[a-z-]+)*/gu;
const BRACKETS = /\((?:[^()]|\([^()]*\)){1,40}\)/gu;
const NAMED = /\b(?:id|number|run|plan|node) \S+/gu;
const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: UTC)?/gu;
const STUCK = '\u0000';

function stick(text: string): string {
  return text.replaceAll(' ', STUCK);
}

/** A command whose arguments have no blanks. */
const BARE_COMMAND =
  /^\S*rollcall (?:--config \S+ )?(?:explain \S+|[a-z]+)(?: --(?:approve|reading|data) \S+| --[a-z-]+)*\S*$/u;
const BLANK = /\p{Zs}/u;

/**
 * Splits a text into words that may stand on separate lines. A word longer than a line stays whole if it has
 * no blanks or is a command; otherwise a value could make the terminal begin a line with words of the value's
 * choice.
 */
function wordsOf(text: string, room: number): readonly string[] {
  const stuck = [BRACKETS, COMMAND, NAMED, TIME].reduce((all, part) => all.replaceAll(part, stick), text);
  return stuck.split(' ').flatMap((part) => {
    const word = part.replaceAll(STUCK, ' ');
    return widthOf(word) > room && !BARE_COMMAND.test(word) ? word.split(BLANK) : [word];
  });
}

interface Room {
  /** Columns of the first line (`first`) and of the others. */
  readonly first: number;
  readonly next: number;
}

function broken(text: string, { first, next }: Room): readonly string[] {
  const lines: string[] = [];
  let line: string | null = null;
  let width = 0;
  for (const word of wordsOf(text, next)) {
    const more = widthOf(word);
    const room = lines.length === 0 ? first : next;
    if (line !== null && line.trim() !== '' && width + 1 + more > room) {
      lines.push(line);
      line = word;
      width = more;
    } else {
      // Blanks between columns do not begin a line.
      const begins: boolean = line === null || (lines.length > 0 && line === '');
      width = begins ? more : width + 1 + more;
      line = begins ? word : `${line} ${word}`;
    }
  }
  return line === null ? lines : [...lines, line];
}

/** Beginning of a plain line before its text: blanks, a sign, the branches of a tree. */
const BEGINNING = /^ *(?:[+~=>!-] )?[ │├└─]*/u;
/** Smallest width of a column beside an indentation. */
const NARROWEST = 20;

/** Returns the beginning of the lines below: the branches go on, the signs do not. */
function below(line: string): string {
  const beginning = BEGINNING.exec(stripVTControlCharacters(line))?.[0] ?? '';
  return `${beginning.replaceAll(/[+~=>!└─-]/gu, ' ').replaceAll('├', '│')}    `;
}

/** Returns one line as a terminal with so many columns shows it. */
export function fold(line: Line, columns: number): readonly string[] {
  const { head, text } = typeof line === 'string' ? { head: '', text: line } : line;
  if (widthOf(head) + widthOf(text) <= columns) return [(head + text).trimEnd()];
  const indent = typeof line === 'string' ? below(line) : ' '.repeat(widthOf(head));
  const next = Math.max(NARROWEST, columns - widthOf(indent));
  const parts = broken(text, { first: Math.max(NARROWEST, columns - widthOf(head)), next });
  return parts.map((part, index) => ((index === 0 ? head : indent) + part).trimEnd());
}
