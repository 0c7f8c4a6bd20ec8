import { configText } from './config-text.ts';
import { configTree } from './config-tree.ts';

const REFERENCES = /\$\{file:([^}]+)\}/gu;

/**
 * Returns all that may be the path of a file in a configuration: its texts, what stands in a `${file:…}`, and the databases
 * of `sqlite:` addresses.
 */
export function namedFiles(configFile: string, env: NodeJS.ProcessEnv): readonly string[] {
  const text = configText(configFile);
  const references = Array.from(text.matchAll(REFERENCES), ([, reference = '']) => reference.trim());
  const named = [...references, ...textsIn(configTree(text, env).value)];
  return named.map((one) => one.replace(/^sqlite:(?:\/\/)?/iu, ''));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
