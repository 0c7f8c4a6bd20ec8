import type { PageQuery } from '../../domain/ports/ledger/queries.ts';
import { flag, text } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';

/** What there is to be looked up of a record. Most have nothing of most of it, and one statement says so of many. */
export interface Hints {
  /** In the ledger. */
  readonly known: boolean;
  readonly staged: boolean;
  readonly hasLeft: boolean;
  /** Listed as failing. */
  readonly failed: boolean;
  /** Our account has another username in the service. */
  readonly renamed: boolean;
  /** The rest is of its usernames, that of the account and that of the source: an employee has one of them. */
  readonly listed: boolean;
  readonly userDisabled: boolean;
  /** It cannot be told whose account it is. */
  readonly unclear: boolean;
  /** Somebody else in the ledger has it. */
  readonly owned: boolean;
  /** Another record of this read has it. */
  readonly claimed: boolean;
}

const NAMES = [
  'known',
  'staged',
  'hasLeft',
  'failed',
  'renamed',
  'listed',
  'userDisabled',
  'unclear',
  'owned',
  'claimed',
] as const satisfies readonly (keyof Hints)[];

const hintsBy = (has: (name: keyof Hints) => boolean): Hints =>
  Object.fromEntries(NAMES.map((name) => [name, has(name)])) as Record<keyof Hints, boolean>;

/** All of it is looked up. */
export const NO_HINTS: Hints = hintsBy(() => true);

const HAS_KEY = 'username_key IN (t.own, t.wanted)';

/** `own`: the folded username of the account that we know; `wanted`: that of the record. */
const PAGE = `
  WITH page AS (SELECT id FROM staging.todo WHERE id > :after ORDER BY id LIMIT :limit),
  t AS (
    SELECT page.id, p.username AS name, p.username_key AS own, d.username AS wanted_name, d.username_key AS wanted,
      p.id IS NOT NULL AS known, d.id IS NOT NULL AS staged
    FROM page LEFT JOIN person p ON p.id = page.id LEFT JOIN staging.person d ON d.id = page.id
  )
  SELECT t.id, known, staged,
    EXISTS (SELECT 1 FROM staging.has_left l WHERE l.id = t.id) AS hasLeft,
    EXISTS (SELECT 1 FROM failure f WHERE f.subject = 'person' AND f.id = t.id) AS failed,
    EXISTS (SELECT 1 FROM staging.renamed r WHERE r.id = t.id) AS renamed,
    EXISTS (SELECT 1 FROM employee WHERE ${HAS_KEY}) AS listed,
    EXISTS (SELECT 1 FROM disabled_user WHERE ${HAS_KEY}) AS userDisabled,
    EXISTS (SELECT 1 FROM staging.unclear u WHERE u.username IN (t.name, t.wanted_name)) AS unclear,
    EXISTS (SELECT 1 FROM person o WHERE o.${HAS_KEY} AND o.id <> t.id)
      OR EXISTS (SELECT 1 FROM staging.renamed r WHERE r.${HAS_KEY} AND r.id <> t.id) AS owned,
    EXISTS (SELECT 1 FROM staging.person c WHERE c.${HAS_KEY} AND c.id <> t.id)
      OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.${HAS_KEY} AND r.id IS NOT t.id) AS claimed
  FROM t ORDER BY t.id`;

/** Returns a page of the todo list: each id once, with its hints. */
export function hintedPage(db: Database, { after, limit }: PageQuery): ReadonlyMap<string, Hints> {
  const hints = new Map<string, Hints>();
  for (const row of db.sql(PAGE).all({ after, limit })) {
    const id = text(row, 'id');
    hints.set(id, hints.has(id) ? NO_HINTS : hintsOf(row));
  }
  return hints;
}

/** A record without any username of its own is looked up by one that cannot be used. */
function hintsOf(row: Row): Hints {
  return flag(row, 'known') || flag(row, 'staged') ? hintsBy((name) => flag(row, name)) : NO_HINTS;
}
