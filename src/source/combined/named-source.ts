import { ConfigError, SourceError } from '../../domain/errors.ts';
import type { Readings } from '../../domain/reading/source.ts';
import type { RowsRead, RowsSource } from '../records/rows-read.ts';

/** Keys that errors name: where there are several sources, all but the parts stand below the name of theirs. */
const OF_ONE_SOURCE = /\bsource\.(?!(?:units|people|positions)\b)(?=[a-z])/gu;

/** Opens the source of this name; its errors say which of the sources is meant, now and whenever it is read. */
export function namedSource(name: string | null, open: () => RowsSource): RowsSource {
  if (name === null) return open();
  const source = orNamed(name, open);
  return {
    ...source,
    open: async (signal) => namedRead(name, await eventually(name, source.open(signal))),
    find: async (...asked) => eventually(name, source.find(...asked)),
    findPositions: async (...asked) => eventually(name, source.findPositions(...asked)),
  };
}

function namedRead(name: string, read: RowsRead): RowsRead {
  return {
    units: () => readings(name, read.units()),
    people: (recognition) => readings(name, read.people(recognition)),
    positions: () => readings(name, read.positions()),
    rows: () => readings(name, read.rows()),
    expect: (groups) => read.expect(groups),
    evidence: () => read.evidence(),
    marks: async () => eventually(name, read.marks()),
    mayChange: async () => eventually(name, read.mayChange()),
    close: async () => read.close(),
  };
}

async function* readings<T>(name: string, all: Readings<T>): Readings<T> {
  try {
    yield* all;
  } catch (error) {
    throw withName(error, name);
  }
}

function orNamed<T>(name: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw withName(error, name);
  }
}

async function eventually<T>(name: string, promised: Promise<T>): Promise<T> {
  try {
    return await promised;
  } catch (error) {
    throw withName(error, name);
  }
}

function withName(error: unknown, name: string): unknown {
  if (error instanceof ConfigError) return new ConfigError(placed(error.message, name), { cause: error });
  if (!(error instanceof SourceError)) return error;
  const { isPassing } = error;
  return new SourceError(placed(error.message, name), { cause: error, isPassing });
}

/** Returns the sentence with its keys as they stand in the file. */
const placed = (message: string, name: string): string =>
  message.replaceAll(OF_ONE_SOURCE, `sources.${name}.`);
