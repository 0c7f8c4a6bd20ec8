import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PersonRow, RenamedAccount } from '../../domain/ports/ledger/person-row.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import { hasLeft, inactive, missesOf, missing } from './leavers.ts';
import { obstacle } from './obstacle.ts';
import { change, hasAccount, NONE, type PersonDecision, type PersonRules } from './person-decision.ts';
import { withoutMove } from './protect-places.ts';
import { stagedOf } from './staged-of.ts';
import { decideOurs, join, payloadOf, wantedChanges } from './stayers.ts';

export type { PersonDecision, PersonRules } from './person-decision.ts';

/**
 * One person's change. Pure; every combination has its line:
 *
 * | source    | ledger            | service: as we left it | edited    | locked             | gone          |
 * |-----------|-------------------|------------------------|-----------|--------------------|---------------|
 * | active    | unknown, removed  | adopt                  | adopt     | blocked / enable   | create        |
 * | active    | creating          | adopt                  | adopt     | adopt              | create        |
 * | active    | managed           | update / close         | update / drift | blocked / enable | create (gone) |
 * | active    | disabled          | update                 | update    | enable             | create (gone) |
 * | inactive  | unknown, removed  | disable                | disable   | none               | none          |
 * | inactive  | managed, creating | disable                | disable   | close              | forget        |
 * | inactive  | disabled          | disable / drift        | disable / drift | close        | forget        |
 * | missing   | managed, creating | miss, then disable or remove (also edited) | miss       | forget        |
 * | missing   | disabled          | disable / drift        | disable / drift | none, or remove when its days are over | forget |
 * | unknown   | any               | blocked                | blocked   | blocked            | blocked       |
 * | it cannot be told which account is this person's, or whether it is there: blocked |
 * | active, managed, and our disable was taken and never shown: enable                                      |
 * | left, and bad otherwise: as inactive                                                                   |
 * | its record has the username of another person whom we know, and another name than before: blocked, also where it says
 *   "left"; who is missing and is in such a record is kept |
 * | inactive, and a source id that is unknown or removed works with the username now: none until that is settled |
 * | our account has another username in the service: blocked; none where it is locked by us and not wanted |
 * | no employee is listed, but a disabled user of the domain, whom we have not disabled or removed: blocked; not where inactive |
 * | a username of another source id: held or blocked, none where inactive, if the ledger has it as unknown or removed;
 *   who has an account goes on under that account's username |
 * | protected, active, in other units in the source: as in the table, in the units where they are, listed; blocked where
 *   others have moved them |
 * | missing, and a source id that is unknown or removed has the username now: none, or blocked where it is a bad record |
 *
 * `sync.usernameChange: replace`, active, another username in the source, where the table does not say blocked:
 * | creating: as in the table, compared anew by the next run |
 * | managed, disabled: replacement (held); meanwhile the table's update or enable, except of edits; not its create |
 * | the new username has an account that is locked, or is a disabled user: blocked; an active one is taken over |
 *
 * "forget" is counted as gone, but for what was in doubt; where the account shows up again, it is what it was.
 * "as we left it" of a disabled person is locked, so its first column means that somebody enabled it.
 */
export function decidePerson(row: PersonRow, rules: PersonRules): PersonDecision {
  const { entry } = row;
  if (row.unclear !== null) return { is: 'blocked', reason: row.unclear };
  if (entry !== null && row.renamed !== null)
    return renamedElsewhere(row, { entry, renamed: row.renamed }, rules);
  if (isGivenAgain(row)) return { is: 'blocked', reason: givenAgain(row) };
  if (row.desired === 'left') return hasLeft(row, rules);
  if (row.desired !== null) return present(row, rules);
  return entry === null ? NONE : missing(row, entry, rules);
}

/** Decides about who is in the source. */
function present(row: PersonRow, rules: PersonRules): PersonDecision {
  const { entry } = row;
  const staged = stagedOf(row);
  if (isRekey(row)) return rekey(row);
  if (staged?.active === false)
    return isAnothers(row) ? NONE : inactive(row, entry?.sent ?? staged.payload, rules);
  const reason = obstacle(row, rules.sync);
  if (reason !== null) return { is: 'blocked', reason };
  return withoutMove(row, rules, (placed) =>
    entry === null || entry.state === 'removed' ? join(placed, rules) : decideOurs(placed, entry, rules),
  );
}

const isGivenAgain = ({ ownersRecord = null }: PersonRow): boolean => ownersRecord !== null;

/** What the record says is of another person: sent to this one's account, it would make two people one. */
function givenAgain(row: PersonRow): string {
  const owner = `source id ${row.usernameOwner}`;
  if (row.ownersRecord === 'left')
    return `its record cannot be used, says that the person has left, and has the username of ${owner}: correct it; until then nobody is locked`;
  const username = `its record has the username ${stagedOf(row)?.username ?? ''}`;
  const again =
    'the source has given ids again; give them back, or map an id that stays (where the ledger is moved away, accounts are known by username)';
  if (row.ownersRecord === 'name') return `${username} and the name of ${owner}: ${again}`;
  return `${username} of ${owner}, and another name than before: ${again}; where it is the same person, change one of the two first`;
}

interface Renamed {
  readonly entry: PersonEntry;
  readonly renamed: RenamedAccount;
}

/** Is for an account that is not gone, and not to be made twice; who has left it and is locked has no need of it. */
function renamedElsewhere(row: PersonRow, { entry, renamed }: Renamed, rules: PersonRules): PersonDecision {
  const isMissing = row.desired === null;
  const isLeaving = isMissing || row.desired === 'left' || stagedOf(row)?.active === false;
  if (isLeaving && entry.state === 'disabled' && renamed.locked) return NONE;
  const reason = `the account's username was changed in the service to ${renamed.username}: change it back there`;
  const counts = isMissing && !renamed.locked;
  return counts ? { is: 'blocked', reason, misses: missesOf(entry, rules) } : { is: 'blocked', reason };
}

/** The account that was found under this username is another person's. */
function isAnothers(row: PersonRow): boolean {
  return row.usernameOwner !== null && !hasAccount(row);
}

/** A username that is ours comes with another source id, and its own id is gone or has left: perhaps the same person. */
function isRekey(row: PersonRow): boolean {
  return isAnothers(row) && row.ownerMissing;
}

/** Returns what approving that makes of the account besides. */
function thenOf({ active }: StagedPerson, owner: PersonEntry | null): string {
  if (active === true && owner?.state === 'disabled') return ' The account would be enabled';
  return active === false && owner?.state !== 'disabled' ? ' The account would be disabled' : '';
}

/**
 * Held until a person says so (promise 4); then the ledger's id changes, and the record is compared anew. What will follow
 * from that is shown, and is what is approved.
 */
function rekey(row: PersonRow): PersonDecision {
  const staged = stagedOf(row);
  if (staged === null) return NONE;
  const { owner = null } = row;
  const payload = owner === null ? staged.payload : payloadOf(row, owner);
  const follows = owner === null ? [] : wantedChanges(row, owner, payload);
  const fields = [{ field: 'id', from: row.usernameOwner, to: row.id }, ...follows];
  const why = `the same username as ${row.usernameOwner ?? ''}, who is missing or has left: the same person?${thenOf(staged, owner)}`;
  const before = owner?.sent.positions ?? [];
  return change('adopt', { row, payload, why, guard: 'usernameReuse', fields, before });
}
