import type { PersonChange } from '../../domain/changes.ts';
import type { Crowded, HeldPerson } from '../../domain/ports/ledger/plan-book.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import {
  inPages,
  json,
  jsonOrNull,
  rowNumber,
  text,
  textOrNull,
  type Database,
  type Row,
} from '../database/database.ts';

const PAGE = 1_000;

/** CROSS JOIN fixes the order: what is open has no index but its own. */
const HELD = `
  SELECT o.bucket, o.digest, c.change, p.state, p.brought_by, p.sent
  FROM staging.counted o CROSS JOIN staging.change c ON c.seq = o.seq
    LEFT JOIN person p ON p.id = c.id AND p.state <> 'removed'
  WHERE o.is_open = 1 AND (o.bucket, o.digest) > (?, ?) AND c.subject = 'person' ORDER BY o.bucket, o.digest LIMIT ${PAGE}`;

const AT_WORK = `
  SELECT rowid AS n, brought_by, sent FROM person
  WHERE rowid > ? AND state NOT IN ('disabled', 'removed') ORDER BY rowid LIMIT ${PAGE}`;

function crowded(row: Row, { positions }: PersonPayload): Crowded {
  return { units: positions.flatMap(({ unit }) => unit ?? []), base: textOrNull(row, 'brought_by') };
}

const keyOf = (row: Row): readonly [string, string] => [text(row, 'bucket'), text(row, 'digest')];

/** See {@link PlanBook.heldPeople}. */
export function* heldPeople(db: Database): Iterable<HeldPerson> {
  for (const row of inPages(['', ''], (last) => db.sql(HELD).all(...last), keyOf)) {
    const { payload, fields, why } = json<PersonChange>(row, 'change');
    yield {
      ...crowded(row, jsonOrNull<PersonPayload>(row, 'sent') ?? payload),
      bucket: text(row, 'bucket'),
      isAtWork: row['state'] !== null && row['state'] !== 'disabled',
      fields: fields.map(({ field }) => field),
      why,
    };
  }
}

/** See {@link PlanBook.peopleAtWork}. */
export function* peopleAtWork(db: Database): Iterable<Crowded> {
  for (const row of inPages(0, (last) => db.sql(AT_WORK).all(last), rowNumber))
    yield crowded(row, json<PersonPayload>(row, 'sent'));
}
