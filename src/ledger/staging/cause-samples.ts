import type { PersonChange } from '../../domain/changes.ts';
import type { CauseSamples, Individual } from '../../domain/ports/ledger/plan-book.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import {
  countOf,
  inPages,
  json,
  jsonOrNull,
  rowNumber,
  textOrNull,
  text,
  type Database,
  type Row,
} from '../database/database.ts';

const PAGE = 1_000;

/** CROSS JOIN fixes the order: what is open has no index but its own. */
const GATHER = `
  DELETE FROM staging.crowd;
  INSERT INTO staging.crowd
    SELECT c.id, min(c.seq), json_group_array(DISTINCT o.bucket) FROM staging.open o CROSS JOIN staging.change c ON c.seq = o.seq
    WHERE c.subject = 'person' GROUP BY c.id;
`;

/** `p`: the ledger's row; `k`, `c`: what is gathered of the person. */
const COLUMNS = 'p.id, p.username, p.state, p.brought_by, p.sent, k.buckets, c.change';
const GATHERED = 'LEFT JOIN staging.crowd k ON k.id = p.id LEFT JOIN staging.change c ON c.seq = k.seq';

/** People of the ledger, page by page. */
const KNOWN = `
  SELECT p.rowid AS n, ${COLUMNS} FROM person p ${GATHERED}
  WHERE p.rowid > ? AND p.state <> 'removed' ORDER BY p.rowid LIMIT ${PAGE}`;

/** People that are only in the plan. */
const NEW = `
  SELECT c.seq AS n, c.id, NULL AS username, NULL AS state, NULL AS brought_by, NULL AS sent, k.buckets, c.change
  FROM staging.change c LEFT JOIN staging.crowd k ON k.id = c.id
  WHERE c.seq > ? AND c.subject = 'person' AND ifnull(k.seq, c.seq) = c.seq
    AND NOT EXISTS (SELECT 1 FROM person p WHERE p.id = c.id AND p.state <> 'removed')
  ORDER BY c.seq LIMIT ${PAGE}`;

const SOME_IN = `
  SELECT c.id, p.username, p.state, p.brought_by, p.sent, k.buckets, c.change
  FROM staging.open o CROSS JOIN staging.change c ON c.seq = o.seq CROSS JOIN staging.crowd k ON k.id = c.id AND k.seq = c.seq
    LEFT JOIN person p ON p.id = c.id AND p.state <> 'removed'
  WHERE o.bucket = :bucket AND o.n % :step = 0 LIMIT :atMost`;

function individualOf(row: Row): Individual {
  const change = jsonOrNull<PersonChange>(row, 'change');
  const buckets = jsonOrNull<readonly string[]>(row, 'buckets') ?? [];
  const known = textOrNull(row, 'username');
  const payload = row['sent'] === null && change !== null ? change.payload : json<PersonPayload>(row, 'sent');
  return {
    id: text(row, 'id'),
    username: known ?? change?.username ?? '',
    payload,
    base: textOrNull(row, 'brought_by'),
    isDisabled: row['state'] === 'disabled',
    buckets,
    change: buckets.length === 0 ? null : change,
  };
}

/** See {@link PlanBook.causeSamples}. */
export function causeSamplesOf(db: Database, buckets: readonly string[], atMost: number): CauseSamples {
  db.transaction(() => db.exec(GATHER));
  const samples = new Map(buckets.map((bucket) => [bucket, someIn(db, bucket, atMost)]));
  return { samples, everybody: everybody(db) };
}

function someIn(db: Database, bucket: string, atMost: number): readonly Individual[] {
  const count = countOf(db, 'SELECT count(*) AS n FROM staging.open WHERE bucket = ?', bucket);
  const step = Math.max(1, Math.ceil(count / atMost));
  return db.sql(SOME_IN).all({ bucket, step, atMost }).map(individualOf);
}

function* everybody(db: Database): Iterable<Individual> {
  for (const people of [KNOWN, NEW])
    for (const row of inPages(0, (last) => db.sql(people).all(last), rowNumber)) yield individualOf(row);
}
