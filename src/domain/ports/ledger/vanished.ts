/** Employee ids that the service did not know when asked for them one by one. */
export interface VanishedAccounts {
  /** Returns those of the ids that were not known at some time from `after` to `until`, ms. */
  among(
    employeeIds: readonly string[],
    times: { readonly after: number; readonly until: number },
  ): ReadonlySet<string>;
  /**
   * Returns since when, ms, the service has refused with this status to tell about an id. A time in the
   * future was counted by a wrong clock.
   */
  refusedSince(employeeId: string, status: number, now: number): number;
  /**
   * Remembers ids that were asked for at `at`: `gone` were not known; `there` are known, by the list or by
   * their own record.
   */
  saw(seen: {
    readonly gone: readonly string[];
    readonly there: Iterable<string>;
    readonly at: number;
  }): void;
}
