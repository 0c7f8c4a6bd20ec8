import type { Fields } from '../../domain/records/fields.ts';
import type { RecordState, UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Units } from '../../domain/ports/ledger/units.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import { json, jsonOrNull, text, textOrNull } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';
import { changedLatest } from '../people/landmarks.ts';
import { noteShown } from '../history/note-done.ts';
import { rekeyUnits } from './rekey-units.ts';
import { settleInto } from '../journal/settle.ts';

function entryOf(row: Row): UnitEntry {
  const made = jsonOrNull<Fields>(row, 'made');
  const former = jsonOrNull<readonly string[]>(row, 'former');
  return {
    id: text(row, 'id'),
    state: text(row, 'state') as RecordState,
    orgId: textOrNull(row, 'org_id'),
    serialNo: text(row, 'serial_no'),
    sent: json<UnitPayload>(row, 'sent'),
    accepted: jsonOrNull<Fields>(row, 'accepted'),
    ...(made === null ? {} : { made }),
    ...(former === null ? {} : { formerSerialNos: former }),
  };
}

export function unitsTable(db: Database): Units {
  return {
    all: () => db.sql('SELECT * FROM unit ORDER BY id').all().map(entryOf),
    accept(id, accepted) {
      db.sql('UPDATE unit SET accepted = ? WHERE id = ?').run(JSON.stringify(accepted), id);
    },
    moved: (moved) =>
      db.transaction(() => {
        settleInto(db, moved);
        noteShown(db, { subject: 'unit', id: moved.id }, 'move');
      }),
    rekey: (ids) => db.transaction(() => rekeyUnits(db, ids)),
    takeBack: (id) => db.sql(`UPDATE unit SET state = 'managed' WHERE id = ?`).run(id),
    letGo: (id) =>
      db.sql(`UPDATE unit SET state = 'removed', accepted = NULL, made = NULL WHERE id = ?`).run(id),
    forgetOld: (orgId) => db.sql('DELETE FROM old_node WHERE org_id = ?').run(orgId),
    left: ({ orgId, unit }) => db.sql('INSERT OR IGNORE INTO old_node VALUES (?, ?)').run(orgId, unit),
    changedLatest: (limit) => changedLatest(db, 'unit', limit),
    oldNodes: () =>
      db
        .sql('SELECT * FROM old_node ORDER BY org_id')
        .all()
        .map((row) => ({ orgId: text(row, 'org_id'), unit: text(row, 'unit_id') })),
  };
}
