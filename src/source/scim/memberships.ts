import { isObject, type Resource } from './wire/attributes.ts';

/**
 * Returns one record for each member of a group: the group with `member` in place of `members`. Groups that are
 * members are left out: they are nobody's position.
 */
export function memberships(group: Resource): readonly Resource[] {
  const { members, ...rest } = group;
  const all: readonly unknown[] = Array.isArray(members) ? members : [];
  return all.filter((member) => !isGroup(member)).map((member) => ({ ...rest, member }));
}

/** Returns whether the group shows no member who could have a position by it. */
export const showsNobody = (group: Resource): boolean => memberships(group).length === 0;

function isGroup(member: unknown): boolean {
  const type = isObject(member) ? member['type'] : undefined;
  return typeof type === 'string' && type.toLowerCase() === 'group';
}
