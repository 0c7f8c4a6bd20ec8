import { UNIT_GROUPS } from '../../../domain/source-choices.ts';
import { membersOf, type Decisive } from '../../../domain/records/records.ts';
import { digest } from '../../../lib/digest.ts';
import { allValues, type RawRecord } from './raw-record.ts';

/** A name and the slot where its values are. */
export interface NamedSlot {
  readonly slot: number;
  readonly name: string;
}

/** As many characters as tell a value from the one before it. */
const SHORT = 4;

/** Returns what the record has of these names; the groups that a person is in stand each by itself. */
export function decisiveIn({ cells }: Pick<RawRecord, 'cells'>, names: readonly NamedSlot[]): Decisive {
  const has: Record<string, string> = {};
  for (const { slot, name } of names) {
    const values = allValues(cells[slot]);
    if (name === UNIT_GROUPS) for (const group of values) has[membersOf(group)] = '';
    else if (values.length > 0) has[name] = digest(JSON.stringify(values)).slice(0, SHORT);
  }
  return has;
}
