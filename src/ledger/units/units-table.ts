import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { NodeShown, Units } from '../../domain/ports/ledger/units.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import { parsed, type Database } from '../database/database.ts';
import { countAsRemoved } from '../journal/settle.ts';

interface UnitRow extends Pick<UnitEntry, 'id' | 'state' | 'orgId' | 'serialNo'> {
  readonly sent: string;
  readonly accepted: string | null;
}

const ALL = 'SELECT id, state, org_id AS orgId, serial_no AS serialNo, sent, accepted FROM unit ORDER BY id';

const entryOf = ({ sent, accepted, ...row }: UnitRow): UnitEntry => ({
  ...row,
  sent: JSON.parse(sent) as UnitPayload,
  accepted: parsed<Fields>(accepted),
});

export function unitsTable(db: Database): Units {
  return {
    all: () => db.sql<UnitRow>(ALL).all().map(entryOf),
    note: (shown) => noteShownNode(db, shown),
  };
}

function noteShownNode(db: Database, shown: NodeShown): void {
  if (shown.is === 'gone') return countAsRemoved(db, shown.unit);
  db.sql('UPDATE unit SET accepted = ? WHERE id = ?').run(JSON.stringify(shown.fields), shown.unit);
}
