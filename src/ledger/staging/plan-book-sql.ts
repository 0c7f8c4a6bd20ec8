/** Statements of the plan book. `PlanBook` says what they answer, `staging-schema.ts` has the tables. */

/** Made when it is first needed: until then it would slow down each insert. */
export const CHANGE_ORDER = 'CREATE INDEX IF NOT EXISTS staging.change_order ON change (subject, id, seq)';

const isNamed = (kinds: string, digest: string): string =>
  `EXISTS (SELECT 1 FROM approval a WHERE a.kind IN (${kinds}) AND a.digest = ${digest})`;

/**
 * Approved itself; or not listed when the same change was approved for another guard. Those that ask whose an account is
 * are always asked.
 */
export const IS_APPROVED = `(${isNamed(`'given'`, 'c.digest')}
  OR (c.bucket NOT LIKE 'adopted %' AND c.bucket NOT LIKE 'usernameReuse %'
    AND NOT ${isNamed(`'listed', 'shown'`, 'c.digest')} AND EXISTS (
    SELECT 1 FROM staging.counted o WHERE o.seq = c.seq AND ${isNamed(`'given'`, 'o.digest')})))`;

export const GATHER = `
  UPDATE staging.counted AS c SET is_open = 1
  WHERE c.bucket IN (SELECT value FROM json_each(:buckets)) AND NOT ${IS_APPROVED}`;

export const HOLD = `
  UPDATE staging.change SET held = 1, hashes = json_insert(hashes, '$[#]', :hash)
  WHERE seq IN (SELECT seq FROM staging.counted WHERE bucket = :bucket AND is_open = 1)
    AND NOT EXISTS (SELECT 1 FROM json_each(hashes) WHERE value = :hash)`;
