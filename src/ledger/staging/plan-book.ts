import type { Blocked, Change } from '../../domain/changes.ts';
import type {
  BucketCount,
  ChangeQuery,
  Crowded,
  HeldPerson,
  PlanBook,
  PlannedChange,
  SequencedChange,
  Open,
  OpenIn,
  PlanTotals,
  Which,
} from '../../domain/ports/ledger/plan-book.ts';
import type { Note } from '../../domain/ports/ledger/troubles.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { CountedDoubt, Doubt } from '../../domain/records/records.ts';
import { shortReason } from '../../domain/text/printable.ts';
import { inPages, textsOf, type Database } from '../database/database.ts';
import { heldPeople, peopleAtWork } from './crowds.ts';
import { SENT_NAME } from '../database/names.ts';
import { CHANGE_ORDER, GATHER, HOLD, IS_APPROVED } from './plan-book-sql.ts';

const PAGE = 1_000;

const WHICH = { all: 'true', held: 'held = 1', units: `subject = 'unit'` } as const satisfies Record<
  Which,
  string
>;

const TOTALS = `
  SELECT ifnull(sum(held = 1), 0) AS held, ifnull(sum(held = 0), 0) AS flowing,
    ifnull(sum(adopts AND subject = 'unit'), 0) AS unit, ifnull(sum(adopts AND subject = 'person'), 0) AS person
  , (SELECT count(*) FROM staging.blocked WHERE kind = 'blocked') AS blocked FROM staging.change`;

const COUNTS = `
  SELECT bucket, approved, n - approved AS open FROM (
    SELECT bucket, sum(${IS_APPROVED}) AS approved, count(*) AS n FROM staging.counted c GROUP BY bucket)
  ORDER BY bucket`;

/** Columns of what a run says of a record, and the display name of a person. */
export interface NoteRow extends Omit<Note, 'name' | 'goesOn'> {
  readonly goesOn: number;
  readonly name: string | null;
}

export const NOTE = 'subject, id, label, reason, goes_on AS goesOn, kind, hash';

export function blockedOf({ subject, id, label, reason, goesOn, name }: NoteRow): Blocked {
  const blocked = { subject, id, label, ...(name !== null && { name }), reason };
  return goesOn === 1 ? { ...blocked, goesOn: true } : blocked;
}

interface ChangeRow {
  readonly seq: number;
  readonly held: number;
  readonly hashes: string;
  readonly change: string;
}

const sequencedOf = ({ seq, held, hashes, change }: ChangeRow): SequencedChange => ({
  seq,
  isHeld: held === 1,
  goesOn: held === 0,
  hashes: JSON.parse(hashes) as readonly string[],
  change: JSON.parse(change) as Change,
});

interface InOrder {
  readonly subject: string;
  readonly id: string;
  readonly seq: number;
}

interface Digested {
  readonly digest: string;
}

/** The plan book in the staging file. `SqliteStaging` begins and ends that file. */
export class SqlitePlanBook implements PlanBook {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add({ change, label, digest, isAdoption, counted }: PlannedChange): void {
    this.#db
      .sql(
        `INSERT INTO staging.change (subject, kind, id, label, digest, adopts, cause, change)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        change.subject,
        change.kind,
        change.id,
        label,
        digest,
        Number(isAdoption),
        change.cause,
        JSON.stringify(change),
      );
    const count = this.#db.sql('INSERT OR IGNORE INTO staging.counted VALUES (last_insert_rowid(), ?, ?, 0)');
    for (const one of counted) count.run(one.bucket, one.digest);
  }

  note({ subject, id, label, reason, goesOn, kind = 'blocked', hash = null }: Blocked & Partial<Note>): void {
    const insert = this.#db.sql('INSERT INTO staging.blocked VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    const values = [shortReason(reason), Number(goesOn === true), kind, hash, foldUsername(label)];
    insert.run(subject, id, label, ...values);
  }

  blockedRecords(): readonly Blocked[] {
    const staged = `SELECT json_extract(d.payload, '$.fields.name') FROM staging.person d WHERE d.id = blocked.id
      ORDER BY d.username = blocked.label DESC LIMIT 1`;
    const sent = `SELECT ${SENT_NAME} FROM person WHERE person.id = blocked.id`;
    const blocked = `SELECT ${NOTE}, iif(subject = 'person', coalesce((${staged}), (${sent})), NULL) AS name
      FROM staging.blocked AS blocked WHERE kind = 'blocked' ORDER BY subject, id`;
    return this.#db.sql<NoteRow>(blocked).all().map(blockedOf);
  }

  blockedPeople(): readonly string[] {
    const people = `SELECT id FROM staging.blocked WHERE kind = 'blocked' AND subject = 'person' AND goes_on = 0`;
    return textsOf(this.#db.sql(people).all(), 'id');
  }

  *digests(): Iterable<string> {
    for (const { digest } of this.#inOrder<Digested>('digest')) yield digest;
  }

  *sequencedChanges(which: Which = 'all'): Iterable<SequencedChange> {
    for (const row of this.#inOrder<ChangeRow>('held, hashes, change', WHICH[which])) yield sequencedOf(row);
  }

  updatedFields({ subject, id }: Pick<Blocked, 'subject' | 'id'>): readonly string[] {
    this.#db.exec(CHANGE_ORDER);
    const fields = `SELECT f.value ->> '$.field' AS field FROM staging.change c, json_each(c.change, '$.fields') f
      WHERE c.subject = ? AND c.id = ? AND c.kind = 'update' AND c.held = 0`;
    return textsOf(this.#db.sql(fields).all(subject, id), 'field');
  }

  // By an index, each page would sort all that comes after it.
  changes({ subject, kinds, after, limit }: ChangeQuery): readonly SequencedChange[] {
    const rows = this.#db.sql<ChangeRow>(
      `SELECT seq, held, hashes, change FROM staging.change NOT INDEXED
       WHERE seq > ? AND held = 0 AND subject = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`,
    );
    return rows.all(after, subject, JSON.stringify(kinds), limit).map(sequencedOf);
  }

  totals(): PlanTotals {
    const none = { held: 0, flowing: 0, unit: 0, person: 0, blocked: 0 };
    const { unit, person, ...totals } = this.#db.sql<typeof none>(TOTALS).get() ?? none;
    return { ...totals, adopted: { unit, person } };
  }

  counts(): readonly BucketCount[] {
    return this.#db.sql<BucketCount>(COUNTS).all();
  }

  gatherOpen(buckets: readonly string[]): OpenIn {
    this.#db.exec('UPDATE staging.counted SET is_open = 0 WHERE is_open = 1');
    this.#db.sql(GATHER).run({ buckets: JSON.stringify(buckets) });
    return (...asked) => this.#openIn(...asked);
  }

  #openIn(...[bucket, atMost]: Parameters<OpenIn>): Open {
    const first = `SELECT p.label FROM staging.counted c JOIN staging.change p USING (seq)
      WHERE c.bucket = ? AND c.is_open = 1 ORDER BY p.subject, p.id, p.seq LIMIT ?`;
    return {
      first: this.#labels(first, bucket, atMost.first),
      digests: this.#openDigests(bucket),
      doubts: atMost.doubts === 0 ? [] : this.#doubts(bucket, atMost.doubts),
    };
  }

  *#openDigests(bucket: string): Iterable<string> {
    const page = this.#db.sql<Digested>(
      `SELECT digest FROM staging.counted WHERE bucket = ? AND is_open = 1 AND digest > ? ORDER BY digest LIMIT ${PAGE}`,
    );
    const digestOf = ({ digest }: Digested): string => digest;
    for (const row of inPages('', (last) => page.all(bucket, last), digestOf)) yield row.digest;
  }

  #doubts(bucket: string, atMost: number): readonly CountedDoubt[] {
    const rows = this.#db.sql<{ readonly doubt: string; readonly count: number }>(
      `SELECT json_extract(c.change, '$.doubt') AS doubt, count(*) AS count
       FROM staging.counted o CROSS JOIN staging.change c ON c.seq = o.seq WHERE o.bucket = ? AND o.is_open = 1 GROUP BY doubt
       ORDER BY count DESC, doubt LIMIT ?`,
    );
    return rows.all(bucket, atMost).map(({ doubt, count }) => ({ doubt: JSON.parse(doubt) as Doubt, count }));
  }

  heldPeople(): Iterable<HeldPerson> {
    return heldPeople(this.#db);
  }

  peopleAtWork(): Iterable<Crowded> {
    return peopleAtWork(this.#db);
  }

  hold(hashes: ReadonlyMap<string, string>): void {
    const hold = this.#db.sql(HOLD);
    for (const [bucket, hash] of hashes) hold.run({ bucket, hash });
  }

  revise(seq: number, to: Change | { readonly waitsFor: readonly string[] } | null): void {
    if (to === null)
      for (const table of ['change', 'counted'])
        this.#db.sql(`DELETE FROM staging.${table} WHERE seq = ?`).run(seq);
    else if ('waitsFor' in to)
      this.#db
        .sql('UPDATE staging.change SET held = 2, hashes = ? WHERE seq = ?')
        .run(JSON.stringify(to.waitsFor), seq);
    else
      this.#db
        .sql('UPDATE staging.change SET kind = ?, cause = ?, change = ? WHERE seq = ?')
        .run(to.kind, to.cause, JSON.stringify(to), seq);
  }

  keepOnly(seqs: readonly number[]): void {
    const wait = 'UPDATE staging.change SET held = 2 WHERE seq NOT IN (SELECT value FROM json_each(?))';
    this.#db.sql(wait).run(JSON.stringify(seqs));
  }

  #inOrder<R>(columns: string, condition = 'true'): Iterable<R & InOrder> {
    this.#db.exec(CHANGE_ORDER);
    const page = this.#db.sql<R & InOrder>(
      `SELECT subject, id, seq, ${columns} FROM staging.change
       WHERE (subject, id, seq) > (?, ?, ?) AND ${condition} ORDER BY subject, id, seq LIMIT ${PAGE}`,
    );
    return inPages<readonly [string, string, number], R & InOrder>(
      ['', '', 0],
      (last) => page.all(...last),
      ({ subject, id, seq }) => [subject, id, seq],
    );
  }

  #labels(sql: string, ...values: readonly (string | number)[]): readonly string[] {
    return textsOf(this.#db.sql(sql).all(...values), 'label');
  }
}
