import type { NotifyBook } from '../domain/records/notify-book.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { printableText } from '../domain/text/printable.ts';

/** Describes why people were not told of the runs. Times are UTC. */
export function untoldLines(untold: NotifyBook['lastError'], paint: Paint): readonly Line[] {
  if (untold === null) return [];
  const at = new Date(untold.at).toISOString().slice(0, 16).replace('T', ' ');
  return [paint('care', `messages    the last one (${at}) was not taken: ${printableText(untold.reason)}`)];
}
