import type { Source } from '../../../../src/domain/reading/source.ts';
import type { ScimSettings } from '../../../../src/source/scim/kind.ts';
import type { Clock } from '../../../../src/lib/clock.ts';
import { Follower } from '../../ldap/changes/follower.ts';
import { scimSource } from '../../open-one.ts';
import type { Whole } from '../../world.ts';
import type { Resource, ScimServer } from '../scim-server.ts';
import { scimSettings } from '../scim-world.ts';

export const HOUR = 3_600_000;
export const NOON = Date.parse('2026-03-29T12:00:00Z');

export type Stamp = (time: number) => string;
export const usual: Stamp = (time) => new Date(time).toISOString();

export interface Staff {
  readonly follower: Follower;
  /** @param ours our own clock; absent: that of this machine */
  readonly source: (changes?: Partial<Whole<ScimSettings>>, ours?: Clock) => Source;
  /** Lets time pass, on both clocks of the server. */
  readonly minutes: (minutes: number) => void;
  /** Changes a user, or adds one. */
  readonly put: (id: string, parts?: Resource) => void;
  readonly remove: (id: string) => void;
}

export interface Clocks {
  /** By how much the clock that stamps records is ahead of the one that the server tells. */
  readonly ahead?: number;
  readonly stamp?: Stamp;
}

/** What a server of the tests gets: users with a capped page size, changed an hour ago and before. */
export function staffOf(server: ScimServer, { ahead = 0, stamp = usual }: Clocks = {}, count = 25): Staff {
  let time = NOON;
  let users: readonly Resource[] = [];
  const show = (): void => void (server.lists = { Groups: [{ id: 'g1', displayName: 'G' }], Users: users });
  const put: Staff['put'] = (id, parts = {}) => {
    const meta = { lastModified: stamp(time + ahead) };
    const before = users.find((one) => one['id'] === id) ?? { id, userName: `user-${id}`, displayName: id };
    const now = { ...before, meta, ...parts };
    users = users.includes(before) ? users.map((one) => (one === before ? now : one)) : [...users, now];
    show();
  };
  for (let at = count; at > 0; at -= 1) {
    time = NOON - at * HOUR;
    put(`a${at}`);
  }
  time = NOON;
  server.now = () => time;
  server.mostPerPage = 10;
  server.takesFilters = true;
  server.twist = () => null;
  (server.asked as unknown[]).length = 0;
  return {
    follower: new Follower(),
    source: (changes, ours) => scimSource(settings(server.url, changes), ours),
    minutes: (minutes) => void (time += minutes * 60_000),
    put,
    remove: (id) => {
      users = users.filter((one) => one['id'] !== id);
      show();
    },
  };
}

function settings(url: string, changes: Partial<Whole<ScimSettings>> = {}): Whole<ScimSettings> {
  const { people, ...rest } = scimSettings(url, { changes: 'auto' });
  const rules = {
    ...people.rules,
    active: undefined,
    fields: { name: 'displayName' },
    positions: [{ unit: { const: 'g1' } }],
  };
  return { ...rest, people: { ...people, rules }, ...changes };
}

export const RULES = settings('').people.rules;

export const withPeople = (parts: Partial<Whole<ScimSettings>['people']>): Partial<Whole<ScimSettings>> => ({
  people: { ...settings('').people, ...parts },
});
