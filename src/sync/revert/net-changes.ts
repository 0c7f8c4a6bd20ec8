import type { HistoryEntry, Unproven } from '../../domain/ports/history.ts';
import { netChange, type NetChange } from '../../plan/revert/net-change.ts';
import type { RevertRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';

const orderOf = ({ subject, id }: NetChange): string => `${subject === 'unit' ? 0 : 1} ${id}`;

/** Returns what the run did to each record that is asked for, units first. */
export function netChanges({ ledger }: Run, { run, only }: RevertRequest): readonly NetChange[] {
  const records = new Map<string, HistoryEntry[]>();
  for (const entry of ledger.history.ofRun(run)) {
    if (only !== undefined && (entry.subject !== only.subject || entry.id !== only.id)) continue;
    const key = `${entry.subject} ${entry.id}`;
    const known = records.get(key);
    if (known === undefined) records.set(key, [entry]);
    else known.push(entry);
  }
  const all = [...records.values()].flatMap((entries) => netChange(entries) ?? []);
  return all.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** Returns the records for which the run sent something, and nobody knows yet what became of it. */
export function doubtful({ ledger }: Run, { run, only }: RevertRequest): readonly Unproven[] {
  const all = ledger.history.unproven(run);
  return only === undefined
    ? all
    : all.filter(({ subject, id }) => subject === only.subject && id === only.id);
}
