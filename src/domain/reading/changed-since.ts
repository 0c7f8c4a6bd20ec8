/** Where a query has the time of the last read; `::changedSince` is a cast, and `a:changedSince` no name of ours. */
export const CHANGED_SINCE = /(?<![\w:]):changedSince\b/gu;

/** Returns whether the query asks since when. */
export const asksSince = (query: string): boolean => query.search(CHANGED_SINCE) >= 0;
