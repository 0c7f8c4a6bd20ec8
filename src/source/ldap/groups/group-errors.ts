import { SourceError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';

/** @param groups the groups of the scope, each with its place in the configuration; `by`: what would name members */
export function nobodyThere(groups: readonly string[], by: readonly string[]): SourceError {
  const has = groups.length === 1 ? 'has no member' : 'have no member';
  return new SourceError(
    `${groups.join(', ')} ${has}, so that nobody would be in scope; the read is incomplete and nothing of it is used. ` +
      `Check the DN, and that source.bindDn may read ${by.join(', ')} of it.`,
  );
}

/** @param holder DN of a group that names it as a member */
export function hiddenGroup(dn: string, holder: string): SourceError {
  return new SourceError(
    `source: the group ${printable(holder)} has the member ${printable(dn)}, which was a group in the last complete read ` +
      'and is not found any more, so that its own members would be out of it; the read is incomplete and nothing of it is ' +
      'used. Give source.bindDn the right to read it; where it was deleted, take it out of the members of ' +
      `${printable(holder)}, or write its DN below source.people.exclude.`,
  );
}
