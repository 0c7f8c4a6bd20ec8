/**
 * Every reason, and how it is said: the only place. `{name}` stands for a value, `{n:read|reads}` for a number of things,
 * `{unit}` for the unit that it is about, `{units}` for several, `{because}` and `{how}` for another reason by its code.
 */
export const REASONS = {
  // why a record changes
  new: 'new in the source',
  back: 'back in the source',
  vanished: 'vanished from the service',
  notThere: 'no longer in the service',
  doubtfulCreation: 'creation was in doubt',
  otherAccount: 'another account has the username now',
  employee: 'already an employee in the service',
  knownBefore: 'in the source before, without an account',
  changed: 'changed in the source',
  inDoubt: 'last write in doubt',
  activeAgain: 'active in the source again',
  disableUnshown: 'active in the source again, after a disable that the service has not shown',
  enabledByOthers: 'enabled in the service, active in the source',
  edited: 'edited in the service',
  enabledAgain: 'enabled again in the service',
  notAtNode: "not at its unit's node",
  unitMoves: 'unit {unit} moves',
  oldPosition: 'an import has left an old position',
  reverted: 'revert of {run}',
  inactive: 'inactive in the source',
  missing: 'missing in the source',
  outOfScope: 'out of scope by source.people.where',
  unitOutOfScope: 'out of scope by source.units.where',
  missed: '{how} ({reads:complete read|complete reads})',
  missedInGroup: '{how} ({reads:complete read|complete reads}; no {group} are shown any more)',
  disabledLong: '{how} and disabled for {days} days',
  sameName: 'the same username as {name}, who is missing or has left: the same person?',
  sameForgotten: 'the same username as somebody who had it before: the same person?',
  sameForgottenLocked:
    'the same username as somebody who had it before: the same person? The account stays locked: unlock it in the service',
  nameOfColleague:
    'its record has the username {username} of {name}, and not only its own name: if the source has given ids again, give them back',
  nameClaimed:
    'source id {id} has its username {username} now, and it has another one and another name: if the source has given ids again, give them back',
  backAsAnother:
    'its id comes back with another username ({username}) and another name: if it is another person, give them an id of their own',
  // why a unit changes
  moveInterrupted: 'its move was interrupted',
  moved: 'moved in the source',
  followsMove: 'follows the move of {unit}',
  parentMoved: 'its parent has moved',
  otherNode: 'its node is another one now',
  there: 'already in the service',
  belowRoot: 'already in the service, below the root',
  elsewhere: 'already in the service, below "{parent}"',
  othersNode: `its node {node} shows the serial number {serial} and the name "{name}": it counts as somebody else's`,
  disowned:
    'missing in the source, and {because}: not removed; if it is this unit all the same, remove it there',
  unnumberedNode: `its node {node} shows no serial number and the name "{name}": it counts as somebody else's`,
  // why a person waits
  words: '{words}',
  notEvaluated:
    'the rule for active could not be evaluated: let the reading account read its values, or correct the record or the expression',
  takenBy: 'the account {username} is that of {name}: give the new person another username in the source',
  lockedInDomain:
    'an account with this username exists in the domain and is disabled, by somebody else: enable it in the service, or remove it there',
  lockedByOthers: 'locked in the service by somebody else: unlock it there',
  claimed: 'missing in the source, and source id {id} has its username now, kept until that is settled',
  claimedUnusably:
    'missing in the source, and source id {id} has its username now, in a record that cannot be used: correct that one',
  protected: 'protected by sync.protect: would {kind} ({because})',
  staysEnabled:
    '{how}, disabled by rollcall and enabled again in the service: disable it there, or set sync.drift: repair',
  // why a unit waits
  waitsForUnit: 'waits for unit {unit}',
  protectedUnit:
    'protected by sync.protect: would be removed (missing in the source); if it has another id there now, write that one into sync.protect',
  protectedMove: 'protected by sync.protect: would be moved',
  idsUnread:
    'missing in the source, while no id can be read of {records:record|records} of units, which may be this one. Let the reading account read it, or exclude these records by the filter',
  missingUnread: 'missing in the source, and its node is {words}',
  severalNodes: 'several nodes of the service have its serial number {serial}',
  serialOfUnit: 'unit {unit} has the same serial number {serial} in the service',
  namesakes:
    'several nodes of the same name are below the same parent in the service: rename or remove them, or rename the unit in the source',
  namesake:
    'a node with serial number {serial} of the same name is below the same parent in the service: rename or remove it, or rename the unit in the source',
  rivalName:
    'unit {unit} has the same name below the same parent: the service could not tell them apart; give one of the two another one in the source',
  rivalSerial:
    'unit {unit} has the same serial number {serial}: the service could not tell them apart; give one of the two another one in the source',
  serialOfNode: 'node {node} has the same serial number {serial}',
  nameOfNode: 'node {node} has the same name below its new parent already: rename or remove it there',
  sharedId: 'several units share this id',
  ownAncestor: 'it is its own ancestor: {units}',
  belowCircle: 'it hangs below a circle: {units}',
  belowUnplaced: 'it hangs below {unit}, which cannot be placed',
  parentAmbiguous: 'its parent "{parent}" names several units',
  parentRefused: 'its parent "{parent}" is a unit whose record cannot be used',
  parentOutside: 'its parent "{parent}" is out of scope by source.units.where',
  parentUnknown: 'its parent "{parent}" is no unit of the source{near}',
  revertedCreation: 'goes with the revert of its creation',
} as const satisfies Readonly<Record<string, string>>;
