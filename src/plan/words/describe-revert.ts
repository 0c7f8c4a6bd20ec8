import type { NotBack, Reverts } from '../../domain/reverting/reverts.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { Line, Paint } from '../../domain/text/line.ts';
import { listSome, printable, printableText } from '../../domain/text/printable.ts';

export interface RevertWords {
  readonly paint: Paint;
  /** How many records of each reason are named. */
  readonly atMost: number;
  /** Whether all of it has been applied. */
  readonly isDone?: boolean;
}

const records = (count: number): string => (count === 1 ? '1 record' : `${count} records`);
const them = (count: number): string => (count === 1 ? 'it' : 'them');

/** Yields what a revert does not put back, each reason with its records, and what follows from it. */
export function* revertHead(
  reverts: Reverts,
  { paint, atMost, isDone = false }: RevertWords,
): Iterable<Line> {
  const { run, records: all, back, asBefore } = reverts;
  const already = asBefore === 0 ? '' : `, ${asBefore} as before already`;
  const toDo = isDone ? 'put back' : 'to put back';
  yield `${paint('strong', `Revert of run ${printable(run)}`)}: ${back} of ${records(all)} ${toDo}, at least in part${already}`;
  yield* notBackLines(paint('alarm', 'Cannot be undone'), reverts.cannot, { paint, atMost });
  yield* notBackLines(paint('care', 'Left as it is'), reverts.left, { paint, atMost });
  yield* notes(reverts, isDone);
  yield '';
}

function* notBackLines(title: string, all: readonly NotBack[], { atMost }: RevertWords): Iterable<Line> {
  if (all.length === 0) return;
  yield `${title}: ${all.length}`;
  for (const [text, group] of groupBy(all, (one) => one.text)) {
    const names = listSome(
      group.map(({ label }) => printable(label)),
      { atMost },
    );
    yield { head: '  ! ', text: `${printableText(text)}: ${names}` };
  }
}

function* notes({ disabled, moved }: Reverts, isDone: boolean): Iterable<string> {
  const are = isDone ? ['is', 'are'] : ['is to be', 'are to be'];
  if (disabled > 0)
    yield disabled === 1
      ? `The account that the run made ${are[0]} disabled, never removed.`
      : `The ${disabled} accounts that the run made ${are[1]} disabled, never removed.`;
  if (moved > 0)
    yield `${moved === 1 ? 'A unit that moves back gets' : 'Units that move back get'} a new node once more: the first one is gone for good.`;
}

/** Yields who is active again although they have left. */
export function* leaverLines({ leavers }: Reverts, { paint, atMost }: RevertWords): Iterable<Line> {
  if (leavers.length === 0) return;
  const names = listSome(
    leavers.map((label) => printable(label)),
    { atMost },
  );
  const count = leavers.length === 1 ? '1 person' : `${leavers.length} people`;
  yield `${paint('alarm', 'Left in the source, and active by this revert')}: ${count}, named by status until that is settled: ${names}`;
}

/** Yields what the source makes of it. */
export function* againLines(
  { again, holdDays, holds, freed }: Reverts,
  { paint, atMost, isDone = false }: RevertWords,
): Iterable<Line> {
  if (holds > 0) {
    const days = holdDays === 1 ? '1 day' : `${holdDays} days`;
    yield `Held from the source for ${days}${isDone ? '' : ', once it is applied'}: ${records(holds)}.`;
  }
  if (freed.length > 0) {
    const all = listSome(
      freed.map((label) => printable(label)),
      { atMost },
    );
    yield `${paint('care', 'No longer held from the source')}, as an earlier revert had it: ${all}`;
    yield '  To go on holding what is put back: --hold DAYS.';
  }
  if (again.length === 0) return;
  const names = listSome(
    again.map((label) => printable(label)),
    { atMost },
  );
  const title = paint('care', 'The source would do the same again');
  yield holdDays > 0
    ? `${title} after that, for ${records(again.length)}: ${names}`
    : `${title} with the next run, for ${records(again.length)}: ${names}`;
  if (holdDays === 0)
    yield `  Correct ${them(again.length)} there first, or keep ${them(again.length)} from it for a while with --hold DAYS.`;
}
