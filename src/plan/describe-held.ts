import type { Held } from '../domain/changes.ts';

/** What one guard holds, as `plan` and `status` say it: the numbers, then the first records. */
export function heldLines({ guard, count, limit, first }: Held): readonly [numbers: string, records: string] {
  const more = count > first.length ? `, … and ${count - first.length} more` : '';
  return [
    `by sync.guard.${guard}: ${count} ${count === 1 ? 'change' : 'changes'}, the limit is ${limit}`,
    `  ${first.join(', ')}${more}`,
  ];
}
