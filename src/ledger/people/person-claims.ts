import { foldUsername, isNamedAs } from '../../domain/text/fold.ts';
import { FORGOTTEN } from '../../domain/records/account-named.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Holder, PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { flag, textOrNull, text, type Database, type Row } from '../database/database.ts';
import { entryOf, one } from './person-entry.ts';
import { SENT_NAME } from '../database/names.ts';
import { isForgotten } from '../journal/name-hashes.ts';
import type { Hints } from './row-hints.ts';
import { isMarked, marked } from '../database/marks.ts';
import { IS_ITSELF } from '../staging/staging-schema.ts';

/** The person is in this read. With `:left` 0, a record that says "left" does not count. */
const IN_THIS_READ = `
  SELECT 1 WHERE EXISTS (SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = :id)
    OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = :id AND (:left OR d.active IS NOT 0))
    OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = :id AND r.subject = 'person'
               AND (:left OR NOT ${isMarked('hasLeft', 'r.id')}))`;

/** Ids that the source has given to another person. Most reads have none. */
const GIVEN_AGAIN = `SELECT 1 FROM ${marked('givenAgain')}`;

interface WantedUsername {
  readonly id: string;
  readonly username: string;
  readonly staged: StagedPerson | null;
  readonly ours: PersonEntry | null;
}

interface Claimed extends Pick<WantedUsername, 'id' | 'username'> {
  /** As it was sent last. */
  readonly name: string | null;
}

/** Returns who else has this username, in the ledger and in this read of the source. */
export function claimsOf(
  db: Database,
  { id, username, staged, ours }: WantedUsername,
  hints: Hints,
): Pick<PersonRow, 'usernameOwner' | 'ownerMissing' | 'owner' | 'holder'> & Claim {
  const owner = hints.owned ? ownerOf(db, id, username) : null;
  const left = Number(staged?.active === false);
  const ownerMissing = owner !== null && db.sql(IN_THIS_READ).get({ id: owner, left }) === undefined;
  const entry = ownerMissing ? entryOf(db, owner) : null;
  const claim = hints.claimed ? claimOf(db, { id, username, name: personName(ours?.sent) }) : NO_CLAIM;
  const holder = owner === null ? undefined : holderOf(db, owner);
  return {
    usernameOwner: owner,
    ownerMissing,
    owner: entry,
    ...(holder !== undefined && { holder }),
    ...claim,
  };
}

function holderOf(db: Database, id: string): Holder | undefined {
  const row = db.sql(`SELECT source_name, ${SENT_NAME} AS name FROM person WHERE id = ?`).get(id);
  return row === undefined
    ? undefined
    : { name: textOrNull(row, 'name'), inSource: textOrNull(row, 'source_name') };
}

function ownerOf(db: Database, id: string, username: string): string | null {
  const owners = `SELECT id FROM person WHERE username_key = :key AND id <> :id
    UNION ALL SELECT id FROM staging.renamed WHERE username_key = :key AND id <> :id`;
  const owner = one(db.sql(owners).get({ key: foldUsername(username), id }), (row) => text(row, 'id'));
  return owner ?? (isForgotten(db, username) ? FORGOTTEN : null);
}

type Claim = Pick<PersonRow, 'claimedBy' | 'claimIsBad' | 'claimHasLeft'>;

const NO_CLAIM: Claim = { claimedBy: null, claimIsBad: false, claimHasLeft: false };

/** Records of this read with this username, usable or not. */
const CLAIMS = `
  SELECT c.id, c.active, c.bad, c.name, p.state, json_extract(p.sent, '$.fields.name') AS known FROM (
    SELECT id, active, EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = d.id AND r.subject <> 'unit') AS bad,
      json_extract(payload, '$.fields.name') AS name
      FROM staging.person d WHERE username_key = :key
    UNION ALL SELECT id, active, 1, NULL FROM staging.refused
      WHERE username_key = :key AND subject = 'person' AND id IS NOT NULL
  ) c LEFT JOIN person p ON p.id = c.id WHERE c.id <> :id`;

function claimOf(db: Database, { id, username, name }: Claimed): Claim {
  const claims = db.sql(CLAIMS).all({ key: foldUsername(username), id });
  const claim = claims.find((row) => mayBeSame(db, row, name));
  return claim === undefined
    ? NO_CLAIM
    : {
        claimedBy: text(claim, 'id'),
        claimIsBad: flag(claim, 'bad') || isKnown(claim),
        claimHasLeft: claim['active'] === 0,
      };
}

function isKnown(claim: Row): boolean {
  const state = textOrNull(claim, 'state');
  return state !== null && state !== 'removed';
}

/**
 * Returns whether the record may be the same person as ours. The record of a known person is another person,
 * with any username, unless the source has given its id again. In that case the record has our name. In a
 * read that has such records, it may also have a name that neither person had.
 */
function mayBeSame(db: Database, claim: Row, name: string | null): boolean {
  if (!isKnown(claim) || db.sql(`${GIVEN_AGAIN} WHERE key = ?`).get(text(claim, 'id')) !== undefined)
    return true;
  const [now, before] = [textOrNull(claim, 'name'), textOrNull(claim, 'known')];
  if (name === null || now === null || now === before) return false;
  return isNamedAs(now, name, before ?? '') || db.sql(GIVEN_AGAIN).get() !== undefined;
}

interface Recorded {
  readonly ours: PersonEntry | null;
  readonly staged: StagedPerson | null;
  /** Source id of who else has the record's username, and whether that one is missing in this read. */
  readonly owner: string | null;
  readonly ownerMissing: boolean;
}

/** The source has had this login for this person before, so it says nothing new. */
const IS_OWN_LOGIN = 'SELECT 1 FROM person WHERE id = :id AND (username_key = :key OR source_key = :key)';
/** Other known people, by the usernames in records of this id that cannot be used. */
const OTHERS_LEFT = `
  SELECT o.id AS owner FROM staging.refused r JOIN person o ON o.username_key = r.username_key
  WHERE r.id = :id AND r.subject <> 'unit' AND o.id <> :id AND o.state IN ('managed', 'creating')
    AND NOT EXISTS (SELECT 1 FROM person p
      WHERE p.id = :id AND (p.username_key = r.username_key OR p.source_key = r.username_key))`;

/**
 * Returns by what the record is another person's; `null`: it is not. `name`: it has the username and the name
 * of another known person, and had others before. `username`: in a read with such a record, it has another
 * person's username and a name that this person did not have. Usernames may go from one person to another,
 * but then ids do not.
 */
export function ownersRecordOf(
  db: Database,
  { ours, staged, owner, ownerMissing }: Recorded,
): 'name' | 'username' | null {
  if (ours === null || staged === null || owner === null) return null;
  if (db.sql(`${GIVEN_AGAIN} WHERE key = ?`).get(ours.id) !== undefined) return 'name';
  if (db.sql(GIVEN_AGAIN).get() === undefined) return null;
  const key = foldUsername(staged.username);
  if (db.sql(IS_OWN_LOGIN).get({ id: ours.id, key }) !== undefined) return null;
  const name = personName(staged.payload);
  if (name === null || name === personName(ours.sent)) return null;
  if (db.sql(IS_ITSELF).get({ id: owner, key }) !== undefined) return null;
  return isHere(db, entryOf(db, owner), ownerMissing) ? 'username' : null;
}

/** Returns whether a complete read has said of the person that they have left, and none after it that they are here. */
export function hasSaidLeft(db: Database, { id }: PersonEntry): boolean {
  return db.sql(`SELECT 1 FROM ${marked('saidLeft')} WHERE key = ?`).get(id) !== undefined;
}

/** Returns whether the other person is still here: not removed, and not missing in this read after an earlier one. */
function isHere(db: Database, other: PersonEntry | null, isMissing: boolean): boolean {
  if (other === null || other.state === 'removed') return false;
  return !isMissing || (other.state !== 'disabled' && !hasSaidLeft(db, other));
}

/**
 * Returns the id of another person of ours whose username is in a record of this id that cannot be used. Only asked for
 * records that say "left", and `null` in a read without ids that were given again.
 */
export function leftAs(db: Database, ours: PersonEntry | null): string | null {
  if (ours === null || db.sql(GIVEN_AGAIN).get() === undefined) return null;
  return one(db.sql(OTHERS_LEFT).get({ id: ours.id }), (row) => text(row, 'owner'));
}

export function personName(payload: PersonPayload | undefined): string | null {
  const name = payload?.fields['name'];
  return typeof name === 'string' ? name : null;
}
