import type { Waiting } from '../../domain/changes.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { printable } from '../../domain/text/printable.ts';

type Leavers = SyncSettings['leavers'];

const DONE = { disable: 'disabled', remove: 'removed' } as const satisfies Record<Leavers['action'], string>;

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const reads = (count: number): string => (count === 1 ? '1 more read' : `${count} more reads`);

/** Returns a text like `1 missing once; disabled after 1 more read`. */
function waitingText({ count, misses }: Waiting, { misses: enough, action }: Leavers): string {
  return `${count} missing ${times(misses)}; ${DONE[action]} after ${reads(enough - misses)}`;
}

/** Yields people who are missing in the source, but not often enough yet, and so keep their active accounts. */
export function* waitingLines(waiting: readonly Waiting[], leavers: Leavers): Iterable<string> {
  for (const group of waiting) {
    const { count, first } = group;
    const names = first.map(({ username, id }) =>
      username === id ? printable(id) : `${printable(username)} (${printable(id)})`,
    );
    const more = count > first.length ? `, … and ${count - first.length} more` : '';
    yield `  ${waitingText(group, leavers)}: ${names.join(', ')}${more}`;
  }
}
