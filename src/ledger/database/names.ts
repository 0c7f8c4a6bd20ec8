/** Display name of a person as it was sent, as an SQL expression. */
export const SENT_NAME = `json_extract(person.sent, '$.fields.name')`;

/** The same for the person of a row of another table, as the column `name`. */
export const nameOf = (table: string, isPerson = `${table}.subject = 'person'`): string =>
  `(SELECT ${SENT_NAME} FROM person WHERE person.id = ${table}.id AND ${isPerson}) AS name`;

/** A row with the display name of its person, if any. */
export type Named<T> = T & { readonly name: string | null };

/** Leaves the name out of a row that has none. */
export function withName<T extends object>({
  name,
  ...row
}: Named<T>): Omit<Named<T>, 'name'> & { readonly name?: string } {
  return name === null ? row : { ...row, name };
}
