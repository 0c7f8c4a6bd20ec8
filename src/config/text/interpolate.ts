import { readFileSync } from 'node:fs';
import { whyUnreadable } from './config-text.ts';

export interface Interpolation {
  readonly text: string;
  /** What is wrong with the references of the text, each with its remedy; empty: nothing. */
  readonly problems: readonly Reference[];
  /** Path of the file, where the whole text is one `${file:…}`. */
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
 * Resolves `${NAME}`, `${NAME:-default}` (also where NAME is empty, as in a shell) and `${file:/path}`; `$${` stands
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
  return { text: resolved, problems, file: wholeFile(text), referred };
}

function unclosed(match: string): Reference {
  return { wrong: `"${match.slice(0, 2)}" without its "}"`, remedy: FORMS };
}

function wholeFile(text: string): string | undefined {
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
    const value = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/[\r\n]+$/, '');
    if (value !== '') return { value };
    return { wrong: `the file ${file} is empty`, remedy: 'write the secret into it' };
  } catch (error) {
    const isThere = !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
    if (isThere) return { wrong: `the file ${file} cannot be used`, remedy: whyUnreadable(error) };
    return {
      wrong: `the file ${file} does not exist`,
      remedy: 'write the secret into it, or correct the path',
    };
  }
}
