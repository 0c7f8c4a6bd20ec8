import { restKind, type RestSettings } from '../../../src/source/rest/kind.ts';
import type { Raw } from '../../../src/schema/raw.ts';
import { PEOPLE, UNITS, type Whole } from '../world.ts';
import { digits, type RestServer, type Row } from './rest-server.ts';

/** Each style of paging: how the server is asked for pages of a size. */
export const STYLES = {
  offset: (size) => ({ pages: { offset: 'skip', size: { limit: size }, total: '/total' } }),
  page: (size) => ({ pages: { page: 'page', size: { limit: size }, total: '/total' } }),
  cursor: (size) => ({ pages: { cursor: '/cursor', param: 'after', more: '/more', size: { limit: size } } }),
  next: (size) => ({ pages: { next: '/next', size: { limit: size } } }),
  link: (size) => ({ pages: { next: 'Link', size: { limit: size } } }),
  none: () => ({ pages: 'none' }),
} as const satisfies Record<string, (size: number) => Raw>;

export type Style = keyof typeof STYLES;
export const STYLE_NAMES = Object.keys(STYLES) as readonly Style[];

/** Returns what is asked for a list: in the header Link goes on the list alone. */
export const asking = (style: Style, list: string): Raw =>
  style === 'link' ? { get: `/plain/${list}` } : { get: `/${list}`, items: '/data' };

/** Returns the question for the number of a list. */
export const counting = (list: string): Raw => ({ count: { get: `/${list}/count`, at: '/n' } });

export interface Changes {
  readonly size?: number;
  readonly people?: Raw;
  readonly [key: string]: unknown;
}

/** Returns settings as the configuration has them, with little time for each answer. */
function settingsOf(input: Raw): Whole<RestSettings> {
  const settings = restKind.settings(restKind.schema.parse({ type: 'rest', ...input }));
  return { ...settings, timeoutSeconds: 5 } as Whole<RestSettings>;
}

/** The world as JSON: names with dots, lists in records, a number of 16 digits, booleans and nulls. */
export function worldLists(): RestServer['lists'] {
  const people = PEOPLE.map(({ id, username, name, email, active, born, order, units, title }) => ({
    id,
    profile: { login: username, name },
    'born.on': born,
    emails:
      email === null
        ? []
        : [
            { type: 'home', value: 'not@this.one' },
            { type: 'work', value: email },
          ],
    active,
    order: order !== null && /^\d+$/u.test(order) ? digits(order) : order,
    title,
    places: units.map((unit, index) => ({ unit: { id: unit }, kind: index === 0 ? 'main' : 'other' })),
  }));
  const positions = PEOPLE.flatMap(({ id, units, title }) =>
    units.map((unit, index) => ({ person: id, unit, title: index === 0 ? title : null, main: index === 0 })),
  );
  return { people, units: UNITS as unknown as readonly Row[], positions };
}

/** Settings that read the world in one style; pages by number have a list of positions. */
export function worldSettings(url: string, style: Style): Whole<RestSettings> {
  const hasList = style === 'page';
  const carried = [
    {
      unit: 'places[kind=main].unit.id',
      job_title: 'title',
      primary: { const: true },
    },
    { unit: 'places[kind=other].unit.id' },
  ];
  const part = (list: string): Raw => ({
    ...asking(style, list),
    ...(style === 'none' && { complete: counting(list) }),
  });
  return settingsOf({
    url,
    ...STYLES[style](500),
    units: { ...part('units'), fields: { id: 'id', parent: 'parent', name: 'name' } },
    people: {
      ...part('people'),
      fields: {
        id: 'id',
        username: 'profile.login',
        active: 'active',
        name: 'profile.name',
        email: 'emails[type=work].value',
        birthday: '/born.on',
        sort_order: 'order',
        ...(!hasList && { positions: carried }),
      },
    },
    ...(hasList && {
      positions: {
        ...part('positions'),
        fields: { person: 'person', unit: 'unit', job_title: 'title', primary: 'main' },
      },
    }),
  });
}

/** Settings that read people `1` to N in one style, in pages of 10 if nothing else is said. */
export function crowdSettings(
  url: string,
  style: Style,
  { size = 10, people, ...changes }: Changes = {},
): Whole<RestSettings> {
  return settingsOf({
    url,
    ...STYLES[style](size),
    units: {
      get: '/units',
      items: '/data',
      pages: 'none',
      complete: { trust: 'a test' },
      fields: { id: 'id', name: 'id' },
    },
    people: { ...asking(style, 'people'), fields: { id: 'id', username: 'login', name: 'name' }, ...people },
    ...changes,
  });
}

export const crowd = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${n + 1}`, login: `user${n + 1}`, name: `U ${n + 1}` }));

/** Lists of a server that has nothing but so many people. */
export const crowdLists = (count: number): RestServer['lists'] => ({ people: crowd(count), units: [] });
