import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import type { Known } from '../../domain/records/next.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { parsed, type Database } from '../database/database.ts';
import { knownBy } from '../records/known-people.ts';

export function personEntryOf(known: Known): PersonEntry {
  const { id, username, state, employeeId, secretHash, misses, missedAt, disabledAt } = known;
  const { missedBy, broughtBy, sourceName: usernameInSource } = known;
  const nodes = parsed<readonly string[]>(known.nodes);
  return {
    id,
    username,
    state,
    employeeId,
    secretHash,
    misses,
    missedAt,
    disabledAt,
    sent: JSON.parse(known.sent) as PersonPayload,
    accepted: parsed<Shown>(known.accepted),
    ...(nodes !== null && { nodes }),
    ...(missedBy !== null && { missedBy }),
    ...(broughtBy !== null && { broughtBy }),
    ...(usernameInSource !== null && { usernameInSource }),
  };
}

export function entryOf(db: Database, id: string): PersonEntry | null {
  const known = knownBy(db, id);
  return known === null ? null : personEntryOf(known);
}
