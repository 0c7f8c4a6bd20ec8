import type { ReadMark } from '../../../domain/reading/increment.ts';
import { digest } from '../../../lib/digest.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';

/** What a mark has; `P`: up to where the server was seen, by the way in which it tells that. */
export interface Mark<P> {
  /** Address of the server: marks of one are not those of another. */
  readonly server: string;
  /** Who is asked for, as a digest. */
  readonly asked: string;
  /** Containers above people, as `ContainerList` writes them. */
  readonly containers: string;
  readonly seen: P;
}

/** Changes with the form of the text. */
const VERSION = 1;

export function writeMark<P>(how: ReadMark['how'], mark: Mark<P>): ReadMark {
  return { how, text: JSON.stringify([VERSION, mark]) };
}

/** Returns what `writeMark` wrote; `null`: another version of the program did. */
export function parseMark<P>(text: string): Mark<P> | null {
  try {
    const [version, mark] = JSON.parse(text) as readonly [number, Mark<P>];
    return version === VERSION ? mark : null;
  } catch {
    return null;
  }
}

/** Returns who is asked for, as a digest. */
export function askedIn({ people }: LdapSettings): string {
  if (people === undefined) return '';
  const { base, scope, moreBases = [], filter, exclude = [] } = people;
  return digest(JSON.stringify([base, scope, moreBases, filter, exclude]));
}
