import { rmSync } from 'node:fs';
import type {
  KnownPerson,
  StagedNote,
  SeenAs,
  StagedCounts,
  CompleteRead,
  Misfits,
  SourceStage,
  StagedPerson,
  Standing,
} from '../../domain/ports/ledger/source-stage.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { PositionRow, Print } from '../../domain/records/records.ts';
import { foldUsername, looseId } from '../../domain/text/fold.ts';
import { countOf, textsOf, type Database, type Statement } from '../database/database.ts';
import { pinStaged } from './pin-staged.ts';
import { setFact } from '../database/facts.ts';
import { again, KEEP_RECORDS, misfits, standing, unread } from './key-records.ts';
import { keepProtected } from './keep-protected.ts';
import { jsonOf, losses, note, refusals } from './refusals.ts';
import {
  FIND_DUPLICATES,
  FIND_LEAVERS,
  HERE,
  KEEP_BROUGHT_BY,
  KEEP_PRINTS,
  MARK_RECOGNIZED,
  MATCH_NAMELESS,
  RECOGNIZED,
  SETTLE_DOUBTED_ROWS,
  STAGING_INDEXES,
  STAGING_SCHEMA,
} from './staging-schema.ts';
import { Sealer } from '../../lib/sealer.ts';
import { marked, markOne } from '../database/marks.ts';

/** A person who is listed as left inside is compared even if the record is as it was sent. */
const KNOWN = `SELECT rowid AS row, hash, open OR EXISTS (SELECT 1 FROM left_inside b WHERE b.id = person.id) AS open
  FROM person WHERE id = ?`;

/** Notes the groups that may hide people who are missing for the first time. */
const MISSED_BY = `
  UPDATE person SET missed_by = ? WHERE state = 'managed' AND misses = 0 AND missed_by IS NULL AND NOT ${HERE}`;

/** A tenth of a second, if all of them have other prints. */
const PRINTS_AT_ONCE = 20_000;

/**
 * Staging in a file of its own next to the ledger, attached to the same connection. It needs no durability,
 * and the differences are joins. The file is removed at the end. A file that a killed run did not remove is
 * removed at the next beginning. Whoever writes more than one thing does so in a transaction.
 */
export class SqliteStaging implements SourceStage {
  readonly #db: Database;
  readonly #file: string;
  readonly #sealer = new Sealer();
  readonly #known: Statement<Omit<KnownPerson, 'open'> & { readonly open: number }>;
  readonly #recognized: Statement;
  #attached = false;
  #positionsIndexed = false;
  #nearFilled = false;

  constructor(db: Database) {
    this.#db = db;
    this.#file = `${db.path}.staging`;
    this.#known = db.sql(KNOWN);
    this.#recognized = db.sql(`SELECT p.print ${RECOGNIZED}`);
  }

  begin(): void {
    this.end();
    this.#db.sql('ATTACH ? AS staging').run(this.#file);
    for (const setting of ['journal_mode = MEMORY', 'synchronous = OFF', 'cache_size = -2000'])
      this.#db.pragma(`staging.${setting}`);
    this.#attached = true;
    this.#db.exec(STAGING_SCHEMA);
  }

  known(id: string): KnownPerson | undefined {
    const known = this.#known.get(id);
    return known === undefined ? undefined : { row: known.row, hash: known.hash, open: known.open === 1 };
  }

  near(id: string): string | null {
    if (!this.#nearFilled) this.#fillNear();
    const near = `SELECT note FROM ${marked('nearId')} WHERE key = ?`;
    return this.#db.sql<{ readonly note: string }>(near).get(looseId(id))?.note ?? null;
  }

  /** Done for the first row that names no known person. Most sources have no such row. */
  #fillNear(): void {
    const add = this.#db.sql(markOne('nearId'));
    const page = this.#db.sql('SELECT id FROM person WHERE id > ? ORDER BY id LIMIT 1000');
    for (let ids: readonly string[] = ['']; ids.length > 0;) {
      ids = textsOf(page.all(ids.at(-1) ?? ''), 'id');
      this.#db.transaction(() => {
        for (const id of ids) add.run(looseId(id), id);
      });
    }
    this.#nearFilled = true;
  }

  recognize(prints: readonly (Print | null)[]): readonly boolean[] {
    const all = JSON.stringify(prints);
    const count = this.#db.sql(MARK_RECOGNIZED).changes(all);
    if (count === prints.length) return prints.map(() => true);
    if (count === 0) return prints.map(() => false);
    const known = new Set(this.#recognized.all(all).map((row) => row['print']));
    return prints.map((print) => known.has(print));
  }

  seen(row: number, { print, has, broughtBy }: SeenAs): void {
    const insert = this.#db.sql('INSERT OR IGNORE INTO staging.seen VALUES (?, ?, ?, ?)');
    insert.run(row, print, broughtBy ?? null, jsonOf(has));
  }

  person(person: StagedPerson, secrets: Fields): void {
    const hidden = Object.keys(secrets).length === 0 ? null : JSON.stringify(secrets);
    const [sealed, mark] =
      hidden === null ? [null, null] : [this.#sealer.seal(hidden), this.#sealer.mark(hidden)];
    const active = person.active === null ? null : Number(person.active);
    const { id, username, hash, secretHash, problem, print = null, broughtBy = null } = person;
    const insert = this.#db.sql(
      `INSERT INTO staging.person VALUES (
        NULL, :id, :username, :key, :active, :hash, :secretHash, :payload, :problem, :sealed, :print, :has,
        :broughtBy, :mark)`,
    );
    const key = foldUsername(username);
    const [payload, has] = [JSON.stringify(person.payload), jsonOf(person.has ?? null)];
    const read = { id, username, key, active, hash, secretHash, payload, problem };
    insert.run({ sealed, print, has, broughtBy, mark, ...read });
  }

  note(noted: StagedNote): void {
    note(this.#db, noted);
  }

  pin(people: readonly StagedPerson[]): void {
    this.#db.transaction(() => pinStaged(this.#db, people));
  }

  again(atMost: number): ReturnType<SourceStage['again']> {
    return again(this.#db, atMost);
  }

  unread(atMost: number): ReturnType<SourceStage['unread']> {
    return unread(this.#db, atMost);
  }

  misfits(asked: Parameters<SourceStage['misfits']>[0]): Misfits {
    return misfits(this.#db, asked);
  }

  standing(): Standing {
    return standing(this.#db);
  }

  positionsOf(person: string): readonly PositionRow[] {
    if (!this.#positionsIndexed) this.#indexPositions();
    const rows = this.#db.sql<{ readonly row: string }>('SELECT row FROM staging.position WHERE person = ?');
    return rows.all(person).map(({ row }) => JSON.parse(row) as PositionRow);
  }

  *finish(): Iterator<void, StagedCounts> {
    for (const step of [
      STAGING_INDEXES + MATCH_NAMELESS + SETTLE_DOUBTED_ROWS,
      FIND_DUPLICATES + FIND_LEAVERS,
    ]) {
      this.#db.transaction(() => this.#db.exec(step));
      yield;
    }
    return this.#counts();
  }

  *keep({ protectRule, emptied, increments }: CompleteRead): Iterator<void> {
    const last = countOf(this.#db, 'SELECT coalesce(max(person), 0) AS n FROM staging.seen');
    for (let from = 1; from <= last; from += PRINTS_AT_ONCE) {
      this.#db.sql(KEEP_PRINTS).run({ from, to: from + PRINTS_AT_ONCE - 1 });
      yield;
    }
    this.#db.transaction(() => {
      keepProtected(this.#db, protectRule);
      if (emptied !== null) this.#db.sql(MISSED_BY).run(emptied);
      this.#db.exec(KEEP_BROUGHT_BY);
      if (increments === undefined) return;
      this.#db.exec(KEEP_RECORDS[increments.records]);
      setFact(this.#db, 'increments', increments.fact);
    });
  }

  secretsOf(id: string): Fields {
    const sealed = this.#db
      .sql('SELECT secrets FROM staging.person WHERE id = ? AND secrets IS NOT NULL')
      .get(id)?.['secrets'];
    return Buffer.isBuffer(sealed) ? (JSON.parse(this.#sealer.open(sealed)) as Fields) : {};
  }

  namesLostUnit(person: string): boolean {
    const lost = "SELECT 1 FROM staging.loss WHERE subject = 'person' AND id = ? AND field = 'positions'";
    return this.#db.sql(lost).get(person) !== undefined;
  }

  bad(): ReturnType<SourceStage['bad']> {
    return { refusals: refusals(this.#db), losses: losses(this.#db) };
  }

  #counts(): StagedCounts {
    const of = (table: string): number => countOf(this.#db, `SELECT count(*) AS n FROM staging.${table}`);
    return { seen: of('seen'), staged: of('person'), refused: of('refused'), positions: of('position') };
  }

  end(): void {
    this.#positionsIndexed = false;
    this.#nearFilled = false;
    if (this.#attached) this.#db.exec('DETACH staging');
    this.#attached = false;
    for (const suffix of ['', '-kept', '-journal', '-wal', '-shm'])
      rmSync(this.#file + suffix, { force: true });
  }

  #indexPositions(): void {
    this.#db.exec('CREATE INDEX staging.position_person ON position (person)');
    this.#positionsIndexed = true;
  }
}
