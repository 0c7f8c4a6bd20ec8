import { readFileSync } from 'node:fs';
import { normalize, resolve } from 'node:path';
import {
  connectDatabase,
  surveyDatabase,
  surveyDirectory,
  surveyFile,
  surveyScim,
  type SourceKind,
} from '../../app/survey.ts';
import { DraftSection, type Draft, type DraftEntry } from '../../domain/draft.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { ChosenTables, TableShape } from '../../domain/survey-facts.ts';
import { listSome } from '../../domain/text/printable.ts';
import { secretIn } from '../../lib/secret-in.ts';
import { proposeDirectory, type Structure } from '../../proposal/propose-directory.ts';
import { proposeScim } from '../../proposal/propose-scim.ts';
import { chooseTables, nearestToPeople, proposeTables, tableNamed } from '../../proposal/propose-tables.ts';

/** Flags of `rollcall init`. */
export interface InitOptions {
  readonly kind?: SourceKind | undefined;
  readonly url?: string | undefined;
  readonly file: readonly string[];
  readonly bindDn?: string | undefined;
  readonly anonymous: boolean;
  readonly passwordFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly base?: string | undefined;
  readonly units?: Structure | undefined;
  readonly peopleTable?: string | undefined;
  readonly unitsTable?: string | undefined;
  readonly serviceUrl?: string | undefined;
  readonly domainId?: string | undefined;
  readonly orgCode?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly out?: string | undefined;
  readonly print: boolean;
}

/** Looks at the source that the flags name, and returns a proposal for `source`. */
export async function draftFromSource(given: InitOptions, signal: AbortSignal): Promise<Draft> {
  const options = { ...given, caFile: absolute(given.caFile) };
  const { url, file } = options;
  const draftFrom = { ldap: draftFromDirectory, sql: draftFromDatabase, scim: draftFromScim, csv: null }[
    kindOf(options)
  ];
  const draft =
    url === undefined || draftFrom === null
      ? await draftFromFiles(file, options)
      : await draftFrom(url, options, signal);
  return { ...draft, entries: [{ key: 'source', value: new DraftSection(draft.entries) }] };
}

/** Returns the kind of source that is meant. Throws a `ConfigError` if `--kind` and the address do not agree. */
function kindOf({ url, kind }: InitOptions): SourceKind {
  const [, scheme = ''] = /^(ldap|http)s?:/iu.exec(url ?? '') ?? [];
  const byScheme = scheme === '' ? 'sql' : scheme.toLowerCase() === 'ldap' ? 'ldap' : 'scim';
  const named = url === undefined ? 'csv' : byScheme;
  if (kind === undefined || kind === named) return named;
  const wanted = {
    ldap: '--url ldaps://…',
    sql: '--url postgres://…',
    csv: '--file',
    scim: '--url https://…',
  };
  throw new ConfigError(`rollcall init: --kind ${kind} goes with ${wanted[kind]}.`);
}

/** Returns a draft with entries before its own. */
function after(draft: Draft, head: readonly (DraftEntry | null)[]): Draft {
  return { ...draft, entries: [...head.filter((entry) => entry !== null), ...draft.entries] };
}

async function draftFromScim(url: string, options: InitOptions, signal: AbortSignal): Promise<Draft> {
  requireNoPassword(url);
  const { text: token, reference } = passwordOf(options);
  const { caFile } = options;
  const access = { url, token, tls: { caFile, insecure: false } };
  const draft = proposeScim(await surveyScim(access, signal));
  return after(draft, [
    { key: 'type', value: 'scim' },
    { key: 'url', value: url },
    { key: 'token', value: reference, refers: true },
    caFile === undefined ? null : { key: 'tls', value: { caFile } },
  ]);
}

async function draftFromDirectory(url: string, options: InitOptions, signal: AbortSignal): Promise<Draft> {
  const { base, units } = options;
  if (options.bindDn === undefined && !options.anonymous) throw missing('--bind-dn (or --anonymous)');
  requireNoPassword(url);
  const password = options.bindDn === undefined ? null : passwordOf(options);
  const caFile = options.caFile;
  const tls = { caFile, insecure: false };
  const access = { url, bindDn: options.bindDn, tls };
  const facts = await surveyDirectory({ ...access, bindPassword: password?.text }, base, signal);
  const draft = proposeDirectory(facts, units);
  return after(draft, [
    { key: 'type', value: 'ldap' },
    { key: 'url', value: url },
    options.bindDn === undefined ? null : { key: 'bindDn', value: options.bindDn },
    password === null ? null : { key: 'bindPassword', value: password.reference, refers: true },
    caFile === undefined ? null : { key: 'tls', value: { caFile } },
  ]);
}

async function draftFromDatabase(url: string, options: InitOptions, signal: AbortSignal): Promise<Draft> {
  if (/^(?:oracle|sqlserver|mssql):/iu.test(url))
    throw new ConfigError(
      'rollcall init looks at no tables of Oracle or SQL Server; begin with config/recipes/oracle-hr.yaml.',
    );
  const isFile = /^sqlite:/iu.test(url);
  const bare = isFile ? `sqlite:${resolve(url.replace(/^sqlite:(?:\/\/)?/iu, ''))}` : url;
  if (!isFile) requireNoPassword(url);
  const password = isFile || options.anonymous ? null : passwordOf(options);
  if (password !== null && !bare.includes('@')) throw missing('a user in --url (postgres://USER@…)');
  const address = password === null ? bare : bare.replace('@', `:${encodeURIComponent(password.text)}@`);
  const { caFile } = options;
  const settings = {
    type: 'sql',
    url: address,
    tls: { caFile, insecure: false },
  } as const;
  const chosen = await surveyDatabase(await connectDatabase(settings, signal), (tables) =>
    chosenBy(options, tables),
  );
  const draft = proposeTables('sql', chosen);
  return after(draft, [
    { key: 'type', value: 'sql' },
    { key: 'url', value: bare },
    password === null ? null : { key: 'password', value: password.reference, refers: true },
    caFile === undefined ? null : { key: 'tls', value: { caFile } },
  ]);
}

async function draftFromFiles(paths: readonly string[], options: InitOptions): Promise<Draft> {
  if (paths.length === 0) throw missing('--url or --file');
  const files = [];
  for (const path of new Set(paths.map((given) => resolve(given)))) files.push(await surveyFile(path));
  const tables = files.map(({ table }) => table);
  const names = { peopleTable: absolute(options.peopleTable), unitsTable: absolute(options.unitsTable) };
  const chosen = chosenBy(names, tables);
  const unused = tables.filter((table) => !Object.values(chosen).includes(table));
  const draft = proposeTables('csv', chosen);
  const trailers = new Map(files.map(({ table, trailer }) => [trailer, table.name]));
  const [trailer = null] = trailers.size === 1 ? trailers.keys() : [];
  const complete = { maxAgeHours: 26, ...(trailer !== null && { trailer: { pattern: trailer } }) };
  const ends = trailer === null ? 'better add doneFile: or trailer:, which tell' : 'the last line tells';
  const head = [
    { key: 'type', value: 'csv' },
    { key: 'encoding', value: encodingOf(files), because: 'assumed by what the bytes spell' },
    { key: 'complete', value: complete, because: `assumed: exported once a day; ${ends} a file that is cut` },
  ];
  const gaps = [
    ...draft.gaps,
    ...unused.map(({ name }) => `say with --units-table if ${name} has the units: nothing uses it`),
    ...(trailers.size > 1 ? [`end all files alike, and write complete.trailer: ${endsOf(trailers)}`] : []),
  ];
  return after({ ...draft, gaps }, head);
}

const endsOf = (trailers: ReadonlyMap<string | null, string>): string =>
  [...trailers]
    .map(([trailer, name]) => `${name} ends with ${trailer === null ? 'a row' : `a line like ${trailer}`}`)
    .join(', ');

/** Returns the encoding that all files have in common; plain ASCII is UTF-8, and the same in the others. */
function encodingOf(files: readonly { readonly encoding: string }[]): string {
  const others = new Set(files.map(({ encoding }) => encoding).filter((encoding) => encoding !== 'utf-8'));
  if (others.size > 1)
    throw new ConfigError('rollcall init: the files are in different encodings; export them alike.');
  return [...others][0] ?? 'utf-8';
}

const absolute = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolve(path);

/** Databases of applications that have a recipe, by tables that only they have together. */
const APPLICATIONS = [
  { title: 'OrangeHRM', tables: ['hs_hr_employee', 'ohrm_subunit'], recipe: 'orangehrm' },
  { title: 'Odoo', tables: ['hr_employee', 'hr_department'], recipe: 'odoo' },
  { title: 'ERPNext', tables: ['tabEmployee', 'tabDepartment'], recipe: 'erpnext' },
] as const;

/** Throws a `ConfigError` where a table that was named is not there, or none looks like people. */
function chosenBy<T extends TableShape>(
  { peopleTable: people, unitsTable: units }: Pick<InitOptions, 'peopleTable' | 'unitsTable'>,
  tables: readonly T[],
): ChosenTables<T> {
  const names = tables.map(({ name, columns }) => {
    const columnNames = listSome(
      columns.map((column) => column.name),
      { atMost: 6 },
    );
    return `${name} (${columnNames})`;
  });
  const visible = `what this user sees: ${listSome(names, { atMost: 30, separator: '; ' }) || 'no table at all'}`;
  for (const [flag, name] of Object.entries({ '--people-table': people, '--units-table': units }))
    if (name !== undefined && tableNamed(tables, name) === undefined)
      throw new ConfigError(`rollcall init: ${flag}: there is no ${name}; ${visible}.`);
  const application = APPLICATIONS.find((candidate) =>
    candidate.tables.every((name) => tableNamed(tables, name) !== undefined),
  );
  if (application !== undefined && people === undefined)
    throw new ConfigError(
      `rollcall init: these are the tables of ${application.title}; take config/recipes/${application.recipe}.yaml, which reads them.`,
    );
  const chosen = chooseTables(tables, { people, units });
  if (chosen !== undefined) return chosen;
  const expected = 'a table with an id, a name, and a username or mail address';
  const nearest = nearestToPeople(tables);
  const lacks = nearest?.lacks.map((one) => `no ${one}`).join(' and ') ?? '';
  const nearly = nearest === undefined ? '' : `; in ${nearest.table.name} there is ${lacks}`;
  throw new ConfigError(
    `rollcall init: nothing looks like people (${expected}${nearly}); name it by --people-table; ${visible}.`,
  );
}

interface Password {
  readonly text: string;
  /** `${file:…}` */
  readonly reference: string;
}

function passwordOf({ passwordFile }: InitOptions): Password {
  if (passwordFile === undefined) throw missing('--password-file');
  const path = normalize(passwordFile);
  try {
    return { text: secretIn(readFileSync(path, 'utf8')), reference: `\${file:${path}}` };
  } catch (cause) {
    throw new ConfigError(`--password-file: ${path} cannot be read; check its path and its mode.`, { cause });
  }
}

function requireNoPassword(url: string): void {
  if (!URL.canParse(url))
    throw new ConfigError(
      'rollcall init: --url cannot be read as a URL; write scheme://HOST or scheme://USER@HOST/NAME.',
    );
  if (new URL(url).password === '') return;
  throw new ConfigError(
    'rollcall init: --url: leave the password out of it, and name a file that holds it with --password-file.',
  );
}

function missing(flag: string): ConfigError {
  return new ConfigError(`rollcall init: ${flag} is missing; see rollcall init --help.`);
}
