import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  connectDatabase,
  surveyDatabase,
  surveyFile,
  type DatabaseFacts,
  type FileFacts,
} from '../../app/survey.ts';
import type { InitOptions } from './options.ts';
import { passwordOf, type Looked, type Password } from './target.ts';
import type { Prompter } from './prompter.ts';
import { DraftSection, type Draft, type DraftEntry } from '../../domain/draft.ts';
import { ConfigError } from '../../domain/errors.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';
import type { TableShape } from '../../domain/survey/table-facts.ts';
import { listSome } from '../../domain/text/printable.ts';
import { beside } from '../../lib/beside.ts';
import { chooseTables, knownApplication, type ChosenTables } from '../../proposal/tables/choose-tables.ts';
import { proposeTables } from '../../proposal/tables/propose-tables.ts';

const TIMEOUT = 30;
/** Tables that are named where none looks like people. */
const NAMED = 30;

interface Asking {
  readonly prompter: Prompter;
  readonly options: InitOptions;
  readonly target: string;
  readonly signal: AbortSignal;
}

export async function lookAtDatabase(asking: Asking): Promise<Looked> {
  const { prompter, options, target, signal } = asking;
  const url = await prompter.ask({
    text: 'Address of the database, as postgres://USER@HOST/NAME, mariadb://USER@HOST/NAME or sqlite:PATH',
    flag: '--url',
    given: options.url,
    problem: (answer) => urlProblem(answer, options),
  });
  const isFile = /^sqlite:/iu.test(url);
  const password =
    isFile || options.anonymous
      ? null
      : await passwordOf(prompter, {
          target,
          name: 'database-password',
          given: options.passwordFile,
          text: `Password of ${userOf(url)}`,
          spell: encodeURIComponent,
        });
  const tls = { caFile: options.caFile, insecure: false };
  const own = isFile ? `sqlite:${resolve(url.replace(/^sqlite:(?:\/\/)?/iu, ''))}` : url;
  const settings = { type: 'sql', url: withPassword(own, password), tls, timeoutSeconds: TIMEOUT } as const;
  const facts = await surveyDatabase(await connectDatabase(settings, signal), (tables) =>
    sampled(tables, options),
  );
  const address: DraftEntry = { key: 'url', value: referring(own, password), refers: password !== null };
  const draft = draftOf(facts, { address, options });
  return { ...draft, secrets: password?.files ?? [] };
}

function urlProblem(url: string, { anonymous }: InitOptions): string | null {
  const { schemes, urls } = SOURCE_KINDS.sql;
  if (!schemes.some((scheme) => url.toLowerCase().startsWith(scheme))) return `begin it with ${urls}`;
  if (/^sqlite:/iu.test(url)) return null;
  if (!URL.canParse(url)) return 'it cannot be read as a URL; write scheme://USER@HOST/NAME';
  const { username, password } = new URL(url);
  if (password !== '')
    return 'leave the password out of it, and name a file that holds it with --password-file';
  return username === '' && !anonymous ? 'name the user: scheme://USER@HOST/NAME' : null;
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);

/** Returns the address with the password in it, as drivers get it. */
function withPassword(url: string, password: Password | null): string {
  return password === null ? url : url.replace('@', () => `:${encodeURIComponent(password.text)}@`);
}

/** Returns the address as the configuration has it. */
function referring(url: string, password: Password | null): string {
  return password === null ? url : url.replace('@', () => `:${password.reference}@`);
}

/** Returns the tables to look into; none where a recipe is known, since it fits all of them. */
function sampled(tables: readonly TableShape[], options: InitOptions): readonly TableShape[] {
  requireNamed(tables, options);
  if (recipeOf(tables, options) !== undefined) return [];
  const { people, units, positions } = chosenBy(options, tables);
  return [people, units, positions].filter((table) => table !== undefined);
}

function chosenBy<T extends TableShape>(
  { peopleTable, unitsTable }: InitOptions,
  tables: readonly T[],
): ChosenTables<T> {
  return chooseTables(tables, { people: peopleTable, units: unitsTable });
}

function recipeOf(
  tables: readonly TableShape[],
  { peopleTable, unitsTable }: InitOptions,
): ReturnType<typeof knownApplication> {
  return peopleTable === undefined && unitsTable === undefined ? knownApplication(tables) : undefined;
}

/** Throws a `ConfigError` where a flag names a table that is not there. */
function requireNamed(tables: readonly TableShape[], { peopleTable, unitsTable }: InitOptions): void {
  for (const [flag, name] of Object.entries({ '--people-table': peopleTable, '--units-table': unitsTable })) {
    if (name === undefined || tables.some((table) => table.name.toLowerCase() === name.toLowerCase()))
      continue;
    throw new ConfigError(`rollcall init: ${flag}: there is no ${name}; ${tablesIn(tables)}.`);
  }
}

interface Found {
  readonly address: DraftEntry;
  readonly options: InitOptions;
}

function draftOf({ tables, samples }: DatabaseFacts, { address, options }: Found): Omit<Looked, 'secrets'> {
  const known = recipeOf(tables, options);
  if (known !== undefined) {
    const { title, recipe } = known;
    const assumed = [
      `its tables are those of ${title}: units and people are as in the recipe ${recipe}.yaml`,
    ];
    return { entries: [address, ...tlsOf(options)], recipe: recipeText(recipe), assumed, gaps: [], seen: [] };
  }
  const byName = new Map(samples.map((table) => [table.name, table]));
  const { people, units, positions, others } = chosenBy(options, tables);
  const sample = (table: TableShape | undefined): (typeof samples)[number] | undefined =>
    table === undefined ? undefined : byName.get(table.name);
  const chosen = { people: sample(people), units: sample(units), positions: sample(positions) };
  const draft: Draft = proposeTables('sql', {
    ...chosen,
    others: others.map((table) => ({ ...table, columns: [], rows: 0, isWhole: false })),
  });
  const type: DraftEntry = { key: 'type', value: 'sql' };
  const source = new DraftSection([type, address, ...tlsOf(options), ...draft.entries]);
  const seen = people === undefined ? [tablesIn(tables)] : [];
  return { ...draft, entries: [{ key: 'source', value: source }], seen };
}

function tablesIn(tables: readonly TableShape[]): string {
  if (tables.length === 0) return 'this user sees no table at all: grant SELECT on those that are to be read';
  const names = tables.map(
    ({ name, columns }) =>
      `${name} (${listSome(
        columns.map((one) => one.name),
        { atMost: 6 },
      )})`,
  );
  return `the tables that this user sees: ${listSome(names, { atMost: NAMED, separator: '; ' })}`;
}

function tlsOf({ caFile }: InitOptions): readonly DraftEntry[] {
  return caFile === undefined ? [] : [{ key: 'tls', value: { caFile } }];
}

/** Returns what a recipe says from `source` on, without what the address brings: password and authority. */
function recipeText(name: string): string {
  const text = readFileSync(beside(`config/recipes/${name}.yaml`), 'utf8');
  return text.slice(text.indexOf('\nsource:') + 1).replaceAll(/^ {2}(?:password|tls): .*\n/gmu, '');
}

type FilesAsking = Pick<Asking, 'prompter' | 'options'>;

export async function lookAtFiles({ prompter, options }: FilesAsking): Promise<Looked> {
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
