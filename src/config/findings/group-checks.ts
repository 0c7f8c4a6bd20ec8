import { UNIT_GROUPS } from '../../domain/group-choices.ts';
import { connectionOf } from './directory-checks.ts';
import type { Finding, Path } from './problem.ts';
import { rawAt } from './raw.ts';

/** Returns what only several keys about groups together show. */
export function groupFindings(raw: unknown): readonly Finding[] {
  const groups = entriesAt(raw, 'units').filter((at) => rawAt(raw, [...at, 'members']) !== undefined);
  return [
    ...groups.flatMap((at, index) => [
      ...ofOthers(raw, at),
      ...twice(raw, at, groups.slice(0, index)),
      ...aboutNobody(raw, at),
    ]),
    ...groupsWithoutDn(raw),
  ];
}

/** Returns whether groups that are units give people of this part their positions. */
export function placesByGroups(raw: unknown, people: Path): boolean {
  return entriesAt(raw, 'units').some(
    (at) => rawAt(raw, [...at, 'members']) !== undefined && isSameSource(raw, at, people),
  );
}

function entriesAt(raw: unknown, part: 'units' | 'people'): readonly Path[] {
  const value = rawAt(raw, ['source', part]);
  if (!Array.isArray(value)) return value === undefined ? [] : [['source', part]];
  return value.map((_, index) => ['source', part, index]);
}

function isSameSource(raw: unknown, one: Path, other: Path): boolean {
  return connectionOf(raw, one).join('.') === connectionOf(raw, other).join('.');
}

const isLdap = (raw: unknown, at: Path): boolean => rawAt(raw, [...connectionOf(raw, at), 'type']) === 'ldap';

/** Finds groups whose members another source has: a DN or a uid names nobody there. */
function ofOthers(raw: unknown, at: Path): readonly Finding[] {
  const people = entriesAt(raw, 'people');
  if (!isLdap(raw, at) || people.length === 0 || people.some((one) => isSameSource(raw, at, one))) return [];
  return [
    {
      path: [...at, 'members'],
      wrong: 'names people of this directory, and source.people reads none of them',
      remedy: 'read the people from the same source, and complete them by a join',
    },
  ];
}

function twice(raw: unknown, at: Path, before: readonly Path[]): readonly Finding[] {
  if (!before.some((one) => isSameSource(raw, one, at))) return [];
  return [
    {
      path: [...at, 'members'],
      wrong: 'stands a second time for one directory',
      remedy: 'write one entry with a list of bases',
    },
  ];
}

/** Finds positions beside the groups, of which none is that of a group. */
function aboutNobody(raw: unknown, at: Path): readonly Finding[] {
  return entriesAt(raw, 'people')
    .filter((one) => isSameSource(raw, at, one))
    .flatMap((one) => {
      const path: Path = [...one, 'fields', 'positions'];
      const positions = rawAt(raw, path);
      if (!Array.isArray(positions) || JSON.stringify(positions).includes(UNIT_GROUPS)) return [];
      const wrong = `none is in a group, though ${at.join('.')} has members`;
      return [{ path, wrong, remedy: `add { unit: ${UNIT_GROUPS} }, or remove positions` }];
    });
}

/** Finds a name in place of the DN of a group. */
function groupsWithoutDn(raw: unknown): readonly Finding[] {
  return entriesAt(raw, 'people').flatMap((at) => {
    const path: Path = [...at, 'memberOf'];
    const groups = [rawAt(raw, path)].flat();
    if (rawAt(raw, path) === undefined || !isLdap(raw, at)) return [];
    const wrong = groups.find((dn) => typeof dn === 'string' && !dn.includes('='));
    if (wrong === undefined) return [];
    return [
      {
        path,
        wrong: 'is no DN of a group',
        remedy: 'write it whole, as in cn=staff,ou=groups,dc=example,dc=com',
      },
    ];
  });
}
