/** Statements of the plan book. `PlanBook` says what they answer, `staging-schema.ts` has the tables. */

/** Made when it is first needed: until then it would slow down each insert. */
export const CHANGE_ORDER = 'CREATE INDEX IF NOT EXISTS staging.change_order ON change (subject, id, seq)';

/**
 * Approved itself; or not listed when the same change was approved for another guard. Those that ask whose an account is
 * are always asked.
 */
export const IS_APPROVED = `(c.digest IN (SELECT digest FROM approval)
  OR (c.bucket NOT LIKE 'adopted %' AND c.bucket NOT LIKE 'usernameReuse %'
    AND c.digest NOT IN (SELECT digest FROM held_item) AND EXISTS (
    SELECT 1 FROM staging.counted o JOIN approval a ON a.digest = o.digest WHERE o.seq = c.seq)))`;

/** In the order of the plan; those of one change in the order of the guards. */
export const GATHER = `
  INSERT INTO staging.open (seq, bucket, digest)
    SELECT c.seq, c.bucket, c.digest FROM json_each(:buckets) b JOIN staging.counted c ON c.bucket = b.value
      JOIN staging.change p USING (seq)
    WHERE NOT ${IS_APPROVED} ORDER BY p.subject, p.id, c.seq, b.key`;

export const HOLD_OPEN = `
  UPDATE staging.change SET held = 1, hashes = o.hashes
  FROM (SELECT seq, json_group_array(DISTINCT hash) AS hashes FROM staging.open GROUP BY seq) o
  WHERE change.seq = o.seq;
  -- A unit that is taken over and then moved waits as a whole.
  UPDATE staging.change SET held = 1, hashes = o.hashes
  FROM (SELECT id, hashes FROM staging.change WHERE subject = 'unit' AND held = 1) o
  WHERE change.subject = 'unit' AND change.held = 0 AND change.id = o.id`;
