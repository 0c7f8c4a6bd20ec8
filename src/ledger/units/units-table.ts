import type { RecordState, UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Logos, NodeShown, Units } from '../../domain/ports/ledger/units.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { PersonPayload, UnitPayload } from '../../domain/records/payload.ts';
import {
  inPages,
  json,
  jsonOrNull,
  textOrNull,
  text,
  type Database,
  type Row,
} from '../database/database.ts';
import { noteShown } from '../history/note-done.ts';
import { renameRecord } from '../journal/rename-record.ts';
import { clearFailure, countAsRemoved, settleMove } from '../journal/settle.ts';
import type { MovedUnit, OldNode } from '../../domain/records/moves.ts';
import { atOnce } from '../../lib/in-steps.ts';
import { follow } from '../people/people-table.ts';
import { marked, markOne } from '../database/marks.ts';

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
    note: (shown) => noteShownNode(db, shown),
    recover: (moves, left) => db.transaction(() => recover(db, moves, left)),
    rekey: (ids) => db.transaction(() => rekeyUnits(db, ids)),
    oldNodes: () =>
      db
        .sql('SELECT * FROM old_node ORDER BY org_id')
        .all()
        .map((row) => ({ orgId: text(row, 'org_id'), unit: text(row, 'unit_id') })),
  };
}

const BACK = `UPDATE unit SET state = 'managed', org_id = ? WHERE id = ?`;

function noteShownNode(db: Database, shown: NodeShown): void {
  switch (shown.is) {
    case 'accepted':
      return db
        .sql('UPDATE unit SET accepted = ? WHERE id = ?')
        .run(JSON.stringify(shown.fields), shown.unit);
    case 'back':
      clearFailure(db, 'unit', shown.unit);
      return db.sql(BACK).run(shown.orgId, shown.unit);
    case 'gone':
      return countAsRemoved(db, shown.unit);
    case 'old':
      return db.sql('DELETE FROM old_node WHERE org_id = ?').run(shown.orgId);
  }
}

function recover(db: Database, moves: readonly MovedUnit[], left: readonly OldNode[]): void {
  for (const moved of moves) {
    settleMove(db, moved);
    noteShown(db, { subject: 'unit', id: moved.id }, 'move');
  }
  const note = db.sql('INSERT OR IGNORE INTO old_node VALUES (?, ?)');
  for (const { orgId, unit } of left) note.run(orgId, unit);
  atOnce(follow(db, [...moves.map(({ id }) => id), ...left.map(({ unit }) => unit)]));
}

const AT_ONCE = 1_000;

const idOf = (row: Row): string => text(row, 'id');

/**
 * Gives units other source ids, wherever the ledger names them. A serial number that was the id (the default at
 * creation) becomes the new id; `former` keeps the serial numbers that its node may show until then, or again.
 */
function rekeyUnits(db: Database, ids: ReadonlyMap<string, string>): void {
  for (const [from, to] of ids) {
    db.sql(
      `UPDATE unit SET id = :to, serial_no = iif(serial_no = :from, :to, serial_no),
         former = iif(serial_no = :from, json_insert(coalesce(former, '[]'), '$[#]', :from), former) WHERE id = :from`,
    ).run({ from, to });
    db.sql('UPDATE old_node SET unit_id = ? WHERE unit_id = ?').run(to, from);
    renameRecord(db, 'unit', from, to);
  }
  inParents(db, ids);
  inPositions(db, ids);
}

function inParents(db: Database, ids: ReadonlyMap<string, string>): void {
  const save = db.sql('UPDATE unit SET sent = ? WHERE id = ?');
  for (const row of db.sql('SELECT id, sent FROM unit').all()) {
    const sent = json<UnitPayload>(row, 'sent');
    const parent = sent.parent === null ? undefined : ids.get(sent.parent);
    if (parent !== undefined) save.run(JSON.stringify({ ...sent, parent }), text(row, 'id'));
  }
}

/** Renames the units of positions. Positions stay ordered by unit. */
function inPositions(db: Database, ids: ReadonlyMap<string, string>): void {
  const page = db.sql('SELECT id, sent FROM person WHERE id > ? ORDER BY id LIMIT ?');
  const save = db.sql('UPDATE person SET sent = ? WHERE id = ?');
  for (const row of inPages('', (last) => page.all(last, AT_ONCE), idOf)) {
    const sent = json<PersonPayload>(row, 'sent');
    if (!sent.positions.some(({ unit }) => ids.has(unit ?? ''))) continue;
    const positions = sent.positions
      .map((position) => ({ ...position, unit: ids.get(position.unit ?? '') ?? position.unit }))
      .toSorted((a, b) => ((a.unit ?? '') < (b.unit ?? '') ? -1 : 1));
    save.run(JSON.stringify({ ...sent, positions }), idOf(row));
  }
}

export function logosTable(db: Database): Logos {
  return {
    all: () =>
      new Map(
        db
          .sql(`SELECT * FROM ${marked('logo')}`)
          .all()
          .map((row) => [text(row, 'key'), text(row, 'note')]),
      ),
    set: (digest, mediaId) => db.sql(markOne('logo')).run(digest, mediaId),
  };
}
