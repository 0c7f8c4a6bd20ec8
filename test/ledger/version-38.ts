/** Makes a ledger of this version without accounts one of version 38, in which `employee` is the table of all accounts. */
export const VERSION_38 = `
  DROP TABLE history_page;
  DROP TABLE call_record;
  DROP VIEW employee;
  DROP TRIGGER person_shown;
  DROP TRIGGER person_accepted;
  DROP TRIGGER person_changed;
  DROP TRIGGER person_deleted;
  DROP TRIGGER account_saved;
  ALTER TABLE account RENAME TO employee;
  ALTER TABLE person DROP COLUMN is_shown;
  ALTER TABLE left_inside DROP COLUMN username_key;
  PRAGMA user_version = 38;`;
