import type { JsonObject } from '../../interface/json.ts';
import { USER } from '../../interface/operations/directory-records.ts';
import type { USERS } from '../../interface/operations/users.ts';
import { asRow, Refused, wireOf, type Service, type Work } from './operation.ts';
import { commaList, initials, pageOf, pinyin } from './request.ts';
import type { UserRecord } from '../world/records.ts';

/** Interface: Users. They are all of the domain, employees or not. */
export const userWork: Work<keyof typeof USERS> = {
  searchUsers: (service, { query }) => {
    const isExact = query.matching === 'true';
    const found = isExact ? named(service, commaList(query.query), query.type) : fuzzy(service, query.query);
    return { total_count: found.length, users: found.map((user) => shownUser(service, user)) };
  },
  getUser: (service, { params, query }) => {
    const [user] = named(service, [params.query], query.type);
    if (user === undefined) throw new Refused('missing', 'no matching user');
    return shownUser(service, user);
  },
  // In the order of their refresh.
  pageUsers: (service, { query }) => {
    const after = query.refresh_time;
    const { users } = service.world;
    const sisters = sisterUsers(service);
    const found = after < 0 ? [...users.refreshedAfter(-1), ...sisters] : users.refreshedAfter(after);
    const shown = pageOf(found, query, service.readings).map((user) => shownUser(service, user));
    const all = users.size + sisters.length;
    return { total_count: service.readings.totals === 'all' ? all : found.length, users: shown };
  },
};

function named(service: Service, keys: readonly string[], type: string): readonly UserRecord[] {
  const { users } = service.world;
  const found = keys.map((key) => (type === 'username' ? users.byUsername(key) : users.get(key)));
  return [...new Set(found.filter((user) => user !== undefined))];
}

/** Returns users by "exact user name or fuzzy match on name, pinyin and initials". */
function fuzzy(service: Service, text: string): readonly UserRecord[] {
  const part = text.toLowerCase();
  return Array.from(service.world.users.all()).filter(
    ({ name, username }) =>
      username.toLowerCase() === part ||
      [name.toLowerCase(), pinyin(name), initials(name)].some((one) => one.includes(part)),
  );
}

const FIRST_SISTER = 8_800_000_000_000_000_000n;

/** Returns people of another organization of the domain, whom lists return as well (reading `sister`). */
export function sisterUsers({ readings }: Service): readonly UserRecord[] {
  return Array.from({ length: readings.sister }, (_, number) => ({
    id: String(FIRST_SISTER + BigInt(number)),
    username: `sister${number}`,
    name: `Sister ${number}`,
    disabled: false,
    created: 0,
    refreshed: 0,
  }));
}

function shownUser(service: Service, user: UserRecord): JsonObject {
  const { id, name } = user;
  const derived = { user_id: id, pinyin: pinyin(name), initial: initials(name), nickname: name };
  return asRow({ ...wireOf(service, user), ...derived, status: 'ACTIVATED', state: 'NORMAL' }, USER);
}
