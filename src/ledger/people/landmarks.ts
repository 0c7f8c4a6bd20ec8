import type { LandmarkQuery } from '../../domain/ports/ledger/view.ts';
import type { People } from '../../domain/ports/ledger/people.ts';
import { textsOf, type Database } from '../database/database.ts';
import { personEntryOf } from './person-entry.ts';

/** Outcomes that prove nothing: nothing of them is shown, or it may be shown only later. */
const UNPROVEN = `('failed', 'doubt', 'reopened', 'unconfirmed', 'vanished')`;
/** How many items of calls are searched for the latest few records: one call has many records. */
const GONE_THROUGH = 1_000;

/** The subject stands in the text: units are few among many items, and have an index of their own. */
const changedLatestOf = (subject: 'unit' | 'person'): string => `
  SELECT id FROM (
    SELECT call, id FROM call_item INDEXED BY ${subject === 'unit' ? 'call_item_units' : 'call_item_call'}
      WHERE subject = '${subject}' AND outcome NOT IN ${UNPROVEN}
      ORDER BY call DESC LIMIT ${GONE_THROUGH})
  GROUP BY id ORDER BY max(call) DESC, id LIMIT :limit`;

/** People who are not asked for anyway: those asked for are open, were not read back, or had vanished. */
const QUIET = `open = 0 AND was IS NULL AND (state IN ('disabled', 'removed') OR state = 'managed' AND accepted IS NOT NULL)`;

const BY_ID = `SELECT * FROM person WHERE id = ? AND ${QUIET}`;
const KNOWN_LATEST = `SELECT * FROM person
  WHERE rowid > (SELECT max(rowid) FROM person) - :limit AND ${QUIET} ORDER BY rowid DESC`;
const DISABLED_LATEST = `SELECT * FROM person
  WHERE state = 'disabled' AND disabled_at > 0 AND ${QUIET} ORDER BY disabled_at DESC LIMIT :limit`;

/** Of these usernames, those of users whom the service reported as changed. */
const REPORTED = 'SELECT username FROM staging.candidate WHERE username IN (SELECT value FROM json_each(?))';

/** Returns the ids of the records of this kind that we changed last, the latest first. */
function changedLatest(db: Database, subject: 'unit' | 'person', limit: number): readonly string[] {
  return textsOf(db.sql(changedLatestOf(subject)).all({ limit }), 'id');
}

/** See {@link People.landmarks}. */
export function landmarks(
  db: Database,
  { changed, known, disabled, units }: LandmarkQuery,
): ReturnType<People['landmarks']> {
  const rows = [
    ...changedLatest(db, 'person', changed).flatMap((id) => db.sql(BY_ID).all(id)),
    ...db.sql(KNOWN_LATEST).all({ limit: known }),
    ...db.sql(DISABLED_LATEST).all({ limit: disabled }),
  ];
  const byUsername = new Map(
    rows.map((row) => personEntryOf(db, row)).map((entry) => [entry.username, entry]),
  );
  const reported = db.sql(REPORTED).all(JSON.stringify([...byUsername.keys()]));
  for (const username of textsOf(reported, 'username')) byUsername.delete(username);
  return { people: [...byUsername.values()], units: changedLatest(db, 'unit', units) };
}
