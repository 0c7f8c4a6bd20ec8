import { printable } from '../../../domain/text/printable.ts';
import { UNIT_GROUPS } from '../../../domain/source-choices.ts';
import type { Run } from '../../state/world.ts';

/** What one person alone had may go with this person. */
const SEVERAL = 2;

/**
 * Returns a sentence where most of our people who had positions name none in this read: what tells positions is hidden
 * then, rather than that all of them have left their units.
 *
 * @param unplaced how many of our active people had a position and name none now
 */
export function describeUnplaced({ ledger, source }: Run, unplaced: number): readonly string[] {
  const { managed } = ledger.people.counts();
  if (unplaced < SEVERAL || unplaced * 2 <= managed) return [];
  const rule = source.rules.position['unit'] ?? '';
  const what = source.hasPositions
    ? 'the rows of source.positions'
    : rule.includes(UNIT_GROUPS)
      ? 'the members of the groups (source.units.members)'
      : `what source.people.fields.positions reads${rule === '' ? '' : ` (${printable(rule)})`}`;
  return [
    `${unplaced.toLocaleString('en')} of ${managed.toLocaleString('en')} people name no position, and had one when they ` +
      `were last sent: look whether the reading account may still read ${what}; where it is gone for good, map what tells ` +
      'positions now',
  ];
}
