import { hash, randomBytes } from 'node:crypto';

import type Database from 'better-sqlite3';

import { foldUsername } from '../../../domain/text/fold.ts';
import { temporaryDatabase } from '../../connect/temporary-database.ts';
import { canonicalDn } from '../wire/dn.ts';

/** How a group names a member: by its DN, or by a value of its `uid`. */
export interface MemberRef {
  readonly kind: 'dn' | 'uid';
  readonly text: string;
}

const HASH_BYTES = 16;

/** Keeps who is a member of which group, during one read. Members stand there as salted hashes. */
export class MemberStore {
  readonly #db = temporaryDatabase('CREATE TABLE member (ref BLOB NOT NULL, grp INTEGER NOT NULL)');
  readonly #salt = randomBytes(32).toString('hex');
  readonly #add: Database.Statement;
  readonly #find: Database.Statement;
  readonly #kinds = new Set<MemberRef['kind']>();
  /** The first member, as its group names it; empty: there is none. */
  example = '';

  constructor() {
    this.#add = this.#db.prepare('INSERT INTO member VALUES (?, ?)');
    this.#find = this.#db.prepare('SELECT DISTINCT grp FROM member WHERE ref = ? ORDER BY grp').pluck();
  }

  /** Adds the members of a group. */
  add(group: number, refs: Iterable<MemberRef>): void {
    this.#db.transaction(() => {
      for (const ref of refs) {
        this.#kinds.add(ref.kind);
        this.example ||= ref.text;
        this.#add.run(this.#hash(ref), group);
      }
    })();
  }

  /** Makes members be found quickly; once most of them are there. */
  index(): void {
    this.#db.exec('CREATE INDEX IF NOT EXISTS member_ref ON member (ref)');
  }

  /** Returns whether some member is named this way. */
  has(kind: MemberRef['kind']): boolean {
    return this.#kinds.has(kind);
  }

  /** Returns the numbers of the groups that name this member. */
  groupsOf(ref: MemberRef): readonly number[] {
    return this.#kinds.has(ref.kind) ? (this.#find.all(this.#hash(ref)) as number[]) : [];
  }

  /** Returns how many members each group names that names any, by its number. */
  counts(): ReadonlyMap<number, number> {
    const rows = this.#db.prepare('SELECT grp, count(*) FROM member GROUP BY grp').raw().all();
    return new Map(rows as (readonly [number, number])[]);
  }

  close(): void {
    this.#db.close();
  }

  #hash({ kind, text }: MemberRef): Buffer {
    const spelled = kind === 'dn' ? (canonicalDn(text) ?? text) : foldUsername(text);
    return hash('sha256', `${this.#salt} ${kind} ${spelled}`, 'buffer').subarray(0, HASH_BYTES);
  }
}
