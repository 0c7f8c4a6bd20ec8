/**
 * Events that stories do not hold out yet: units under other ids, names that steer a terminal, ids given again, a second
 * rollcall, a holder that sleeps (`CHAOS_MORE=1`). Without them a story is told as it was before they were thought of.
 */
export const MORE = process.env['CHAOS_MORE'] === '1';
