/** Statements of the plan book. `PlanBook` says what they answer, `staging-schema.ts` has the tables. */

/** Made when it is first needed: until then it would slow down each insert. */
export const CHANGE_ORDER = 'CREATE INDEX IF NOT EXISTS staging.change_order ON change (subject, id, seq)';

export const IS_APPROVED = 'c.digest IN (SELECT digest FROM approval)';

/** The same change also empties something that is neither approved nor held. */
const GOES_ON = `EXISTS (
  SELECT 1 FROM staging.counted e
  WHERE e.seq = c.seq AND e.role = 'empties' AND e.digest NOT IN (SELECT digest FROM approval)
    AND NOT EXISTS (SELECT 1 FROM staging.counted h WHERE h.seq = e.seq AND h.digest = e.digest
      AND h.bucket IN (SELECT value FROM json_each(:emptied))))`;

export const COUNTS = `(c.role <> 'answered' OR (:emptied IS NOT NULL AND ${GOES_ON}))`;

export const GATHER = `
  INSERT INTO staging.open (seq, bucket, role, digest)
    SELECT c.seq, c.bucket, c.role, c.digest FROM staging.counted c JOIN staging.change p USING (seq)
    WHERE c.bucket IN (SELECT value FROM json_each(:buckets)) AND NOT ${IS_APPROVED} AND ${COUNTS}
    ORDER BY c.role = 'answered', p.subject, p.id, c.seq`;

/** Changes that are held as a whole: nothing of them is left to apply. */
export const HOLD_OPEN = `
  UPDATE staging.change SET held = 1, hashes = o.hashes
  FROM (SELECT seq, json_group_array(DISTINCT hash) AS hashes, max(role = 'empties') AS empties
        FROM staging.open GROUP BY seq) o
  WHERE change.seq = o.seq AND o.empties = 0`;

export const HOLD_CAUSED = `
  WITH causes AS (
    SELECT ifnull(c.cause, c.id) AS id, json_group_array(DISTINCT h.value) AS hashes
    FROM staging.change c, json_each(c.hashes) h WHERE c.held = 1 AND c.subject = 'unit' AND c.kind = 'move' GROUP BY 1)
  UPDATE staging.change SET held = 1, hashes = (SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(change.hashes) UNION SELECT value FROM json_each(causes.hashes)))
  FROM causes
  WHERE change.cause = causes.id OR (change.subject = 'unit' AND change.kind = 'move' AND change.id = causes.id)`;
