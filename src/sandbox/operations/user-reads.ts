import { sisterUsers } from './employee-reads.ts';
import { noMatching, type Operation, type Service } from './operation.ts';
import { commaList, initials, numberIn, page, pinyin } from './request-parts.ts';
import type { UserRecord } from '../world/records.ts';
import type { WireObject } from '../world/wire-value.ts';

/* Interface: Users. They are all of the domain, employees or not. */

/** Searches users. The path is that of the paged list; `query`, which only this one has, tells them apart. */
export const searchUsers: Operation = (service, { query }) => {
  const text = query.get('query') ?? '';
  const isExact = query.get('matching') === 'true';
  const matches = isExact ? named(service, commaList(text), query.get('type')) : fuzzy(service, text);
  return { total_count: matches.length, users: matches.map((user) => userShape(service, user)) };
};

export const getUser: Operation = (service, { params, query }) => {
  const [user] = named(service, [params['query'] ?? ''], query.get('type'));
  if (user === undefined) throw noMatching('user');
  return userShape(service, user);
};

/**
 * Counts all users that were refreshed after refresh_time, and shows a page of them, in the order of their
 * refresh.
 */
export const pageUsers: Operation = (service, { query }) => {
  const after = numberIn(query, 'refresh_time', -1);
  const { skip, limit } = page(query, service.readings);
  const { users } = service.world;
  const sisters = sisterUsers(service);
  const found = after < 0 ? [...users.refreshedAfter(-1), ...sisters] : users.refreshedAfter(after);
  const total = service.readings.totals === 'all' ? users.size + sisters.length : found.length;
  const shown = found.slice(skip, skip + limit).map((user) => userShape(service, user));
  return { total_count: total, users: shown };
};

function named(service: Service, keys: readonly string[], type: string | null): readonly UserRecord[] {
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
      name.toLowerCase().includes(part) ||
      pinyin(name).includes(part) ||
      initials(name).includes(part),
  );
}

function userShape(service: Service, user: UserRecord): WireObject {
  return {
    user_id: user.id,
    domain_id: service.domainId,
    status: 'ACTIVATED',
    state: 'NORMAL',
    username: user.username,
    name: user.name,
    pinyin: pinyin(user.name),
    initial: initials(user.name),
    nickname: user.name,
    phone: user.phone,
    email: user.email,
    gender: user.gender,
    birthday: user.birthday,
    disabled: user.disabled,
  };
}
