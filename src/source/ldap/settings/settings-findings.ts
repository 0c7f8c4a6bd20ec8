import { namedVendor } from '../../../domain/directories/vendors.ts';
import { UNIT_GROUPS } from '../../../domain/source-choices.ts';
import { halfAPair, isRaw, rawAt, type Finding, type Path, type Raw } from '../../../schema/raw.ts';

/** Returns what only several keys of a directory together show; the paths begin at the source. */
export function directoryFindings(source: Raw): readonly Finding[] {
  return [
    // A bind with a name but no password succeeds as anonymous, and reads less than was meant.
    ...halfAPair(source, [], ['bindDn', 'bindPassword']),
    ...neededKeys(source),
    ...membersElsewhere(source),
    ...positionsWithoutGroup(source),
    ...groupsWithoutDn(source),
  ];
}

/** Returns whether people have positions without rules for them. */
export const hasUsualPositions = (source: Raw): boolean => hasVendor(source) || hasGroups(source);

const hasVendor = ({ vendor }: Raw): boolean => namedVendor(String(vendor)) !== null;
const hasGroups = (source: Raw): boolean => rawAt(source, ['units', 'members']) !== undefined;

/** What a search of a directory needs, if no vendor's defaults fill the gap. */
const NEEDED: readonly Path[] = [
  ['units', 'filter'],
  ['units', 'fields', 'id'],
  ['units', 'fields', 'name'],
  ['people', 'filter'],
  ['people', 'fields', 'id'],
  ['people', 'fields', 'username'],
  ['people', 'fields', 'name'],
];

function neededKeys(source: Raw): readonly Finding[] {
  // A misspelled vendor is reported by itself.
  if (source['vendor'] !== undefined) return [];
  const remedy = 'add it, or name the vendor of the directory, which gives defaults';
  return NEEDED.filter((path) => isOpen(source, path)).map((path) => ({
    problem: 'config-missing',
    path,
    wrong: 'is missing',
    remedy,
  }));
}

/** Returns whether the value is missing and can be added: nothing else stands in place of its mapping. */
function isOpen(source: Raw, path: Path): boolean {
  const [part = ''] = path;
  const around = rawAt(source, path.slice(0, -1));
  if (!isRaw(source[part]) || rawAt(source, path) !== undefined) return false;
  return around === undefined || isRaw(around);
}

/** Finds groups whose members are in another source: a DN or a uid matches no person there. */
function membersElsewhere(source: Raw): readonly Finding[] {
  if (!hasGroups(source) || source['people'] !== undefined) return [];
  return [
    {
      path: ['units', 'members'],
      wrong: 'names people of this directory, and source.people reads none of them',
      remedy: 'read the people from the same source, and complete them by a join',
    },
  ];
}

/** Finds positions next to groups with members if none of the positions is that of a group. */
function positionsWithoutGroup(source: Raw): readonly Finding[] {
  const path: Path = ['people', 'fields', 'positions'];
  const positions = rawAt(source, path);
  const isOfGroup = !Array.isArray(positions) || JSON.stringify(positions).includes(UNIT_GROUPS);
  if (!hasGroups(source) || isOfGroup) return [];
  const wrong = 'none is in a group, though source.units has members';
  return [{ path, wrong, remedy: `add { unit: ${UNIT_GROUPS} }, or remove positions` }];
}

/** Finds a name in place of the DN of a group. */
function groupsWithoutDn(source: Raw): readonly Finding[] {
  const path: Path = ['people', 'memberOf'];
  const groups = [rawAt(source, path)].flat();
  if (!groups.some((dn) => typeof dn === 'string' && !dn.includes('='))) return [];
  const remedy = 'write it whole, as in cn=staff,ou=groups,dc=example,dc=com';
  return [{ problem: 'config-value', path, wrong: 'is no DN of a group', remedy }];
}
