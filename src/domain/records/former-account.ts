import { foldUsername } from '../text/fold.ts';

/** Source id of the account that a person had before the username changed: no source has it, so it leaves. */
export function formerId(id: string, username: string): string {
  return `${id} (was ${username})`;
}

/** Source id of the person whose account this was before the username changed, or `null`. */
export function formerlyOf(id: string, username: string): string | null {
  const end = formerId('', username);
  return id.endsWith(end) ? id.slice(0, -end.length) : null;
}

/** Source id of a person's new account while it is in doubt whether the service has it. */
export function underWayId(id: string, username: string): string {
  return `${id} (new ${foldUsername(username)})`;
}
