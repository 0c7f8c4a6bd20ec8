import type { Edited } from '../../domain/changes.ts';
import type { Paint } from '../../domain/text/line.ts';
import { countBoth } from './left-out.ts';

/** What differs from the source on purpose, without any trouble. */
export interface Rest {
  /** People who are missing and wait for a further read. */
  readonly missing: number;
  readonly edited: Pick<Edited, 'units' | 'people'>;
  /** Accounts that keep another username than the source has. */
  readonly kept: number;
  /** Records that are held from the source after a revert. */
  readonly pinned?: number;
}

/** Returns the parts of a last line. While there is one of them, the service is not "in step". */
export function restParts({ missing, edited, kept, pinned = 0 }: Rest, paint: Paint): readonly string[] {
  const { units, people } = edited;
  const accounts = kept === 1 ? '1 account keeps' : `${kept} accounts keep`;
  return [
    ...(missing === 0 ? [] : [`${missing} missing, not yet often enough to leave`]),
    ...(units + people === 0 ? [] : [`${countBoth(units, people)} edited in the service and left so`]),
    ...(kept === 0 ? [] : [`${accounts} another username than in the source`]),
    ...(pinned === 0 ? [] : [`${pinned} held from the source after a revert`]),
  ].map((text) => paint('care', text));
}
