import type { Pinned, Reverts } from '../../domain/changes.ts';
import type { Pin } from '../../domain/records/pin.ts';
import type { Line } from '../../domain/text/line.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import { printable } from '../../domain/text/printable.ts';
import { leftOutLines, type ListOptions } from './left-out.ts';
import { timeText } from '../../domain/text/time-text.ts';

export function pinned({ subject, id, label, run, until }: Pin): Pinned {
  return { subject, id, label, run, until };
}

/** Returns what is told of pins. `leavers`: who has left in the source and is held active. */
export function pinnedNow(pins: readonly Pin[], leavers: readonly Pick<Pin, 'id'>[]): readonly Pinned[] {
  const left = new Set(leavers.map(({ id }) => id));
  return pins.map((pin) => ({ ...pinned(pin), hasLeft: pin.subject === 'person' && left.has(pin.id) }));
}

/** Returns the lines about records that are held from the source after a revert, by run and time. */
export function pinLines(pins: readonly Pinned[], { paint, atMost, more }: ListOptions): readonly Line[] {
  if (pins.length === 0) return [];
  const title = `${paint('care', 'Held from the source')} after a revert: ${pins.length}`;
  const groups = groupBy(
    pins,
    ({ until, run }) => `until ${timeText(until)}, as before run ${printable(run)}`,
  );
  const lines = [...groups].map(([text, group]) => {
    const names = group.slice(0, atMost).map(pinName);
    const rest = group.length - names.length;
    const all = [...names, ...(rest === 0 ? [] : [`… and ${rest} more${more}`])].join(', ');
    return { head: `  ${paint('care', '!')} `, text: `${text}: ${all}` };
  });
  return [title, ...lines, '  To end it sooner: rollcall revert --release NAME, or the run for all of it'];
}

function pinName({ subject, id, label, hasLeft }: Pinned): string {
  const name = label === id ? printable(id) : `${printable(label)} (${printable(id)})`;
  return `${subject === 'unit' ? 'unit ' : ''}${name}${hasLeft === true ? ', who has left in the source' : ''}`;
}

/** Yields what a revert does not put back, and what the source makes of the rest. */
export function* revertLines(
  { run, records, notBack, holdDays }: Reverts,
  options: ListOptions,
): Iterable<Line> {
  const { paint } = options;
  const changed = records === 1 ? '1 record' : `${records} records`;
  yield `${paint('strong', `Revert of run ${printable(run)}`)}, which changed ${changed}`;
  if (notBack.length > 0) yield `${paint('care', 'Not put back')}: ${notBack.length}`;
  yield* leftOutLines(notBack, options);
  yield holdDays === 0
    ? 'The next run lets the source decide again: correct it first, or hold what is put back with --hold DAYS.'
    : `What is put back is held from the source for ${holdDays === 1 ? '1 day' : `${holdDays} days`}.`;
  yield '';
}
