import { hash, randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';

import { foldUsername } from '../../../domain/text/fold.ts';
import { Sealer } from '../../../lib/sealer.ts';
import { canonicalDn } from '../wire/dn.ts';

/** How a group names a member: by its DN, or by a value of its `uid`. */
export interface MemberRef {
  readonly kind: 'dn' | 'uid';
  readonly text: string;
}

/** Members that nobody was found for. */
export interface Nobodies {
  readonly count: number;
  /** The first few, as the groups name them. */
  readonly first: readonly string[];
}

const FIRST = 3;
const HASH_BYTES = 16;

const SCHEMA = `
  CREATE TABLE member (ref BLOB NOT NULL, grp INTEGER NOT NULL, text BLOB NOT NULL, seen INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE claim (ref BLOB NOT NULL);
`;

/**
 * Keeps who is a member of which group, in a file without a name that the system removes with the process: memory
 * stays flat. Members stand there as salted hashes, and their names encrypted.
 */
export class MemberStore {
  readonly #db = new Database('');
  readonly #salt = randomBytes(32).toString('hex');
  readonly #sealer = new Sealer();
  readonly #add: Database.Statement;
  readonly #find: Database.Statement;
  readonly #see: Database.Statement;
  readonly #claim: Database.Statement;
  readonly #kinds = new Set<MemberRef['kind']>();
  /** Folded values of `uid` that are members, and that several people have. */
  #shared: ReadonlySet<string> = new Set();

  constructor() {
    this.#db.pragma('journal_mode = OFF');
    this.#db.pragma('synchronous = OFF');
    this.#db.pragma('cache_size = -16384');
    this.#db.exec(SCHEMA);
    this.#add = this.#db.prepare('INSERT INTO member (ref, grp, text) VALUES (?, ?, ?)');
    this.#find = this.#db.prepare('SELECT DISTINCT grp FROM member WHERE ref = ? ORDER BY grp').pluck();
    this.#see = this.#db.prepare('UPDATE member SET seen = 1 WHERE ref = ? AND seen = 0');
    this.#claim = this.#db.prepare('INSERT INTO claim VALUES (?)');
  }

  /** Adds the members of a group. */
  add(group: number, refs: Iterable<MemberRef>): void {
    this.#db.transaction(() => {
      for (const ref of refs) {
        this.#kinds.add(ref.kind);
        this.#add.run(this.#hash(ref), group, this.#sealer.seal(ref.text));
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

  /** Notes that a member was found. */
  see(ref: MemberRef): void {
    this.#see.run(this.#hash(ref));
  }

  /** Makes what is noted until `end` one transaction: one for each member would take several times as long. */
  begin(): void {
    if (!this.#db.inTransaction) this.#db.exec('BEGIN');
  }

  end(): void {
    if (this.#db.inTransaction) this.#db.exec('COMMIT');
  }

  /** Notes who has these values of `uid`, as far as groups name them; `settle` compares them. */
  claim(uids: Iterable<readonly string[]>): void {
    this.#db.transaction(() => {
      for (const own of uids)
        for (const uid of new Set(own.map((text) => foldUsername(text)))) {
          const ref = { kind: 'uid', text: uid } as const;
          if (this.groupsOf(ref).length > 0) this.#claim.run(this.#hash(ref));
        }
    })();
  }

  settle(): void {
    const shared = this.#db.prepare('SELECT hex(ref) FROM claim GROUP BY ref HAVING count(*) > 1').pluck();
    this.#shared = new Set(shared.all() as string[]);
  }

  /** Returns whether several people have this `uid`, by which groups name one. */
  isShared(uid: string): boolean {
    if (this.#shared.size === 0) return false;
    return this.#shared.has(this.#hash({ kind: 'uid', text: uid }).toString('hex').toUpperCase());
  }

  /** Returns the number of memberships. */
  count(): number {
    return this.#db.prepare('SELECT count(*) FROM member').pluck().get() as number;
  }

  /** Returns how many members each group names that names any, by its number. */
  counts(): ReadonlyMap<number, number> {
    const rows = this.#db.prepare('SELECT grp, count(*) AS n FROM member GROUP BY grp').all();
    return new Map((rows as { readonly grp: number; readonly n: number }[]).map(({ grp, n }) => [grp, n]));
  }

  nobodies(): Nobodies {
    const count = this.#db.prepare('SELECT count(DISTINCT ref) FROM member WHERE seen = 0').pluck().get();
    return { count: count as number, first: this.unseen(FIRST) };
  }

  /** Returns names of members that nobody was found for, each once, at most so many, the first that were added. */
  unseen(atMost: number): readonly string[] {
    const texts = this.#db
      .prepare('SELECT text FROM member WHERE seen = 0 GROUP BY ref ORDER BY min(rowid) LIMIT ?')
      .pluck()
      .all(atMost) as Buffer[];
    return texts.map((text) => this.#sealer.open(text));
  }

  close(): void {
    this.#db.close();
  }

  #hash({ kind, text }: MemberRef): Buffer {
    const spelled = kind === 'dn' ? (canonicalDn(text) ?? text) : foldUsername(text);
    return hash('sha256', `${this.#salt} ${kind} ${spelled}`, 'buffer').subarray(0, HASH_BYTES);
  }
}
