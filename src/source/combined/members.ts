import type { CombinedSettings, MemberSettings, OneSource } from '../../domain/source-settings.ts';
import type { RowsSource } from '../records/rows-read.ts';
import type { SourceContext } from '../records/source-context.ts';
import { Join } from './join.ts';
import { namedSource } from './named-source.ts';
import type { Prefixes } from './prefixed.ts';

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
  { members }: CombinedSettings,
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
