/** What accounts showed right after they were made, of what no import takes in that form. */
export interface NewAccounts {
  readonly of: number;
  /** On how many, by name and elements. */
  readonly values: Readonly<Record<string, number>>;
}
