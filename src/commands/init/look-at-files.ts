import { resolve } from 'node:path';

import { surveyFile, type FileFacts } from '../../app/survey.ts';
import { DraftSection, type DraftEntry } from '../../domain/draft.ts';
import { ConfigError } from '../../domain/errors.ts';
import { listSome } from '../../domain/text/printable.ts';
import { chooseTables } from '../../proposal/tables/choose-tables.ts';
import { proposeTables } from '../../proposal/tables/propose-tables.ts';
import type { Looked } from './looked.ts';
import type { InitOptions } from './options.ts';
import type { Prompter } from '../terminal/prompter.ts';

interface Asking {
  readonly prompter: Prompter;
  readonly options: InitOptions;
}

export async function lookAtFiles({ prompter, options }: Asking): Promise<Looked> {
  const text = 'Files of the export, separated by blanks: people, departments, positions';
  const given = options.file.length === 0 ? undefined : options.file.join(' ');
  const typed = await prompter.ask({ text, flag: '--file', given });
  const paths = options.file.length === 0 ? typed.split(/\s+/u) : options.file;
  const files: FileFacts[] = [];
  for (const path of paths) files.push(await surveyFile(resolve(path)));
  const people = options.peopleTable === undefined ? undefined : resolve(options.peopleTable);
  const units = options.unitsTable === undefined ? undefined : resolve(options.unitsTable);
  const tables = files.map(({ table }) => table);
  const draft = proposeTables('csv', chooseTables(tables, { people, units }));
  const encodings = new Set(files.flatMap(({ encoding }) => encoding ?? []));
  const [encoding = 'utf-8'] = encodings;
  if (encodings.size > 1)
    throw new ConfigError(
      `rollcall init: the files are in different encodings (${files.map((file) => `${file.table.name} ${file.encoding ?? 'ASCII'}`).join(', ')}); export them alike.`,
    );
  const isGuess = files.some((file) => file.isGuess);
  const head: readonly DraftEntry[] = [
    { key: 'type', value: 'csv' },
    {
      key: 'encoding',
      value: encoding,
      because: isGuess ? 'assumed by what the bytes spell' : 'as the bytes say',
    },
    {
      key: 'complete',
      value: { maxAgeHours: 26 },
      because:
        'assumed: exported once a day; better add doneFile: or trailer:, which tell a file that is cut',
    },
  ];
  const seen =
    draft.assumed.length > 0
      ? []
      : tables.map(
          ({ name, columns }) =>
            `${name} has ${listSome(
              columns.map((one) => one.name),
              { atMost: 12 },
            )}`,
        );
  return {
    ...draft,
    entries: [{ key: 'source', value: new DraftSection([...head, ...draft.entries]) }],
    secrets: [],
    seen,
  };
}
