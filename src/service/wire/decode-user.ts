import type { User } from '../../domain/ports/service.ts';
import { idOf, objectOf, shownBoolean, textOrNull } from './decode.ts';

/**
 * Decodes a user (interface, "User"). One without an account name counts among the records of its page, under
 * the empty name.
 */
export function decodeUser(value: unknown): User {
  const user = objectOf(value, 'a user');
  return {
    userId: idOf(user['user_id'] ?? user['id'], 'the user_id of a user'),
    username: textOrNull(user['username']) ?? '',
    ...(shownBoolean(user['disabled']) === true ? { disabled: true } : {}),
  };
}
