import type { Pin, PinnedPerson, PinnedUnit, Pins, Wanted } from '../../domain/records/pin.ts';
import { json, number, text, type Database, type Row } from '../database/database.ts';

const SET = `
  INSERT OR REPLACE INTO pin (subject, id, label, run, wanted, at, ms) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const ACTIVE = 'SELECT * FROM pin WHERE at + ms > ? ORDER BY subject, id';

function pinOf(row: Row): Pin {
  const base = {
    id: text(row, 'id'),
    label: text(row, 'label'),
    run: text(row, 'run'),
    until: number(row, 'at') + number(row, 'ms'),
  };
  return text(row, 'subject') === 'unit'
    ? { ...base, subject: 'unit', wanted: json<PinnedUnit>(row, 'wanted') }
    : { ...base, subject: 'person', wanted: json<PinnedPerson>(row, 'wanted') };
}

export function pinsTable(db: Database): Pins {
  return {
    active: (now) => db.sql(ACTIVE).all(now).map(pinOf),
    set: ({ subject, id, label, run, wanted }: Wanted, { at, ms }) =>
      db.sql(SET).run(subject, id, label, run, JSON.stringify(wanted), at, ms),
    release: (subject, id) => db.sql('DELETE FROM pin WHERE subject = ? AND id = ?').run(subject, id),
  };
}
