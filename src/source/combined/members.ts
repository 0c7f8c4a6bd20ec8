import type { CombinedSettings, MemberSettings, OneSource } from '../../domain/source-settings.ts';
import type { RowsSource } from '../records/rows-read.ts';
import type { SourceContext } from '../records/source-context.ts';
import { Join } from './join.ts';
import { namedSource } from './named-source.ts';
import { spellingOf, type Spelling } from './prefixed.ts';

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
export interface Member {
  readonly name: string | null;
  readonly idPrefix: string;
  readonly source: RowsSource;
  readonly spelling: Spelling;
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
    const hasUnits = withUnits.has(settings.name);
    const member = memberOf(settings, openOne, context);
    return { ...member, spelling: spellingOf(settings.idPrefix, hasUnits) };
  });
}

function memberOf(
  { name, idPrefix, source: settings, joins: wanted }: MemberSettings,
  openOne: OpenOne,
  context: SourceContext,
): Omit<Member, 'spelling'> {
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
