/** Statements of the plan book. `PlanBook` says what they answer, `staging-schema.ts` has the tables. */

export const IS_APPROVED = 'c.digest IN (SELECT digest FROM approval)';

/** The same change also empties something that is neither approved nor held. */
const GOES_ON = `EXISTS (
  SELECT 1 FROM staging.counted e
  WHERE e.seq = c.seq AND e.part = c.part AND e.role = 'empties' AND e.digest NOT IN (SELECT digest FROM approval)
    AND e.bucket NOT IN (SELECT value FROM json_each(:emptied)))`;

export const COUNTS = `(c.role <> 'answered' OR (:emptied IS NOT NULL AND ${GOES_ON}))`;

export const GATHER = `
  INSERT INTO staging.open (seq, part, bucket, role, digest, label)
    SELECT c.seq, c.part, c.bucket, c.role, c.digest, c.label FROM staging.counted c JOIN staging.change p USING (seq)
    WHERE c.bucket IN (SELECT value FROM json_each(:buckets)) AND NOT ${IS_APPROVED} AND ${COUNTS}
    ORDER BY c.role = 'answered', p.subject, p.id, c.seq, c.part`;

/** Changes that are held as a whole: nothing of them is left to apply, and nothing happens instead. */
export const HOLD_OPEN = `
  UPDATE staging.change SET held = 1
  WHERE parts = 1 AND seq IN (SELECT seq FROM staging.open WHERE role <> 'empties')`;

export const HOLD_CAUSED = `
  WITH causes AS (SELECT ifnull(cause, id) FROM staging.change WHERE held = 1 AND subject = 'unit' AND kind = 'move')
  UPDATE staging.change SET held = 1
  WHERE cause IN causes OR (subject = 'unit' AND kind = 'move' AND id IN causes)`;
