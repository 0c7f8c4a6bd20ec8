import { ConfigError, EXIT } from '../../domain/errors.ts';
import type { Line, Paint, Tone } from '../../domain/text/line.ts';

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

/** A part with its name. */
export interface NamedPart extends CheckedPart {
  readonly name: string;
}

/** Yields the verdict, a line `ok    source   …` for each part, then what belongs to each, and what to do next. */
export function* checkLines(parts: readonly NamedPart[], paint: Paint): Iterable<Line> {
  const [verdict, next] = VERDICTS.get(exitCodeOf(parts)) ?? FAILED;
  yield* [paint('strong', verdict), ''];
  for (const { verdict: how, name, head } of parts) {
    const [mark, tone] = MARKS[how];
    yield { head: `${paint(tone, mark)}${' '.repeat(6 - mark.length)}${name.padEnd(9)}`, text: head };
  }
  for (const { name, lines } of parts)
    if (lines.length > 0) yield* ['', paint('strong', name), ...lines.map((line) => `  ${line}`)];
  yield* ['', next];
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

const VERDICTS: ReadonlyMap<number, readonly [verdict: string, next: string]> = new Map([
  [EXIT.done, ['Everything works.', 'rollcall plan shows what a run would do.']],
  [
    EXIT.partial,
    [
      'A run works, and goes on without what is marked WARN.',
      'Look at what is marked WARN. rollcall plan shows what a run would do.',
    ],
  ],
]);
const FAILED = [
  'A run cannot do its work.',
  'Correct what is marked FAIL, then run rollcall check again.',
] as const;
