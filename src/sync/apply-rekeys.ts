import { isRekey } from '../domain/changes.ts';
import { changesOf } from './changes-of.ts';
import type { Run } from './world.ts';

/** What a person approved as the same person: the ledger's id changes, the next run compares the record. */
export function applyRekeys(run: Run): void {
  for (const change of changesOf(run, 'person', ['adopt'])) {
    const from = change.fields.find(({ field }) => field === 'id')?.from;
    if (!isRekey(change) || typeof from !== 'string') continue;
    run.ledger.people.rekey(from, change.id);
    run.tally.applied += 1;
  }
}
