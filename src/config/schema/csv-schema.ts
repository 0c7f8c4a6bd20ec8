import { z } from 'zod';
import { ALSO_COUNTED, CSV_ENCODINGS, CSV_SEPARATORS } from '../../domain/csv-choices.ts';
import { personFields, positionQueryFields, unitFields, noParent, where } from './field-schema.ts';
import { section } from './checks/section.ts';
import { percent, text } from './values.ts';

const file = text.describe('Path; a relative one begins at the folder in which rollcall was started.');

const complete = section({
  doneFile: text
    .optional()
    .describe('File that the export writes last: not there, or older than another file, means not whole.'),
  trailer: section({
    pattern: text.describe(
      'Regular expression for the last line; its first group is the number of rows: ^END;(\\d+)$',
    ),
    alsoCounts: z.array(z.enum(ALSO_COUNTED)).default([]).describe('Lines that it counts besides the rows.'),
  }).optional(),
  endsWithLineBreak: z.boolean().default(false).describe('A file whose last line has none is cut.'),
  maxAgeHours: z.number().positive().optional().describe('An older file is not read.'),
  apartMinutes: z.number().min(0).optional().describe('Most time between the oldest and the newest file.'),
  quietSeconds: z
    .number()
    .min(0)
    .default(10)
    .describe('A file that changed so lately is waited for; not with doneFile or trailer.'),
  atLeastPercent: percent
    .default(80)
    .describe(
      'Fewer records than this share of the last complete read, and more than 5 fewer, is incomplete.',
    ),
}).prefault({});

export const csvSource = section({
  type: z.literal('csv'),
  encoding: z.enum(CSV_ENCODINGS).default('utf-8').describe('latin1 is also windows-1252.'),
  separator: z
    .enum(CSV_SEPARATORS)
    .default('auto')
    .describe('auto: the commonest of , ; tab | in the header.'),
  quotes: z.boolean().default(true).describe('Whether " begins and ends a cell.'),
  complete,
  units: section({ file, where: where.units, noParent, fields: unitFields }),
  people: section({ file, where: where.people, fields: personFields }),
  positions: section({ file, fields: positionQueryFields })
    .optional()
    .describe('One row for each person and unit.'),
});
