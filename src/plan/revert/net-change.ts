import type { Change, FieldChange } from '../../domain/changes.ts';
import { ACTIVE, type HistoryEntry, type Places, type Subject } from '../../domain/ports/history.ts';
import { sameValue } from '../values/compare.ts';

/** Changes under the guard `usernameReuse` that give a username to another record or another account. */
const HANDOVERS: ReadonlySet<Change['kind']> = new Set(['adopt', 'create']);

/** What one run did to a record, all of its changes together. */
export interface NetChange {
  readonly subject: Subject;
  readonly id: string;
  readonly label: string;
  /** Number of the last entry of the history. */
  readonly n: number;
  readonly kinds: ReadonlySet<Change['kind']>;
  /** Fields that differ after it, each once. */
  readonly fields: readonly FieldChange[];
  /** Positions by unit; `null`: they did not change, or are known in words alone. */
  readonly places: Places | null;
  /** Whether it gave a username to another record or another account. */
  readonly isHandover: boolean;
}

/** Returns what the entries of one record in one run come to, in the order of writing; `null` for none. */
export function netChange(entries: readonly HistoryEntry[]): NetChange | null {
  const last = entries.at(-1);
  if (last === undefined) return null;
  const { subject, id, label, n } = last;
  const placed = entries.flatMap(({ places }) => places ?? []);
  const [first, final] = [placed[0], placed.at(-1)];
  return {
    subject,
    id,
    label,
    n,
    kinds: new Set(entries.map(({ kind }) => kind)),
    fields: netFields(entries.flatMap(({ fields }) => fields)),
    places: first === undefined || final === undefined ? null : { before: first.before, after: final.after },
    isHandover: entries.some(({ guard, kind }) => guard === 'usernameReuse' && HANDOVERS.has(kind)),
  };
}

/** Returns each field with its first value before and its last value after, where these differ. */
function netFields(fields: readonly FieldChange[]): readonly FieldChange[] {
  const net = new Map<string, FieldChange>();
  for (const { field, from, to } of fields)
    net.set(field, { field, from: net.has(field) ? (net.get(field)?.from ?? null) : from, to });
  return [...net.values()].filter(({ from, to }) => !sameValue(from, to));
}

/** Returns whether the account could be used before and after; `null`: the run did not change that. */
export function activeOf({
  fields,
  kinds,
}: NetChange): { readonly before: boolean; readonly after: boolean } | null {
  if (kinds.has('create')) return { before: false, after: true };
  const change = fields.find(({ field }) => field === ACTIVE);
  return change === undefined ? null : { before: change.from === true, after: change.to === true };
}
