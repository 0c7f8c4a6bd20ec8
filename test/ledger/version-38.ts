const fieldsOf = (
  json: string,
): string => `json((SELECT json_group_object(f.value, json(${json} -> ('$[' || (f.key + 2) || ']')))
  FROM shown_names s, json_each(s.names) f WHERE s.n = ${json} ->> '$[0]'))`;

/** An account with all its names, of a column that has it packed. */
const unpacked = (json: string): string => `json_object('fields', ${fieldsOf(json)}, 'positions', json((
  SELECT json_group_array(json_object('orgId', place.value ->> '$[1]', 'fields', ${fieldsOf('place.value')}))
  FROM json_each(${json}, '$[1]') place)))`;

/** Makes a ledger of this version whose accounts have only fields and positions one of version 38, in which `employee` is the table of all accounts. */
export const VERSION_38 = `
  DROP TABLE history_page;
  DROP TABLE call_record;
  DROP TABLE place;
  DROP VIEW employee;
  DROP TRIGGER person_shown;
  DROP TRIGGER person_accepted;
  DROP TRIGGER person_changed;
  DROP TRIGGER person_deleted;
  DROP TRIGGER account_saved;
  INSERT INTO account SELECT username, username_key, employee_id, 0, accepted, created FROM person WHERE is_shown = 1;
  UPDATE account SET shown = ${unpacked('shown')};
  UPDATE person SET accepted = ${unpacked('accepted')} WHERE accepted IS NOT NULL;
  DROP TABLE shown_names;
  ALTER TABLE account RENAME TO employee;
  ALTER TABLE person DROP COLUMN is_shown;
  ALTER TABLE left_inside DROP COLUMN username_key;
  PRAGMA user_version = 38;`;
