/** Employee ids that the service did not know when it was asked for them one by one. */
export interface VanishedAccounts {
  /** Returns those of these that were not known at some time from `after` to `until`, ms. */
  among(
    employeeIds: readonly string[],
    times: { readonly after: number; readonly until: number },
  ): ReadonlySet<string>;
  /**
   * Returns since when the service has refused, with this status, to tell about an id, ms. One of the future was
   * counted by a wrong clock.
   */
  refusedSince(employeeId: string, status: number, now: number): number;
  /** Remembers what was asked for at `at`: `gone` were not known, `there` are, by the list or by their own record. */
  saw(seen: {
    readonly gone: readonly string[];
    readonly there: Iterable<string>;
    readonly at: number;
  }): void;
}
