import { choice, duration, parseSettings, quantity, toggle, type ValuesOf } from './settings.ts';

/**
 * Everything that the interface leaves open. A new reading is one more row here and a line where it matters.
 */
export const READINGS = {
  pathKeys: choice(['names', 'ids'], 'keys of import-orgs results: /Root/Dept or /1/2/'),
  keysLower: toggle(false, 'keys of successes and failures are lowercased'),
  importIds: choice(['employee', 'user'], 'whose id import-employees answers in successes'),
  idsAskFor: choice(
    ['employees', 'users', 'nobody'],
    'whose ids the list of employees takes: those of employees or of users, or it finds nobody',
  ),
  errors: choice(['http200', 'http4xx'], 'HTTP status of answers with a non-zero status'),
  notFound: choice(
    ['own', 'codes', 'null'],
    'unknown id: codes of its own, 208502 and 202012 everywhere, or null on GET; deleting a node: 208502',
  ),
  importOrgs: toggle(true, 'off: import-orgs is refused whole, nodes are created one by one'),
  lockOnly: toggle(false, 'older interface: disable and enable are unknown paths'),
  pageCap: quantity('most records on a page whatever limit says; 0: no cap'),
  siblings: choice(['unique', 'merge'], 'a new node named like a sibling is refused, or updates it'),
  disabledCount: toggle(true, 'locked employees count and keep a node from being deleted'),
  deleteCascades: toggle(false, 'deleting a node deletes children and positions instead of refusing'),
  positions: choice(
    ['replace', 'merge', 'stay'],
    'imported positions replace all, or are added; stay: modified ones too',
  ),
  emptyPositions: choice(['refused', 'taken'], 'an empty list of positions'),
  absent: choice(['keep', 'clear'], 'fields absent from an import stay, or are cleared'),
  properties: choice(['replace', 'merge'], 'imported properties are all there are, or are added by schema'),
  defaults: choice(['absent', 'zero', 'null'], 'unset fields are absent, shown as "" and 0, or as null'),
  propertyShape: choice(['body', 'schema'], 'properties are shown as imports take them, or by their schema'),
  tagsShown: choice(['ids', 'names'], 'tags are shown by id and name, or by name alone'),
  masked: toggle(false, 'mobile, email and properties are shown masked, as in 138****0000'),
  importEnables: toggle(false, 'importing a locked employee unlocks it'),
  lockIgnored: quantity(
    'so many first calls for each account that lock or unlock it answer 0 and do nothing',
  ),
  lockLater: duration('locking and unlocking answer at once and are visible after this time'),
  forgetful: toggle(false, 'employees are shown neither by the list nor by id, though they are there'),
  usersRemain: toggle(true, 'the user stays when the employee is removed'),
  usersRefreshBlind: toggle(false, 'changes of employees do not move the refresh time of users'),
  hidesLocked: toggle(false, 'the list of employees leaves out locked ones'),
  asyncImport: duration('imports answer at once and are visible after this time'),
  usernameCase: choice(['fold', 'keep'], 'usernames that differ in case alone are one account, or two'),
  sister: quantity('people of another organization whom lists return too, whatever was asked'),
  maxLimit: quantity('the largest limit of a page that is not refused; 0: any'),
  maxUrl: quantity('bytes of the longest address that is not refused with 414; 0: any'),
  maxNames: quantity('most names in one query for employees that is not refused; 0: any'),
  namesRead: quantity(
    'so many first names of a query for employees are looked at, the others silently not; 0: all',
  ),
  maxBatch: quantity('most records of an import that is not refused; 0: any'),
  totals: choice(['filtered', 'all'], 'total_count under refresh_time counts what changed, or everything'),
  normalizes: toggle(false, 'phones lose blanks and dashes, names are trimmed and collapsed'),
  pushTypes: choice(['either', 'lower', 'upper'], 'the case in which types of messages are taken'),
  fillsNodes: toggle(false, 'a new node has an owner, an English name and a logo of the service’s own'),
} as const;

export type Readings = ValuesOf<typeof READINGS>;

/** Parses `name=value`, or `name` alone for what is switched on. Throws SandboxOptionError. */
export function parseReadings(texts: readonly string[]): Readings {
  return parseSettings('Reading', READINGS, texts);
}
