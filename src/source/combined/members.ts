import { ConfigError, SourceError } from '../../domain/errors.ts';
import type { Person, Position, PositionRow, Reading, Refusal, Unit } from '../../domain/records/records.ts';
import type { SourceSettings, MemberSettings, OneSource } from '../../domain/source-settings.ts';
import { Join } from './join.ts';
import type { RowsRead, RowsSource, SourceContext } from '../records/source-context.ts';

/** Opens one directory or database, whose rules are compiled; nothing is contacted. */
export type OpenOne = (settings: OneSource, context: SourceContext) => RowsSource;

/** A join and the source that its partners come from. */
export interface Joined {
  readonly join: Join;
  readonly partner: RowsSource;
  /** What decides about partners, to be compared. */
  readonly text: string;
}

/** One of several sources. */
export interface Member extends Prefixes {
  readonly name: string | null;
  readonly source: RowsSource;
  /** Parts that it has: each has to bring something. */
  readonly has: { readonly units: boolean; readonly people: boolean; readonly positions: boolean };
  readonly joins: readonly Joined[];
}

export function membersOf(
  { members }: SourceSettings,
  openOne: OpenOne,
  context: SourceContext,
): readonly Member[] {
  // A source may be several members: one for each list of people.
  const withUnits = new Set(
    members.flatMap(({ name, source }) => (source.units === undefined ? [] : [name])),
  );
  return members.map((settings) => {
    // People of a source without units name those of another one, with its prefix.
    const unitPrefix = withUnits.has(settings.name) ? settings.idPrefix : '';
    return { ...memberOf(settings, openOne, context), unitPrefix };
  });
}

function memberOf(
  { name, idPrefix, source: settings, joins: wanted }: MemberSettings,
  openOne: OpenOne,
  context: SourceContext,
): Omit<Member, 'unitPrefix'> {
  const joins = wanted.map((join) => new Join(join));
  const joined: SourceContext['joined'] = (people) =>
    joins.reduce((inner, join) => join.joined(inner), people);
  const source = namedSource(name, () =>
    openOne(settings, joins.length === 0 ? context : { ...context, joined }),
  );
  const { units, people } = settings;
  const hasPositions = 'positions' in settings && settings.positions !== undefined;
  return {
    name,
    idPrefix,
    source,
    has: { units: units !== undefined, people: people !== undefined, positions: hasPositions },
    joins: joins.map((join) => joinedOf(join, openOne, context)),
  };
}

function joinedOf(join: Join, openOne: OpenOne, context: SourceContext): Joined {
  const { from, on, missing, partner } = join.settings;
  const settings = partner(join.wanted);
  const { rows } = settings;
  return {
    join,
    partner: namedSource(from, () => openOne(settings, context)),
    text: JSON.stringify([from, on, missing, rows]),
  };
}

/** Keys that errors name: if there are several sources, all but the parts stand below the name of theirs. */
const OF_ONE_SOURCE = /\bsource\.(?!(?:units|people|positions)\b)(?=[a-z])/gu;

/** Opens the source of this name; its errors say which of the sources is meant, now and whenever it is read. */
function namedSource(name: string | null, open: () => RowsSource): RowsSource {
  if (name === null) return open();
  try {
    return naming(name, open());
  } catch (error) {
    throw withName(error, name);
  }
}

/** Returns the same object, which names the source in whatever its methods throw, then or while it is read. */
function naming<T extends object>(name: string, object: T): T {
  return new Proxy(object, {
    get(own, key): unknown {
      const value: unknown = Reflect.get(own, key, own);
      if (typeof value !== 'function') return value;
      return (...asked: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, own, asked);
        if (answer instanceof Promise) return eventually(name, answer);
        return isStream(answer) ? streamed(name, answer) : answer;
      };
    },
  });
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function* streamed(name: string, all: AsyncIterable<unknown>): AsyncIterable<unknown> {
  try {
    yield* all;
  } catch (error) {
    throw withName(error, name);
  }
}

async function eventually(name: string, promised: Promise<unknown>): Promise<unknown> {
  try {
    const value = await promised;
    return isRead(value) ? naming(name, value) : value;
  } catch (error) {
    throw withName(error, name);
  }
}

const isRead = (value: unknown): value is RowsRead =>
  typeof value === 'object' && value !== null && 'rows' in value;

function withName(error: unknown, name: string): unknown {
  if (error instanceof ConfigError) return new ConfigError(placed(error.message, name), { cause: error });
  if (!(error instanceof SourceError)) return error;
  const { isPassing, problem } = error;
  const details = { cause: error, isPassing, ...(problem !== null && { problem }) };
  return new SourceError(placed(error.message, name), details);
}

/** Returns the sentence with its keys as they stand in the file. */
const placed = (message: string, name: string): string =>
  message.replaceAll(OF_ONE_SOURCE, `sources.${name}.`);

/** What stands before ids and references of one source among those of others. */
interface Prefixes {
  /** Stands before each id. */
  readonly idPrefix: string;
  /** Stands before what names a unit. */
  readonly unitPrefix: string;
}

export function spelledUnit(reading: Reading<Unit>, prefixes: Prefixes): Reading<Unit> {
  if (!reading.ok) return { ...reading, ...spelledRefusal(reading.refusal, prefixes) };
  const { id, refs, parent } = reading.record;
  const record: Unit = {
    ...reading.record,
    id: id === '' ? id : `${prefixes.idPrefix}${id}`,
    refs: refs.map((ref) => `${prefixes.unitPrefix}${ref}`),
    parent: parent === null ? null : `${prefixes.unitPrefix}${parent}`,
  };
  return { ...reading, record };
}

export function spelledPerson(reading: Reading<Person>, prefixes: Prefixes): Reading<Person> {
  if (!reading.ok) return { ...reading, ...spelledRefusal(reading.refusal, prefixes) };
  const { id, positions } = reading.record;
  const record: Person = {
    ...reading.record,
    id: id === '' ? id : `${prefixes.idPrefix}${id}`,
    positions: positions.map((position) => spelledPosition(position, prefixes)),
  };
  return { ...reading, record };
}

export function spelledRow(reading: Reading<PositionRow>, prefixes: Prefixes): Reading<PositionRow> {
  if (!reading.ok) return spelledRefusal(reading.refusal, prefixes);
  const { person, position } = reading.record;
  return {
    ok: true,
    record: {
      ...reading.record,
      person: `${prefixes.idPrefix}${person}`,
      position: spelledPosition(position, prefixes),
    },
  };
}

function spelledPosition(position: Position, { unitPrefix }: Prefixes): Position {
  return position.unit === null ? position : { ...position, unit: `${unitPrefix}${position.unit}` };
}

function spelledRefusal<T>(refusal: Refusal, prefixes: Prefixes): Reading<T> {
  const { id, unitRefs } = refusal;
  return {
    ok: false,
    refusal: {
      ...refusal,
      id: id === null ? null : `${prefixes.idPrefix}${id}`,
      ...(unitRefs !== undefined && { unitRefs: unitRefs.map((ref) => `${prefixes.unitPrefix}${ref}`) }),
    },
  };
}
