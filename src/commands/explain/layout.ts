import type { Line, Paint } from '../../domain/text/line.ts';
import { widthOf } from '../../runtime/screen.ts';
import { printable, printableText } from '../../domain/text/printable.ts';

type Spell = (text: string) => string;

/** Writes a rule of the configuration in one line: an expression may have many. */
const ruleText: Spell = (rule) => printableText(rule.replaceAll(/\s+/gu, ' '));

/** How to write values, by key: sentences and paths contain values; everything else is one value. */
const SPELL: Readonly<Record<string, Spell>> = {
  ...Object.fromEntries(
    'about changes error first leftBy problem problems reason refused unit why'
      .split(' ')
      .map((key) => [key, printableText]),
  ),
  rule: ruleText,
  positionRules: ruleText,
};

/** Makes every value that somebody else wrote safe to show in a line, at any depth. */
export function allPrintable<T>(value: T, spell: Spell = printable): T {
  if (typeof value === 'string') return spell(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => allPrintable(item, spell)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    return [printable(key), allPrintable<unknown>(each, SPELL[key] ?? spell)];
  });
  return Object.fromEntries(entries) as T;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

const COMMAND = /(rollcall sync --approve \S+)/u;

/** Highlights commands that the reader can type. */
export function withCommands(text: string, paint: Paint): string {
  return text
    .split(COMMAND)
    .map((part) => (COMMAND.test(part) ? paint('strong', part) : part))
    .join('');
}

const LABEL = 14;

/** Returns `label: text` in columns; what does not fit continues below the text. */
export function labelled(label: string, text: string, paint: Paint): Line {
  return {
    head: paint('strong', label) + padded('', LABEL - widthOf(label)),
    text: withCommands(text, paint),
  };
}

export interface Cells {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  /** Lines below the value. */
  readonly below: readonly string[];
  /** Marks the row that heads the columns. */
  readonly isTitle?: true;
}

const NAME_AT_MOST = 30;
const VALUE_AT_MOST = 44;

/** Lays out three columns: name, value, note; what does not fit continues below its own column. */
export function table(rows: readonly Cells[], paint: Paint): readonly Line[] {
  const fitting = rows.map(({ name }) => widthOf(name) + 4).filter((width) => width <= NAME_AT_MOST);
  const names = Math.max(LABEL, ...fitting);
  const widths = rows.map(({ value }) => widthOf(value)).filter((width) => width <= VALUE_AT_MOST);
  const values = Math.max(0, ...widths) + 2;
  const indent = ' '.repeat(names);
  return rows.flatMap(({ name, value, note, below, isTitle }): readonly Line[] => {
    const quiet = paint('quiet', note);
    const own = widthOf(name) + 4 <= names;
    const title = paint('strong', name) + padded('', names - widthOf(name));
    const head = isTitle === true ? title : own ? padded(`  ${name}`, names) : indent;
    const fits = widthOf(value) <= values - 2;
    const first: readonly Line[] = fits
      ? [{ head, text: note === '' ? value : padded(value, values) + quiet }]
      : [{ head, text: value }, ...(note === '' ? [] : [{ head: indent, text: padded('', values) + quiet }])];
    return [...(own ? [] : [`  ${name}`]), ...first, ...below.map((text) => ({ head: indent, text }))];
  });
}
