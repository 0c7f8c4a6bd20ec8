import type { PersonChange } from '../../domain/changes.ts';
import type { Crowded, HeldPerson } from '../../domain/ports/ledger/plan-book.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { inPages, parsed, type Database } from '../database/database.ts';

const PAGE = 1_000;

interface CrowdRow {
  readonly base: string | null;
  readonly sent: string | null;
}

interface HeldRow extends CrowdRow {
  readonly bucket: string;
  readonly digest: string;
  readonly change: string;
  readonly state: string | null;
}

/** CROSS JOIN fixes the order: what is open has no index but its own. */
const HELD = `
  SELECT o.bucket, o.digest, c.change, p.state, p.brought_by AS base, p.sent
  FROM staging.counted o CROSS JOIN staging.change c ON c.seq = o.seq
    LEFT JOIN person p ON p.id = c.id AND p.state <> 'removed'
  WHERE o.is_open = 1 AND (o.bucket, o.digest) > (?, ?) AND c.subject = 'person' ORDER BY o.bucket, o.digest LIMIT ${PAGE}`;

const AT_WORK = `
  SELECT rowid AS n, brought_by AS base, sent FROM person
  WHERE rowid > ? AND state NOT IN ('disabled', 'removed') ORDER BY rowid LIMIT ${PAGE}`;

/** @param payload of somebody to whom nothing was sent yet */
function crowded({ base, sent }: CrowdRow, payload?: PersonPayload): Crowded {
  const { positions = [] } = parsed<PersonPayload>(sent) ?? payload ?? {};
  return { units: positions.flatMap(({ unit }) => unit ?? []), base };
}

/** See {@link PlanBook.heldPeople}. */
export function* heldPeople(db: Database): Iterable<HeldPerson> {
  const page = db.sql<HeldRow>(HELD);
  const keyOf = ({ bucket, digest }: HeldRow): readonly [string, string] => [bucket, digest];
  for (const row of inPages(['', ''], (last) => page.all(...last), keyOf)) {
    const { payload, fields, why } = JSON.parse(row.change) as PersonChange;
    yield {
      ...crowded(row, payload),
      bucket: row.bucket,
      isAtWork: row.state !== null && row.state !== 'disabled',
      fields: fields.map(({ field }) => field),
      why,
    };
  }
}

/** See {@link PlanBook.peopleAtWork}. */
export function* peopleAtWork(db: Database): Iterable<Crowded> {
  const page = db.sql<CrowdRow & { readonly n: number }>(AT_WORK);
  for (const row of inPages(
    0,
    (last) => page.all(last),
    ({ n }) => n,
  ))
    yield crowded(row);
}
