import type { Settings } from '../domain/settings.ts';
import { configText } from './text/config-text.ts';
import { configTree, pathKey, type ConfigTree } from './text/config-tree.ts';
import { crossFindings } from './findings/cross-checks.ts';
import { issueFindings } from './findings/issue-findings.ts';
import { configError, type Finding, type Problem } from './findings/problem.ts';
import { rawAt, withRaw } from './findings/raw.ts';
import { statePath } from './schema/settings-schema.ts';
import { parseSettings, type SettingsInput } from './sources/parse-settings.ts';
import { toSettings } from './to-settings.ts';
import { warningsOf } from './findings/warnings.ts';

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
  if (isEmpty(tree)) throw configError(file, [nothingInIt(tree)]);
  const settings = toSettings(checked(file, tree), (path) => tree.files.get(pathKey(path)));
  return { settings, warnings: warningsOf(settings) };
}

/**
 * Returns `state.path`, whatever else is wrong with the file; `null` where it cannot be told. Throws where
 * the file cannot be read.
 */
export function statePathOf(file: string, env: NodeJS.ProcessEnv): string | null {
  const { value, problems } = configTree(configText(file), env);
  const isUnresolved = problems.some(({ path }) => path[0] === 'state');
  if (value === undefined || isUnresolved) return null;
  const parsed = statePath.safeParse(rawAt(value, ['state', 'path']));
  return parsed.success ? parsed.data : null;
}

function isEmpty({ value, problems }: ConfigTree): boolean {
  return problems.length === 0 && (value === undefined || value === null);
}

function nothingInIt(tree: ConfigTree): Problem {
  const remedy = 'begin with config/ldap.example.yaml or config/database.example.yaml';
  return { path: [], place: tree.locate([]), wrong: 'the file is empty', remedy };
}

/** Checks the tree. Syntax errors are reported alone: what follows them in the file is guesswork. */
function checked(file: string, tree: ConfigTree): SettingsInput {
  if (tree.value === undefined) throw configError(file, tree.problems);
  const raw = withNumbers(tree);
  const parsed = parseSettings(raw);
  const issues = parsed.issues.flatMap((issue) => issueFindings(issue, raw));
  const findings = [...issues, ...parsed.findings, ...crossFindings(raw)];
  const problems = [...tree.problems, ...located(findings, tree)];
  if (parsed.input !== null && problems.length === 0) return parsed.input;
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

/** Reads a text that came out of `${…}` as a number or boolean where the schema wants one. */
function withNumbers({ value, referred }: ConfigTree): unknown {
  const { issues } = parseSettings(value);
  const wanted = new Map(
    issues.map((issue) => [pathKey(issue.path.filter((key) => typeof key !== 'symbol')), issue]),
  );
  return referred.reduce((raw, path) => {
    const issue = wanted.get(pathKey(path));
    const read = issue?.code === 'invalid_type' ? READERS[issue.expected] : undefined;
    return read === undefined ? raw : withRaw(raw, path, read(String(rawAt(raw, path))));
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
