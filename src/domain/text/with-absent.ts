/** Returns a reason with the names that have no value any more. */
export const withAbsent = (why: string, absent: readonly string[]): string =>
  absent.length === 0 ? why : `${why}: absent now, and there before: ${absent.join(', ')}`;
