const SHOWN_TEXTS = `SELECT shown FROM account UNION ALL SELECT accepted FROM person WHERE accepted IS NOT NULL`;

/** The number of the names of the fields of an account or a position, JSON. */
const namesOf = (json: string): string =>
  `(SELECT n FROM shown_names WHERE names = (SELECT json_group_array(key) FROM json_each(${json}, '$.fields')))`;

/** Selects the values of the fields of an account or a position, JSON each. */
const valuesOf = (json: string): string =>
  `SELECT ${json} -> f.fullkey FROM json_each(${json}, '$.fields') f`;

/** An account as `shownText` has it, of a column that has it with all names. */
const packed = (json: string): string => `(SELECT json_group_array(json(value)) FROM (
  SELECT ${namesOf(json)} AS value
  UNION ALL SELECT (SELECT json_group_array(json((SELECT json_group_array(json(value)) FROM (
      SELECT ${namesOf('place.value')} AS value
      UNION ALL SELECT place.value -> '$.orgId'
      UNION ALL ${valuesOf('place.value')})))) FROM json_each(${json}, '$.positions') place)
  UNION ALL ${valuesOf(json)}
  UNION ALL SELECT json_remove(${json}, '$.fields', '$.positions')
    WHERE json_remove(${json}, '$.fields', '$.positions') <> '{}'))`;

/**
 * Migration: names of fields once for all accounts, see `shownText`. The triggers take each account out of the row of its
 * person, and back when both are rewritten.
 */
export const PACK_SHOWN = `
  CREATE TABLE shown_names (n INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
  UPDATE person SET accepted = accepted || ' ' WHERE accepted IS NOT NULL;
  INSERT OR IGNORE INTO shown_names (names)
    SELECT (SELECT json_group_array(key) FROM json_each(shown, '$.fields')) FROM (${SHOWN_TEXTS})
    UNION SELECT (SELECT json_group_array(key) FROM json_each(place.value, '$.fields'))
      FROM (${SHOWN_TEXTS}), json_each(shown, '$.positions') place;
  UPDATE account SET shown = ${packed('shown')};
  UPDATE person SET accepted = ${packed('accepted')} WHERE accepted IS NOT NULL;
`;
