import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { json, numberOrNull, text, textOrNull } from '../database/columns.ts';
import type { Row } from '../database/database.ts';

export function stagedOf(row: Row): StagedPerson {
  const active = numberOrNull(row, 'active');
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    active: active === null ? null : active === 1,
    hash: text(row, 'hash'),
    secretHash: textOrNull(row, 'secret_hash'),
    payload: json<PersonPayload>(row, 'payload'),
    problem: textOrNull(row, 'problem'),
  };
}
