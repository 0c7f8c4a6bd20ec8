import type { Line, Paint, Tone } from '../domain/text/line.ts';
import { widthOf } from '../runtime/screen.ts';

/** One row: a name, a value, and where it comes from. Terminal and console show it, each in its way. */
export interface Row {
  /** With blanks before it: it belongs to the row above. Empty: the row goes on with the one above. */
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  /** What the value is about; absent: nothing to look at. */
  readonly tone?: Tone | undefined;
  /** Lines below the value. */
  readonly below?: readonly string[];
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(2, width - widthOf(text)));

/** The widest name that widens the column of names. */
const WIDEST_NAME = 30;
const VALUES_AT_MOST = 44;
/** From this column on, a terminal of 80 has no room to fold a rule in a column of its own. */
const BEFORE_NOTES = 60;

const COMMAND = /(rollcall sync --approve \S+)/u;

/** Highlights commands that the reader can type. */
export function withCommands(text: string, paint: Paint): string {
  const parts = text.split(COMMAND);
  return parts.map((part) => (COMMAND.test(part) ? paint('strong', part) : part)).join('');
}

/**
 * Lays rows out in three columns for a terminal; what does not fit continues below its own column.
 *
 * @param least columns that names have at least
 */
export function rowLines(rows: readonly Row[], paint: Paint, least = 12): readonly Line[] {
  const widths = rows.map(({ name }) => widthOf(name) + 2).filter((width) => width <= WIDEST_NAME);
  const names = Math.max(least, ...widths);
  const withNote = rows.filter(({ note, value }) => note !== undefined && widthOf(value) <= VALUES_AT_MOST);
  const values = Math.max(0, ...withNote.map(({ value }) => widthOf(value))) + 2;
  return rows.flatMap(({ name, value, note = '', tone, below = [] }) => {
    const title = name.startsWith(' ') ? name : paint('strong', name);
    const head = padded(title, names);
    const text = tone === undefined ? withCommands(value, paint) : paint(tone, value);
    const shown = note === '' ? text : padded(text, values);
    const hasColumn = note !== '' && widthOf(value) + 2 <= values && names + values <= BEFORE_NOTES;
    const [before, after] = hasColumn ? [head + shown, ''] : [head, shown];
    return [
      { head: before, text: after + paint('quiet', note) },
      ...below.map((more) => ({ head: ' '.repeat(names), text: paint('care', more) })),
    ];
  });
}
