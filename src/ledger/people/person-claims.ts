import { foldUsername } from '../../domain/text/fold.ts';
import { underWayId } from '../../domain/records/former-account.ts';
import type { PersonEntry, PersonRow, StagedPerson } from '../../domain/ports/ledger.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { flag, text, textOrNull } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';
import { entryOf, one } from './person-entry.ts';

/** `:left` 0: and does not say "left". */
const IN_THIS_READ = `
  SELECT 1 WHERE EXISTS (SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = :id)
    OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = :id AND (:left OR d.active IS NOT 0))
    OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = :id AND r.subject = 'person'
               AND (:left OR NOT EXISTS (SELECT 1 FROM staging.has_left l WHERE l.id = r.id)))`;

interface Claimed {
  readonly id: string;
  readonly username: string;
  readonly left: boolean;
  /** As it was sent last. */
  readonly name: string | null;
}

/** Who else has this username: in the ledger, and in this read of the source. Not the person's new account in doubt. */
export function claimsOf(
  db: Database,
  { id, username, left, name }: Claimed,
): Pick<PersonRow, 'usernameOwner' | 'ownerMissing' | 'owner'> & Claim {
  const key = foldUsername(username);
  const owners = `SELECT id FROM person WHERE username_key = :key AND id <> :id
      AND NOT (state = 'creating' AND id = :underWay)
    UNION ALL SELECT id FROM staging.renamed WHERE username_key = :key AND id <> :id`;
  const underWay = underWayId(id, username);
  const owner = one(db.sql(owners).get({ key, id, underWay }), (row) => text(row, 'id'));
  const ownerMissing =
    owner !== null && db.sql(IN_THIS_READ).get({ id: owner, left: Number(left) }) === undefined;
  const entry = ownerMissing ? entryOf(db, owner) : null;
  return { usernameOwner: owner, ownerMissing, owner: entry, ...claimOf(db, { id, username, name }) };
}

type Claim = Pick<PersonRow, 'claimedBy' | 'claimIsBad' | 'claimHasLeft'>;

/** Records of this read with a username, sound or not. */
const CLAIMS = `
  SELECT c.id, c.active, c.bad, c.name, p.state, json_extract(p.sent, '$.fields.name') AS known FROM (
    SELECT id, active, EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = d.id AND r.subject <> 'unit') AS bad,
      json_extract(payload, '$.fields.name') AS name
      FROM staging.person d WHERE username_key = :key
    UNION ALL SELECT id, active, 1, NULL FROM staging.refused
      WHERE username_key = :key AND subject = 'person' AND id IS NOT NULL
  ) c LEFT JOIN person p ON p.id = c.id WHERE c.id <> :id`;

function claimOf(db: Database, claimed: Omit<Claimed, 'left'>): Claim {
  const { id, username } = claimed;
  const claims = db.sql(CLAIMS).all({ key: foldUsername(username), id });
  const claim = claims.find((row) => mayBeSame(row, claimed));
  return claim === undefined
    ? { claimedBy: null, claimIsBad: false, claimHasLeft: false }
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
 * Who has an account that we know is somebody else, whatever login HR gave them, but where the record has our name as well
 * and had another one: then the source has given that id again. A person's own new account in doubt is theirs; who is
 * inactive claims none, so that it leaves like everybody who is missing.
 */
function mayBeSame(claim: Row, { id, username, name }: Omit<Claimed, 'left'>): boolean {
  if (underWayId(text(claim, 'id'), username) === id) return claim['active'] !== 0;
  if (!isKnown(claim)) return true;
  return name !== null && claim['name'] === name && claim['known'] !== name;
}

interface Recorded {
  readonly ours: PersonEntry | null;
  readonly staged: StagedPerson | null;
  readonly owner: string | null;
}

export function isOwnersRecord(db: Database, { ours, staged, owner }: Recorded): boolean {
  if (ours === null || staged === null || owner === null) return false;
  if (foldUsername(ours.username) === foldUsername(staged.username)) return false;
  const name = nameOf(staged.payload);
  return name !== null && name !== nameOf(ours.sent) && name === nameOf(entryOf(db, owner)?.sent);
}

export function nameOf(payload: PersonPayload | undefined): string | null {
  const name = payload?.fields['name'];
  return typeof name === 'string' ? name : null;
}
