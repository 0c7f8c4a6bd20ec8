import type { PersonPayload, UnitPayload } from '../../domain/records/payload.ts';
import { json, text } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const AT_ONCE = 1_000;

/**
 * Gives units other source ids, wherever the ledger names them. A serial number that was the id (the default at
 * creation) becomes the new id; `former` keeps the serial numbers that its node may show until then, or again.
 */
export function rekeyUnits(db: Database, ids: ReadonlyMap<string, string>): void {
  for (const [from, to] of ids) {
    db.sql(
      `UPDATE unit SET id = :to, serial_no = iif(serial_no = :from, :to, serial_no),
         former = iif(serial_no = :from, json_insert(coalesce(former, '[]'), '$[#]', :from), former) WHERE id = :from`,
    ).run({ from, to });
    db.sql('UPDATE old_node SET unit_id = ? WHERE unit_id = ?').run(to, from);
    db.sql(`UPDATE repair SET id = ? WHERE subject = 'unit' AND id = ?`).run(to, from);
    db.sql(`UPDATE OR IGNORE call_item SET id = ? WHERE subject = 'unit' AND id = ?`).run(to, from);
    for (const table of ['open_record', 'history'])
      db.sql(`UPDATE OR IGNORE ${table} SET id = ? WHERE subject = 'unit' AND id = ?`).run(to, from);
    db.sql(`UPDATE OR REPLACE pin SET id = ? WHERE subject = 'unit' AND id = ?`).run(to, from);
    db.sql(`DELETE FROM failure WHERE subject = 'unit' AND id IN (?, ?)`).run(from, to);
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
  for (let last = ''; ;) {
    const rows = page.all(last, AT_ONCE);
    for (const row of rows) {
      const sent = json<PersonPayload>(row, 'sent');
      if (!sent.positions.some(({ unit }) => ids.has(unit ?? ''))) continue;
      const positions = sent.positions
        .map((position) => ({ ...position, unit: ids.get(position.unit ?? '') ?? position.unit }))
        .toSorted((a, b) => ((a.unit ?? '') < (b.unit ?? '') ? -1 : 1));
      save.run(JSON.stringify({ ...sent, positions }), text(row, 'id'));
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = text(end, 'id');
  }
}
