import { foldUsername } from '../text/fold.ts';

/**
 * Returns the source id of the account that a person had before the username changed: no source has it, so it
 * leaves.
 */
export function formerId(id: string, username: string): string {
  return `${id} (was ${username})`;
}

/** Returns the source id of the person whose account this was before the username changed, or `null`. */
export function formerlyOf(id: string, username: string): string | null {
  const end = formerId('', username);
  return id.endsWith(end) ? id.slice(0, -end.length) : null;
}

/** Returns the source id of a person's new account while it is in doubt whether the service has it. */
export function underWayId(id: string, username: string): string {
  return `${id} (new ${foldUsername(username)})`;
}

/** Stands for the source id of whoever had a username and was forgotten. */
export const FORGOTTEN = '(forgotten)';
