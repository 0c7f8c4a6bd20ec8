/** What accounts showed right after they were made, in a form that no import takes. */
export interface NewAccounts {
  readonly of: number;
  /** Number of accounts, by name and elements. */
  readonly values: Readonly<Record<string, number>>;
}
