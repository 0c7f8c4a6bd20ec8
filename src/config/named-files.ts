import { statSync } from 'node:fs';
import { configText } from './config-text.ts';
import { configTree } from './config-tree.ts';

const REFERENCES = /\$\{file:([^}]+)\}/gu;

/**
 * Returns whether a configuration names a file that exists: as a path, in a `${file:…}`, or as the database of a `sqlite:`
 * address. Links count as what they lead to.
 */
export function namesFile(configFile: string, env: NodeJS.ProcessEnv, path: string): boolean {
  const file = identityOf(path);
  if (file === null) return false;
  const text = configText(configFile);
  const references = Array.from(text.matchAll(REFERENCES), ([, reference = '']) => reference.trim());
  const named = [...references, ...textsIn(configTree(text, env).value)];
  return named.some((one) => identityOf(one.replace(/^sqlite:(?:\/\/)?/iu, '')) === file);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns what tells one file from another; `null`: there is none, or this user cannot look. */
function identityOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true ? `${found.dev}:${found.ino}` : null;
  } catch {
    return null;
  }
}
