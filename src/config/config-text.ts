import { readFileSync } from 'node:fs';
import { Document, Pair, Scalar, YAMLMap, type Node } from 'yaml';
import { DraftSection, type DraftEntry, type DraftValue } from '../domain/draft.ts';
import { codeOf, ConfigError } from '../domain/errors.ts';
import { problemsOf } from '../domain/problems.ts';
import { escapeHidden } from '../domain/text/printable.ts';
import { secretIn } from '../lib/secret-in.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT:
    'there is no such file; name it with --config FILE or ROLLCALL_CONFIG, or write one with rollcall init',
  EACCES: 'it may not be read by this user; change its owner or mode',
  EISDIR: 'it is a directory; name the file in it',
};

/** Problems of the file as a whole. */
export const fileProblem = problemsOf(ConfigError, {
  'config-unreadable': '{file}: {why}',
  'config-not-text': '{file}: it is not UTF-8 text; save it as UTF-8',
});

/** Returns the text of the configuration file. @throws ConfigError if it cannot be read as UTF-8 */
export function configText(file: string): string {
  const bytes = readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fileProblem('config-not-text', { file }, { cause });
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw fileProblem('config-unreadable', { file, why: whyUnreadable(cause) }, { cause });
  }
}

/** Returns why a file could not be read, and what to do. */
function whyUnreadable(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? `it cannot be read (${code}); check the disk and the mount`;
}

interface Interpolation {
  readonly text: string;
  /** What is wrong with the references of the text, each with its remedy; empty: nothing. */
  readonly problems: readonly Reference[];
  /** Path of the file, if the whole text is one `${file:…}`. */
  readonly file?: string | undefined;
  /** Whether the text had any reference. */
  readonly referred: boolean;
}

type Reference = { readonly wrong: string; readonly remedy: string };
type Resolved = { readonly value: string } | Reference;

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g;
const VARIABLE = /^([A-Za-z_]\w*)(?::-([^]*))?$/;
const FORMS = 'write ${NAME}, ${NAME:-default} or ${file:/path}; a literal ${ is $${';

/**
 * Resolves `${NAME}`, `${NAME:-default}` (also if NAME is empty, as in a shell) and `${file:/path}`; `$${` stands
 * for a literal `${`. The text of a file ends before its trailing line breaks.
 */
export function interpolate(text: string, env: NodeJS.ProcessEnv): Interpolation {
  const problems: Reference[] = [];
  let referred = false;
  const resolved = text.replace(REFERENCE, (match, inner: string | undefined, end: string | undefined) => {
    if (inner === undefined) return '${';
    referred = true;
    const answer = end === '}' ? resolveReference(inner, env) : unclosed(match);
    if ('value' in answer) return answer.value;
    problems.push(answer);
    return '';
  });
  return { text: resolved, problems, file: fileReference(text), referred };
}

function unclosed(match: string): Reference {
  return { wrong: `"${match.slice(0, 2)}" without its "}"`, remedy: FORMS };
}

function fileReference(text: string): string | undefined {
  return /^\$\{file:([^}]+)\}$/.exec(text)?.[1]?.trim();
}

function resolveReference(inner: string, env: NodeJS.ProcessEnv): Resolved {
  if (inner.startsWith('file:')) return readSecret(inner.slice('file:'.length).trim());
  const [, name, fallback] = VARIABLE.exec(inner) ?? [];
  if (name === undefined || fallback?.includes('${') === true) {
    return { wrong: 'a ${…} that cannot be understood', remedy: FORMS };
  }
  return resolveVariable(name, fallback, env);
}

function resolveVariable(name: string, fallback: string | undefined, env: NodeJS.ProcessEnv): Resolved {
  const value = env[name];
  if (fallback !== undefined) return { value: value === undefined || value === '' ? fallback : value };
  if (value !== undefined) return { value };
  return {
    wrong: `the environment variable ${name} is not set`,
    remedy: `set it, or write \${${name}:-default}`,
  };
}

/** @param file path from `${file:…}`: its text is one secret, perhaps with a line break at its end */
function readSecret(file: string): Resolved {
  if (file === '') return { wrong: 'a ${file:…} without a path', remedy: FORMS };
  try {
    const value = secretIn(readFileSync(file, 'utf8'));
    if (value.trim() !== '') return { value };
    return { wrong: `the file ${file} is empty`, remedy: 'write the secret into it' };
  } catch (error) {
    const exists = codeOf(error) !== 'ENOENT';
    if (exists) return { wrong: `the file ${file} cannot be used`, remedy: whyUnreadable(error) };
    return {
      wrong: `the file ${file} does not exist`,
      remedy: 'write the secret into it, or correct the path',
    };
  }
}

/** Returns a draft as YAML, with the reasons as comments. */
export function draftText(entries: readonly DraftEntry[]): string {
  const document = new Document();
  document.contents = sectionNode(document, entries) as never;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function sectionNode(document: Document, entries: readonly DraftEntry[]): YAMLMap {
  const map = new YAMLMap();
  for (const { key, value, because, refers } of entries) {
    const node = nodeOf(document, value, refers ?? false);
    // Names from outside may stand in a comment: line breaks in them are escaped, so that none ends it.
    if (because !== undefined) node.comment = ` ${escapeHidden(because)}`;
    map.items.push(new Pair(new Scalar(key), node));
  }
  return map;
}

function nodeOf(document: Document, value: DraftValue | DraftSection, refers: boolean): Node {
  if (value instanceof DraftSection) return sectionNode(document, value.entries);
  return document.createNode(refers ? value : literal(value), { flow: true }) as Node;
}

/** Returns a value in which `${` stands for itself. */
function literal(value: DraftValue): DraftValue {
  if (typeof value === 'string') return value.replaceAll('${', '$${');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: DraftValue) => literal(one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, literal(one)]));
}
