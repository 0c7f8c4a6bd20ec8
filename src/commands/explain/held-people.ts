import type { Held } from '../../domain/changes.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Guard } from '../../domain/settings.ts';

export interface HeldPerson {
  readonly id: string;
  readonly username: string;
}

/** Guards that hold only people, some of whom may not be in the ledger. */
const OF_PEOPLE: ReadonlySet<Guard> = new Set(['joiners', 'usernameReuse']);
/** `username (id)`, or for a replacement `old → new (id)`. */
const NAME = /^(?:.* → )?(?<username>.*?) \((?<id>.*)\)$/su;

/** Returns the people whom a group of held changes lists, if it is a group of people. */
export function heldPeople({ guard, first }: Held): readonly HeldPerson[] {
  if (!OF_PEOPLE.has(guard)) return [];
  return first.flatMap((name) => {
    const { username, id } = NAME.exec(name)?.groups ?? {};
    return username === undefined || id === undefined ? [] : [{ username, id }];
  });
}

/** Another source id that comes with the username of a managed person, and the guard that holds it. */
export interface Claim {
  readonly by: string;
  readonly held: Held;
}

/**
 * Returns the listed person who claims this username, or `null`. A claim is held until somebody decides
 * whether it is the same person.
 */
export function claimIn(groups: readonly Held[], { id, username }: HeldPerson): Claim | null {
  const key = foldUsername(username);
  for (const held of groups.filter(({ guard }) => guard === 'usernameReuse')) {
    const other = heldPeople(held).find((one) => one.id !== id && foldUsername(one.username) === key);
    if (other !== undefined) return { by: other.id, held };
  }
  return null;
}
