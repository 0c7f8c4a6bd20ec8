import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { PageQuery } from '../../domain/ports/ledger/view.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { flag, json, numberOrNull, textOrNull, text, type Database, type Row } from '../database/database.ts';
import { hasForgotten, isForgotten } from '../journal/name-hashes.ts';
import { isMarked, marked } from '../database/marks.ts';

/** What has to be looked up for a record. Most records need little of it, and one statement finds that out for many. */
export interface Hints {
  /** The person is in the ledger. */
  readonly known: boolean;
  readonly staged: boolean;
  readonly hasLeft: boolean;
  /** The person is listed as failing. */
  readonly failed: boolean;
  /** Our account has another username in the service. */
  readonly renamed: boolean;
  /**
   * An employee has one of the two usernames: that of the account, or that of the source. The fields below are about
   * these usernames too.
   */
  readonly listed: boolean;
  readonly userDisabled: boolean;
  /** It is unclear whose account the username is. */
  readonly unclear: boolean;
  /** Another person in the ledger has the username. */
  readonly owned: boolean;
  /** Another record of this read has the username. */
  readonly claimed: boolean;
}

/** The hints of a record, and the record itself if it was read along with them. */
export interface Hinted {
  readonly hints: Hints;
  readonly staged: StagedPerson | null;
}

const hintsBy = (has: (name: keyof Hints) => boolean): Hints => ({
  known: has('known'),
  staged: has('staged'),
  hasLeft: has('hasLeft'),
  failed: has('failed'),
  renamed: has('renamed'),
  listed: has('listed'),
  userDisabled: has('userDisabled'),
  unclear: has('unclear'),
  owned: has('owned'),
  claimed: has('claimed'),
});

/** Everything is looked up. */
export const NO_HINTS: Hints = hintsBy(() => true);

const HAS_KEY = 'username_key IN (t.own, t.wanted)';

/** `own`: the folded username of the account that we know; `wanted`: the folded username of the record. */
const PAGE = `
  WITH page AS (SELECT key AS id FROM ${marked('todo')} WHERE key > :after ORDER BY key LIMIT :limit),
  t AS (
    SELECT page.id, p.username AS name, p.username_key AS own, d.username AS wanted_name, d.username_key AS wanted,
      p.id IS NOT NULL AS known, d.id IS NOT NULL AS staged, d.active, d.hash, d.secret_hash, d.payload, d.problem
    FROM page LEFT JOIN person p ON p.id = page.id LEFT JOIN staging.person d ON d.id = page.id
  )
  SELECT t.id, known, staged, coalesce(t.wanted_name, t.name) AS username, active, hash, secret_hash, payload, problem,
    ${isMarked('hasLeft', 't.id')} AS hasLeft,
    EXISTS (SELECT 1 FROM failure f WHERE f.subject = 'person' AND f.id = t.id) AS failed,
    EXISTS (SELECT 1 FROM staging.renamed r WHERE r.id = t.id) AS renamed,
    EXISTS (SELECT 1 FROM employee WHERE ${HAS_KEY}) AS listed,
    EXISTS (SELECT 1 FROM disabled_user WHERE ${HAS_KEY}) AS userDisabled,
    EXISTS (SELECT 1 FROM ${marked('unclear')} u WHERE u.key IN (t.name, t.wanted_name)) AS unclear,
    EXISTS (SELECT 1 FROM person o WHERE o.${HAS_KEY} AND o.id <> t.id)
      OR EXISTS (SELECT 1 FROM staging.renamed r WHERE r.${HAS_KEY} AND r.id <> t.id) AS owned,
    EXISTS (SELECT 1 FROM staging.person c WHERE c.${HAS_KEY} AND c.id <> t.id)
      OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.${HAS_KEY} AND r.id IS NOT t.id) AS claimed
  FROM t ORDER BY t.id`;

/** Returns a page of the todo list: each id once, with its hints. */
export function hintedPage(db: Database, { after, limit }: PageQuery): ReadonlyMap<string, Hinted> {
  const hinted = new Map<string, Hinted>();
  const isAny = hasForgotten(db);
  const isOwned = (row: Row): boolean =>
    flag(row, 'owned') || (isAny && isForgotten(db, text(row, 'username')));
  for (const row of db.sql(PAGE).all({ after, limit })) {
    const id = text(row, 'id');
    hinted.set(id, hinted.has(id) ? { hints: NO_HINTS, staged: null } : hintedOf(row, isOwned));
  }
  return hinted;
}

/**
 * Returns the hints of a row. A record that is neither known nor staged has no username here, so everything is looked
 * up.
 */
function hintedOf(row: Row, isOwned: (row: Row) => boolean): Hinted {
  if (!flag(row, 'known') && !flag(row, 'staged')) return { hints: NO_HINTS, staged: null };
  const hints = hintsBy((name) => (name === 'owned' ? isOwned(row) : flag(row, name)));
  return { hints, staged: hints.staged ? stagedOf(row) : null };
}

export function stagedOf(row: Row): StagedPerson {
  const active = numberOrNull(row, 'active');
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    active: active === null ? null : active === 1,
    hash: text(row, 'hash'),
    secretHash: textOrNull(row, 'secret_hash'),
    payload: json<PersonPayload>(row, 'payload'),
    problem: textOrNull(row, 'problem'),
  };
}
