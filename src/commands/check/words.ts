import { ConfigError, EXIT } from '../../domain/errors.ts';
import { showValue } from '../../domain/ports/service.ts';
import type { Person, Reading, Unit } from '../../domain/records/records.ts';
import type { Line, Paint, Tone } from '../../domain/text/line.ts';
import { listSome, printable, printableText } from '../../domain/text/printable.ts';

/** Returns a rule of the configuration in one line: an expression may have many. */
export function ruleText(rule: string): string {
  return printable(rule.replaceAll(/\s+/gu, ' '));
}

/** Says by which expression a record is out of scope. */
export function scopeText(record: Unit | Person): string {
  const part = 'username' in record ? 'people' : 'units';
  return `out of scope by source.${part}.where: ${ruleText(record.outOfScope ?? '')}`;
}

/** Returns `username (id)`, safe to show within a line. */
export function namedText(name: string, id: string): string {
  return `${printable(name)} (${printable(id)})`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Lays out a table: each column is as wide as its widest cell, and the second one holds numbers. */
export function table(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const width = (column: 0 | 1): number => Math.max(0, ...rows.map((row) => row[column].length));
  const [names, values] = [width(0), width(1)];
  return rows.map(([name, value, note]) =>
    `${name.padEnd(names)}  ${value.padStart(values)}  ${note}`.trimEnd(),
  );
}

/** `look`: it works, but something in it would stop records. */
type Verdict = 'ok' | 'look' | 'fail';

/** One part of the check, and how it went. */
export interface Part {
  readonly verdict: Verdict;
  readonly head: string;
  readonly lines: readonly string[];
  /** Whether the failure is a mistake of the configuration. */
  readonly isConfig?: boolean;
}

const MARKS = {
  ok: ['ok', 'fine'],
  look: ['LOOK', 'care'],
  fail: ['FAIL', 'alarm'],
} as const satisfies Record<Verdict, readonly [string, Tone]>;

const INDENT = ' '.repeat(6);

/** Returns the line `ok    source   …` and, indented, the lines that belong to it. */
export function partLines(name: string, { verdict, head, lines }: Part, paint: Paint): readonly Line[] {
  const [mark, tone] = MARKS[verdict];
  const title = `${paint(tone, mark)}${' '.repeat(INDENT.length - mark.length)}${name.padEnd(9)}`;
  return [{ head: title, text: head }, ...lines.map((line) => `${INDENT}${line}`)];
}

export function failedPart(error: unknown, sentence: string): Part {
  const [head = '', ...lines] = sentence.split('\n');
  return { verdict: 'fail', head, lines, isConfig: error instanceof ConfigError };
}

/** Returns the first exit code that applies, in the same order as for every verb. */
export function exitCodeOf(parts: readonly Part[]): number {
  if (parts.some(({ isConfig }) => isConfig === true)) return EXIT.usage;
  if (parts.some(({ verdict }) => verdict === 'fail')) return EXIT.failed;
  return parts.some(({ verdict }) => verdict === 'look') ? EXIT.partial : EXIT.done;
}

const NEXT: ReadonlyMap<number, string> = new Map([
  [EXIT.done, 'rollcall plan shows what a run would do.'],
  [
    EXIT.partial,
    'Look at what is marked LOOK; a run goes on without it. rollcall plan shows what it would do.',
  ],
]);

/** Returns what to do next. */
export function nextStep(exitCode: number): string {
  return NEXT.get(exitCode) ?? 'Correct what is marked FAIL, then run rollcall check again.';
}

/** Describes a record of the source: what it maps to, or why it does not map. Secrets are left out. */
export function describeSample(
  reading: Reading<Unit> | Reading<Person>,
  hasPositions: boolean,
): readonly string[] {
  const subject = reading.ok ? ('username' in reading.record ? 'person' : 'unit') : reading.refusal.subject;
  const head = reading.ok ? subject : `${subject}  ${printable(reading.refusal.place)}`;
  return [head, ...readingLines(reading, hasPositions).map((line) => `  ${printableText(line)}`)];
}

function readingLines(reading: Reading<Unit> | Reading<Person>, hasPositions: boolean): readonly string[] {
  if (!reading.ok) return [`left as it is: ${reading.refusal.field}: ${reading.refusal.reason}`];
  const { record } = reading;
  if (record.outOfScope !== undefined) return [scopeText(record)];
  const own = 'username' in record ? personLines(record, hasPositions) : unitLines(record);
  const fields = Object.entries(record.fields).map(([name, value]) => `${name}: ${showValue(value)}`);
  return [...own, ...fields];
}

const LISTED = 10;

const listed = (values: readonly string[]): string =>
  listSome(
    values.map((value) => printable(value)),
    { atMost: LISTED, separator: ' | ' },
  );

function unitLines({ id, parent, refs }: Unit): readonly string[] {
  return [`id: ${printable(id)}`, `parent: ${printable(parent ?? '(top)')}`, `refs: ${listed(refs)}`];
}

function personLines(
  { id, username, active, positions, secrets, isProtected }: Person,
  hasPositions: boolean,
): readonly string[] {
  const units = listed(positions.map(({ unit }) => unit ?? '(root)'));
  const none = hasPositions ? '(see source.positions)' : '(none)';
  const hidden = Object.keys(secrets);
  return [
    `id: ${printable(id)}`,
    `username: ${printable(username)}`,
    `active: ${active === null ? 'could not be evaluated' : String(active)}`,
    ...(isProtected === true ? ['protected: by sync.protect.where'] : []),
    `positions: ${units === '' ? none : units}`,
    ...(hidden.length === 0 ? [] : [`secrets: ${hidden.join(', ')} (not shown)`]),
  ];
}
