import { SourceError } from '../../../domain/errors.ts';
import { firstValue, type Cell } from '../../mapping/values/raw-record.ts';
import type { SqlConnection } from '../sql-connection.ts';
import { ENGINE_WORDS } from './engine-words.ts';

/** What a database has told of itself at the beginning of a read. */
export interface DatabaseClock {
  /** Time as UTC, `2026-01-31 12:30:00.000`. */
  readonly utc: string;
  /** The earlier one of UTC and the server's wall clock: in which of them a column is written nobody can tell. */
  readonly earliest: string;
  /** How far the wall clock is ahead of UTC, seconds. */
  readonly aheadSeconds: number;
  /** Tells this database from another one that was put in its place. */
  readonly place: string;
  /** Never gets smaller in this database; `null`: it tells nothing of that kind. */
  readonly step: number | null;
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}$/u;

/** Reads the clock. Called before anything else of a read. */
export async function readClock(connection: SqlConnection): Promise<DatabaseClock> {
  const [utc, wall, place, step] = await oneRow(connection, ENGINE_WORDS[connection.type].clock);
  const [atUtc, onWall] = [timeOf(utc), timeOf(wall ?? utc)];
  const file = connection.file?.();
  const told = firstValue(step);
  return {
    utc: atUtc,
    earliest: onWall < atUtc ? onWall : atUtc,
    aheadSeconds: Math.round((millisecondsOf(onWall) - millisecondsOf(atUtc)) / 1_000),
    place: file?.place ?? firstValue(place) ?? '',
    step: file?.step ?? (told === undefined ? null : Number(told)),
  };
}

function timeOf(cell: Cell | undefined): string {
  const time = firstValue(cell) ?? '';
  if (TIME.test(time)) return time;
  throw new SourceError(`the database tells no time, but ${time}; set source.changes: off`);
}

async function oneRow(connection: SqlConnection, query: string): Promise<readonly Cell[]> {
  let row: readonly Cell[] = [];
  for await (const rows of connection.rows(query, (columns) => [...columns.keys()])) row = rows[0] ?? row;
  return row;
}

/** Returns why nothing can be added to what was read at an earlier time; `null`: it can. */
export function whyRestored(before: DatabaseClock, now: DatabaseClock): string | null {
  if (before.place !== now.place) return 'the database is another one, or was restored';
  if (now.utc < before.utc) return 'the clock of the database is behind what it was at the last read';
  if (before.aheadSeconds !== now.aheadSeconds)
    return 'summer time began or ended where the database is since the last read, or its zone changed';
  const isBack = before.step !== null && now.step !== null && now.step < before.step;
  return isBack ? 'the database was set back to an earlier state' : null;
}

const millisecondsOf = (time: string): number => Date.parse(`${time.slice(0, 23).replace(' ', 'T')}Z`);

/** Returns the time so many seconds before. */
export function secondsBefore(time: string, seconds: number): string {
  const at = millisecondsOf(time) - seconds * 1_000;
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ');
}
