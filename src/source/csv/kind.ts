import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { personFields, positionQueryFields, unitFields, where } from '../../schema/field-schema.ts';
import { ABOUT, REMEDY, section, text } from '../../schema/values.ts';
import { CSV_ENCODINGS, CSV_SEPARATORS } from '../../domain/source-choices.ts';
import type { Kind, SettingsWithRows } from '../records/kind.ts';
import { peoplePart, positionsPart, unitsPart } from '../records/part-rules.ts';

const completeFiles = section({
  doneFile: text.optional().describe('File that the export writes last.'),
  trailer: section({
    pattern: text.describe('Last line, as ^END;(\\d+)$ with the number of rows.'),
  })
    .optional()
    .describe('Last line of each file.'),
  maxAgeHours: z.number().positive().optional().describe('Hours after which a file is too old.'),
}).prefault({});

const asked = {
  file: text.optional().describe('Path, from where rollcall was started.'),
  command: z.array(text).min(1).optional().describe('Program that prints the file.'),
};

/** Returns the schema of a part that is either a file or what a program prints. */
const csvPart = <S extends z.core.$ZodLooseShape>(shape: S) =>
  section({ ...asked, ...shape }).refine(
    (part) => 'file' in part !== 'command' in part,
    `needs one of file and command${REMEDY}write file: PATH or command: [program, argument]`,
  );

const schema = section({
  type: z.literal('csv').describe(ABOUT.type),
  encoding: z.enum(CSV_ENCODINGS).default('utf-8').describe('latin1 includes windows-1252.'),
  separator: z.enum(CSV_SEPARATORS).default('auto').describe('Between cells.'),
  complete: completeFiles.describe('What proves that files are complete.'),
  units: csvPart({ where, fields: unitFields.describe(ABOUT.fields) })
    .transform((part) => unitsPart(part))
    .describe(ABOUT.units),
  people: csvPart({ where, fields: personFields.describe(ABOUT.fields) })
    .transform((part) => peoplePart(part))
    .describe(ABOUT.people),
  positions: csvPart({ fields: positionQueryFields.describe(ABOUT.fields) })
    .transform((part) => positionsPart(part))
    .optional()
    .describe(ABOUT.positions),
});

const member = schema.partial({ units: true, people: true });
const lookup = csvPart({});
type Input = z.output<typeof member>;

export type CsvSettings = SettingsWithRows<Input, z.output<typeof lookup>> & {
  readonly complete: {
    /** How long no file may have changed, if neither a done file nor a trailer proves its end; absent: 10. Tests wait less. */
    readonly quietSeconds?: number;
    /** What a program may take; absent: ten minutes, and 1 GB. Tests have less. */
    readonly program?: { readonly seconds: number; readonly megabytes: number };
  };
};

export const csvKind = {
  schema,
  member,
  lookup,
  settings: (input) => input,
  secrets: [],
  inClear: () => [],
  address: ({ units, people, positions, rows }) =>
    addressOf([units, people, positions, rows].flatMap((part) => (part === undefined ? [] : pathOf(part)))),
  widen: 'export more into source.units.file',
  lookAt: 'file and the export',
  positionsFrom: 'a file',
} satisfies Kind<Input, CsvSettings>;

/** Returns a path as messages name it. */
export const pathOf = ({ file, command: [program] = [] }: z.output<typeof lookup>): string =>
  file ?? `the output of ${program}`;

/** Returns the paths; those of one folder are short. */
function addressOf(files: readonly string[]): string {
  const paths = [...new Set(files)];
  const [folder, ...others] = new Set(paths.map((path) => dirname(path)));
  if (folder === undefined || others.length > 0 || paths.length === 1) return paths.join(', ');
  return `${folder}: ${paths.map((path) => basename(path)).join(', ')}`;
}
