import { ConfigError, EXIT } from '../../domain/errors.ts';
import type { Person, Unit } from '../../domain/records/records.ts';
import type { Line, Paint, Tone } from '../../domain/text/line.ts';
import { printable } from '../../domain/text/printable.ts';

/** Returns a rule of the configuration in one line: an expression may have many. */
export function ruleText(rule: string): string {
  return printable(rule.replaceAll(/\s+/gu, ' '));
}

/** Says by which expression a record is out of scope. */
export function scopeText(record: Unit | Person): string {
  const part = 'username' in record ? 'people' : 'units';
  return `out of scope by source.${part}.where: ${ruleText(record.outOfScope ?? '')}`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** `look`: it works, but something in it would stop records. */
type Verdict = 'ok' | 'look' | 'fail';

/** One part of the check, and how it went. */
export interface CheckedPart {
  readonly verdict: Verdict;
  readonly head: string;
  readonly lines: readonly string[];
  /** Whether the failure is a mistake of the configuration. */
  readonly isConfig?: boolean;
}

const MARKS = {
  ok: ['ok', 'fine'],
  look: ['WARN', 'care'],
  fail: ['FAIL', 'alarm'],
} as const satisfies Record<Verdict, readonly [string, Tone]>;

const INDENT = ' '.repeat(6);

/** Returns the line `ok    source   …` and, indented, the lines that belong to it. */
export function partLines(
  name: string,
  { verdict, head, lines }: CheckedPart,
  paint: Paint,
): readonly Line[] {
  const [mark, tone] = MARKS[verdict];
  const title = `${paint(tone, mark)}${' '.repeat(INDENT.length - mark.length)}${name.padEnd(9)}`;
  return [{ head: title, text: head }, ...lines.map((line) => `${INDENT}${line}`)];
}

export function failedPart(error: unknown, sentence: string): CheckedPart {
  const [head = '', ...lines] = sentence.split('\n');
  return { verdict: 'fail', head, lines, isConfig: error instanceof ConfigError };
}

/** Returns the first exit code that applies, in the same order as for every verb. */
export function exitCodeOf(parts: readonly CheckedPart[]): number {
  if (parts.some(({ isConfig }) => isConfig === true)) return EXIT.usage;
  if (parts.some(({ verdict }) => verdict === 'fail')) return EXIT.failed;
  return parts.some(({ verdict }) => verdict === 'look') ? EXIT.partial : EXIT.done;
}

const NEXT: ReadonlyMap<number, string> = new Map([
  [EXIT.done, 'rollcall plan shows what a run would do.'],
  [
    EXIT.partial,
    'Look at what is marked WARN; a run goes on without it. rollcall plan shows what it would do.',
  ],
]);

/** Returns what to do next. */
export function nextStep(exitCode: number): string {
  return NEXT.get(exitCode) ?? 'Correct what is marked FAIL, then run rollcall check again.';
}
