import { z } from 'zod';
import { suggest } from '../../../lib/suggest.ts';

/** Separator in a sentence about one key: what is wrong stands before it, what to do after it. */
export const REMEDY = '; ';

/**
 * Returns a schema of a mapping that knows its keys: an unknown key is a problem of its own, reported with
 * the key that was probably meant.
 * @param notYet keys of a later version, refused with a sentence
 */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape, notYet: readonly string[] = []) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    // One line for each key, in the order of the issue's keys.
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key: string) => unknownKey(key, known, notYet)).join('\n')
        : undefined,
  });
}

function unknownKey(key: string, known: readonly string[], notYet: readonly string[]): string {
  if (notYet.includes(key)) return `not supported yet${REMEDY}remove ${key}`;
  const meant = suggest(key, known);
  return `unknown key${REMEDY}${meant === undefined ? removeIt(known) : `did you mean ${meant}?`}`;
}

function removeIt(known: readonly string[]): string {
  const shown = known.slice(0, 12).join(', ');
  return `remove it; known here: ${shown}${known.length > 12 ? ', …' : ''}`;
}
