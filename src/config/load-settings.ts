import { configText } from './config-text.ts';
import { configTree, pathKey, type ConfigTree } from './config-tree.ts';
import { issueFindings } from './findings/issue-findings.ts';
import { configError, type Problem } from './findings/problem.ts';
import { withoutGoneKeys } from './gone-keys.ts';
import { parseSettings, type Parsed } from './parse-settings.ts';
import { statePath } from './schema/settings-schema.ts';
import type { ConsoleSettings, NotifySettings, Settings } from '../domain/settings.ts';
import { pathsIn, rawAt, withRaw, type Finding, type Path } from '../schema/raw.ts';
import { isClear } from '../schema/url-problems.ts';
import { kindOf, sourcesOf, type PlacedSource } from '../source/kinds.ts';

export interface LoadedSettings {
  readonly settings: Settings;
  /** Sentences for the log about what is allowed but not advisable. */
  readonly warnings: readonly string[];
}

/** @throws ConfigError with every problem of the file: place, path, what is wrong, what to do */
export function loadSettings(file: string, env: NodeJS.ProcessEnv): LoadedSettings {
  return settingsFrom(configText(file), file, env);
}

/**
 * Loads the text of a configuration that is in no file yet.
 *
 * @param file name for messages
 * @throws ConfigError with every problem of the text
 */
export function settingsFrom(text: string, file: string, env: NodeJS.ProcessEnv): LoadedSettings {
  const tree = configTree(text, env);
  if (isEmpty(tree)) throw configError(file, [emptyFile(tree)]);
  const settings = checked(file, tree);
  return { settings, warnings: warningsOf(settings) };
}

/**
 * Returns `state.path`, even if the rest of the file has mistakes; `null` if it is not known. Throws if the
 * file cannot be read.
 */
export function statePathOf(file: string, env: NodeJS.ProcessEnv): string | null {
  const { value, problems } = configTree(configText(file), env);
  const isUnresolved = problems.some(({ path }) => path[0] === 'state');
  if (value === undefined || isUnresolved) return null;
  const parsed = statePath.safeParse(rawAt(value, ['state', 'path']));
  return parsed.success ? parsed.data : null;
}

/** Returns the line in which a key stands, such as `source.people.fields.active`, or what is nearest above it. */
export function lineOf(file: string, key: string): number {
  const path = key.split(/[.[\]]+/u).filter((part) => part !== '');
  const tree = configTree(configText(file), {});
  return tree.locate(path.map((part) => (/^\d+$/u.test(part) ? Number(part) : part))).line;
}

function isEmpty({ value, problems }: ConfigTree): boolean {
  return problems.length === 0 && (value === undefined || value === null);
}

function emptyFile(tree: ConfigTree): Problem {
  const remedy = 'begin with config/ldap.example.yaml or config/database.example.yaml';
  return { problem: 'config-yaml', path: [], place: tree.locate([]), wrong: 'the file is empty', remedy };
}

/** Checks the tree. Syntax errors are reported alone: what follows them in the file is guesswork. */
function checked(file: string, tree: ConfigTree): Settings {
  if (tree.value === undefined) throw configError(file, tree.problems);
  const gone = withoutGoneKeys(tree.value);
  const parse = (value: unknown): Parsed => parseSettings(value, (path) => tree.files.get(pathKey(path)));
  const first = parse(gone.raw);
  const raw = withNumbers(gone.raw, tree.referred, first.issues);
  const parsed = raw === gone.raw ? first : parse(raw);
  const issues = parsed.issues.flatMap((issue) => issueFindings(issue, raw));
  const findings = [...gone.findings, ...issues, ...parsed.findings];
  const problems = [...tree.problems, ...located(findings, tree)];
  if (parsed.settings !== null && problems.length === 0) return parsed.settings;
  throw configError(file, problems);
}

/**
 * Adds the place in the file to each finding. A value whose `${…}` could not be resolved has that problem
 * alone, and not also that it is empty.
 */
function located(findings: readonly Finding[], tree: ConfigTree): readonly Problem[] {
  const unresolved = new Set(tree.problems.map(({ path }) => pathKey(path)));
  return findings
    .filter(({ path }) => !unresolved.has(pathKey(path)))
    .map((finding) => ({ ...finding, place: tree.locate(finding.path) }));
}

/** Reads a text that came out of `${…}` as a number or boolean if the schema wants one. */
function withNumbers(value: unknown, referred: readonly Path[], issues: Parsed['issues']): unknown {
  const expected = new Map(
    issues.map((issue) => [pathKey(issue.path.filter((key) => typeof key !== 'symbol')), issue]),
  );
  return referred.reduce((raw, path) => {
    const issue = expected.get(pathKey(path));
    const reader = issue?.code === 'invalid_type' ? READERS[issue.expected] : undefined;
    return reader === undefined ? raw : withRaw(raw, path, reader(String(rawAt(raw, path))));
  }, value);
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  number: readNumber,
  int: readNumber,
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
};

function readNumber(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Returns what is allowed but worth a line in the log at every start. */
function warningsOf({ service, source, sync, notify }: Settings): readonly string[] {
  return [
    ...sourcesOf(source).flatMap(sourceWarnings),
    ...(sync.fullCron === null && sourcesOf(source).some((one) => one.source.changes === 'auto')
      ? ['sync.fullCron is null: what increments of the source miss is never found']
      : []),
    ...(isClear(service.baseUrl, 'http:')
      ? ['service.baseUrl is http://: the token goes over the network in clear; use https://']
      : []),
    ...(notify?.email?.startTls === false && isClear(notify.email.url, 'smtp:')
      ? ['notify.email.startTls is false: password and names go over the network in clear; remove it']
      : []),
    ...(isClear(notify?.webhook?.url ?? 'https://none', 'http:')
      ? ['notify.webhook.url is http://: it goes over the network in clear; use https://']
      : []),
  ];
}

function sourceWarnings({ path, source }: PlacedSource): readonly string[] {
  const named = [...('tls' in source ? insecureWarning(source.tls) : []), ...kindOf(source).inClear(source)];
  return named.map((warning) => warning.replace(/^source\./u, `${path}.`));
}

function insecureWarning({ insecure }: { readonly insecure: boolean }): readonly string[] {
  if (!insecure) return [];
  return ['source.tls.insecure is true: anybody in between can pose as the source; use tls.caFile instead'];
}

/**
 * Returns the literal secrets of the settings, so that the log hides them everywhere. A token from a file or
 * a command is known only when it is read; the code that reads it passes it to the log.
 */
export function secretsOf({ service, source, approvals, http, notify }: Settings): readonly string[] {
  const tokens = [service.token, service.appToken].filter((token) => typeof token === 'string');
  const { token = '', key = '' } = approvals?.callback ?? {};
  const all = [
    token,
    key,
    ...consoleTokens(http?.console),
    ...tokens,
    ...[service.proxy ?? '', service.limits.shared?.url ?? ''].flatMap(urlPasswords),
    ...(notify === undefined ? [] : secretsOfNotices(notify)),
    ...sourcesOf(source).flatMap(literalSecrets),
  ];
  return [...new Set(all)].filter((secret) => secret !== '');
}

const secretsOfNotices = ({ email, webhook }: NotifySettings): readonly string[] => [
  ...urlPasswords(email?.url ?? ''),
  webhook?.url ?? '',
  webhook?.secret ?? '',
];

const consoleTokens = ({ token = '', approvers = [] }: ConsoleSettings = {}): readonly string[] => [
  token,
  ...approvers.map((approver) => approver.token),
];

/** Returns the secrets of a source that stand in the settings, and the passwords in its addresses. */
function literalSecrets({ source }: PlacedSource): readonly string[] {
  const { url = '', otherUrls = [] } = source as {
    readonly url?: string;
    readonly otherUrls?: readonly string[];
  };
  const secrets = kindOf(source).secrets.flatMap((path) =>
    pathsIn(source, path).map((one) => rawAt(source, one)),
  );
  return [
    ...secrets.filter((secret) => typeof secret === 'string'),
    ...[url, ...otherUrls].flatMap(urlPasswords),
  ];
}

/** Returns the password both as the URL has it and as the server gets it. */
function urlPasswords(text: string): readonly string[] {
  const { password } = URL.canParse(text) ? new URL(text) : { password: '' };
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
