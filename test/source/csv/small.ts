import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import type { CsvSettings } from '../../../src/source/csv/kind.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { csvSource } from '../open-one.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { COMPLETE, csvSettings } from '../csv-world.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import type { Whole } from '../world.ts';

export interface Small {
  readonly folder: string;
  /** Writes one of `units.csv` and `people.csv`, or another file. */
  readonly write: (name: string, content: string | Buffer) => void;
  readonly settings: (changes?: Partial<Whole<CsvSettings>>) => Whole<CsvSettings>;
  readonly read: (changes?: Partial<Whole<CsvSettings>>, clock?: Clock) => Promise<ReadResult>;
  /** With these settings of `complete`. */
  readonly readIf: (complete: Partial<CsvSettings['complete']>, clock?: Clock) => Promise<ReadResult>;
}

export const UNITS_TEXT = 'id,parent_id,name\nu1,,Company\nu2,u1,Sales\n';
export const PEOPLE_TEXT = 'id,login,name,title,unit\n1,ann,Ann,Boss,u1\n2,bob,Bob,,u2\n';

/** An export of two files: two units, two people with their positions. */
export function smallExport(): Small {
  const folder = scratchFolder('csv');
  onTestFinished(() => removeFolder(folder));
  const write: Small['write'] = (name, content) => writeFileSync(join(folder, name), content);
  write('units.csv', UNITS_TEXT);
  write('people.csv', PEOPLE_TEXT);
  const settings = (changes: Partial<Whole<CsvSettings>> = {}): Whole<CsvSettings> => {
    const { people, positions: _, ...rest } = csvSettings(folder);
    const rules: Whole<CsvSettings>['people']['rules'] = {
      ...people.rules,
      id: 'id',
      username: 'login',
      active: undefined,
      fields: { name: 'name' },
      positions: [{ unit: 'unit', job_title: 'title' }],
    };
    return { ...rest, people: { ...people, rules }, ...changes };
  };
  const read: Small['read'] = (changes, clock) => readAll(csvSource(settings(changes), clock));
  return {
    folder,
    write,
    settings,
    read,
    readIf: (complete, clock) => read({ complete: { ...COMPLETE, ...complete } }, clock),
  };
}
