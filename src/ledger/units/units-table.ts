import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { RecordState } from '../../domain/records/next.ts';
import type { NodeShown, Units } from '../../domain/ports/ledger/units.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import { json, jsonOrNull, text, textOrNull, type Database, type Row } from '../database/database.ts';
import { countAsRemoved } from '../journal/settle.ts';

function entryOf(row: Row): UnitEntry {
  return {
    id: text(row, 'id'),
    state: text(row, 'state') as RecordState,
    orgId: textOrNull(row, 'org_id'),
    serialNo: text(row, 'serial_no'),
    sent: json<UnitPayload>(row, 'sent'),
    accepted: jsonOrNull<Fields>(row, 'accepted'),
  };
}

export function unitsTable(db: Database): Units {
  return {
    all: () => db.sql('SELECT * FROM unit ORDER BY id').all().map(entryOf),
    note: (shown) => noteShownNode(db, shown),
  };
}

function noteShownNode(db: Database, shown: NodeShown): void {
  if (shown.is === 'gone') return countAsRemoved(db, shown.unit);
  db.sql('UPDATE unit SET accepted = ? WHERE id = ?').run(JSON.stringify(shown.fields), shown.unit);
}
