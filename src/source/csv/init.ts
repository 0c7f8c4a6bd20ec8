import { resolve } from 'node:path';
import type { Draft } from '../../domain/draft.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { CsvSettings } from './kind.ts';
import { missingFlag, withHead, type KindInit } from '../init/init-kind.ts';
import { chosenBy } from '../init/choose-tables.ts';
import { proposeTables } from '../init/propose-tables.ts';
import { surveyFile, type FileFacts } from './survey-file.ts';

export const csvInit: KindInit<CsvSettings> = {
  async draft(flags) {
    if (flags.file.length === 0) throw missingFlag('--url or --file');
    const files: FileFacts[] = [];
    for (const path of new Set(flags.file.map((given) => resolve(given)))) files.push(await surveyFile(path));
    return proposeFiles(files, {
      peopleTable: absolute(flags.peopleTable),
      unitsTable: absolute(flags.unitsTable),
    });
  },

  columns: async (settings, part) => (await surveyFile(settings[part]?.file ?? '')).table.columns,
};

const absolute = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolve(path);

function proposeFiles(files: readonly FileFacts[], named: Parameters<typeof chosenBy>[0]): Draft {
  const tables = files.map(({ table }) => table);
  const chosen = chosenBy(named, tables);
  const unused = tables.filter((table) => !Object.values(chosen).includes(table));
  const draft = proposeTables('file', chosen);
  const trailers = new Map(files.map(({ table, trailer }) => [trailer, table.name]));
  const [trailer = null] = trailers.size === 1 ? trailers.keys() : [];
  const complete = { maxAgeHours: 26, ...(trailer !== null && { trailer: { pattern: trailer } }) };
  const ends = trailer === null ? 'better add doneFile: or trailer:, which tell' : 'the last line tells';
  const entries = [
    { key: 'encoding', value: encodingOf(files), because: 'assumed by what the bytes spell' },
    { key: 'complete', value: complete, because: `assumed: exported once a day; ${ends} a file that is cut` },
    ...draft.entries,
  ];
  const gaps = [
    ...draft.gaps,
    ...unused.map(({ name }) => `say with --units-table if ${name} has the units: nothing uses it`),
    ...(trailers.size > 1 ? [`end all files alike, and write complete.trailer: ${endsOf(trailers)}`] : []),
  ];
  return withHead({ ...draft, entries, gaps }, { type: 'csv' });
}

const endsOf = (trailers: ReadonlyMap<string | null, string>): string =>
  [...trailers]
    .map(([trailer, name]) => `${name} ends with ${trailer === null ? 'a row' : `a line like ${trailer}`}`)
    .join(', ');

/** Returns the encoding that all files have in common; plain ASCII is UTF-8, and the same in the others. */
function encodingOf(files: readonly FileFacts[]): string {
  const others = new Set(files.map(({ encoding }) => encoding).filter((encoding) => encoding !== 'utf-8'));
  if (others.size > 1)
    throw new ConfigError('rollcall init: the files are in different encodings; export them alike.');
  return [...others][0] ?? 'utf-8';
}
