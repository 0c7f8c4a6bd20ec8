const COLUMNS = 100;

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const CONTROL = /\p{Cc}+/gu;

/** Columns that a text takes on a terminal: a Chinese character takes two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** A value of somebody else's making: no line feed and no escape sequence of it reaches the terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, ' ');
}

/** What is to be copied stays in one line. */
const COMMAND = /rollcall sync --approve \S+/gu;
const STUCK = '\u00A0';

/** `text` after `head` in lines of at most 100 columns, the later ones indented; a word that is longer stays whole. */
export function wrapped(head: string, text: string, indent = widthOf(head)): readonly string[] {
  const limit = COLUMNS - indent;
  const lines: string[] = [];
  let line = '';
  const whole = printable(text).replaceAll(COMMAND, (command) => command.replaceAll(' ', STUCK));
  for (const word of whole.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > limit) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].map(
    (each, index) => (index === 0 ? head : ' '.repeat(indent)) + each.replaceAll(STUCK, ' '),
  );
}

const LABEL = 14;

/** `label         text`, wrapped below the text. */
export function labelled(label: string, text: string): readonly string[] {
  return wrapped(padded(label, LABEL), text);
}

export interface Cells {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  /** Lines below the value. */
  readonly below: readonly string[];
}

const VALUE_AT_MOST = 44;

/** Three columns: name, value, note; what does not fit goes on below its own column. */
export function table(rows: readonly Cells[]): readonly string[] {
  const names = Math.max(LABEL, ...rows.map(({ name }) => widthOf(name) + 4));
  const widths = rows.map(({ value }) => widthOf(printable(value))).filter((width) => width <= VALUE_AT_MOST);
  const values = Math.max(0, ...widths) + 2;
  return rows.flatMap(({ name, value, note, below }) => {
    const head = padded(`  ${name}`, names);
    const indent = ' '.repeat(names);
    const text = printable(value);
    const fits = widthOf(text) <= values - 2;
    const lines = fits
      ? wrapped(head + padded(text, values), note)
      : [...wrapped(head, text), ...(note === '' ? [] : wrapped(indent + padded('', values), note))];
    return [...lines, ...below.flatMap((line) => wrapped(indent, line))].map((line) => line.trimEnd());
  });
}
