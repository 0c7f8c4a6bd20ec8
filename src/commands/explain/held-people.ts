import type { Held } from '../../domain/changes.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Guard } from '../../domain/settings.ts';

export interface HeldPerson {
  readonly id: string;
  readonly username: string;
}

/** Guards that hold people alone, among them some whom the ledger does not have. */
const OF_PEOPLE: ReadonlySet<Guard> = new Set(['joiners', 'usernameReuse']);
/** `username (id)`; of a replacement `old → new (id)`. */
const NAME = /^(?:.* → )?(?<username>.*?) \((?<id>.*)\)$/su;

/** Returns those whom a group of held changes lists, where it is one of people. */
export function heldPeople({ guard, first }: Held): readonly HeldPerson[] {
  if (!OF_PEOPLE.has(guard)) return [];
  return first.flatMap((name) => {
    const { username, id } = NAME.exec(name)?.groups ?? {};
    return username === undefined || id === undefined ? [] : [{ username, id }];
  });
}

/** Another source id that comes with the username of a person of ours, and the guard that holds it. */
export interface Claim {
  readonly by: string;
  readonly held: Held;
}

/** Returns who of the listed claims this username, held until a person says whether it is the same one; or `null`. */
export function claimIn(groups: readonly Held[], { id, username }: HeldPerson): Claim | null {
  const key = foldUsername(username);
  for (const held of groups.filter(({ guard }) => guard === 'usernameReuse')) {
    const other = heldPeople(held).find((one) => one.id !== id && foldUsername(one.username) === key);
    if (other !== undefined) return { by: other.id, held };
  }
  return null;
}
