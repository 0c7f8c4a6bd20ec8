import type { ReadMark } from '../../../domain/reading/increment.ts';
import { digest } from '../../../lib/digest.ts';
import type { ScimList } from '../wire/scim-list.ts';
import type { Seen } from './seen-now.ts';

/** What a mark has. */
export interface Mark extends Seen {
  /** Address of the server: marks of one are not those of another. */
  readonly server: string;
  /** Who is asked for, as a digest. */
  readonly asked: string;
}

/** Changes with the form of the text. */
const VERSION = 1;

export const writeMark = (mark: Mark): ReadMark => ({ how: 'scim', text: JSON.stringify([VERSION, mark]) });

/** Returns what `writeMark` wrote; `null`: another version of the program did. */
export function parseMark(text: string): Mark | null {
  try {
    const [version, mark] = JSON.parse(text) as readonly [number, Mark];
    return version === VERSION ? mark : null;
  } catch {
    return null;
  }
}

/** Returns who is asked for, as a digest. */
export const askedIn = ({ resource, filter }: ScimList): string =>
  digest(JSON.stringify([resource, filter ?? null]));
