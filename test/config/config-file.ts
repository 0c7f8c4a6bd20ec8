import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings, type LoadedSettings } from '../../src/config/load-settings.ts';
import type { Settings } from '../../src/domain/settings.ts';
import type { OneSource } from '../../src/domain/source-settings.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import { scratchFolder } from '../servers/scratch.ts';

export function inTempDir(name: string, content: string | Uint8Array): string {
  const file = join(scratchFolder('config'), name);
  writeFileSync(file, content);
  return file;
}

export function load(text: string | Uint8Array, env: NodeJS.ProcessEnv = {}): LoadedSettings {
  return loadSettings(inTempDir('rollcall.yaml', text), env);
}

/** The message of the ConfigError that loading ends with, without the name of the temporary file. */
export function problemsOf(text: string | Uint8Array, env: NodeJS.ProcessEnv = {}): string {
  const file = inTempDir('rollcall.yaml', text);
  try {
    loadSettings(file, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replace(file, 'FILE');
    throw error;
  }
  throw new Error('it loaded');
}

/** The source of a file that has one. */
export function onlySource(settings: Settings): OneSource {
  const [only, ...others] = settings.source.members;
  if (only === undefined || others.length > 0) throw new Error('there are several sources');
  return only.source;
}

export const SERVICE = `service:
  baseUrl: https://im.example.com
  domainId: example
  orgCode: acme
  token: t0p-secret-token
`;

export const SQL = `source:
  type: sql
  url: sqlite:hr.db
  units: { query: select 1, fields: { id: id, name: name } }
  people: { query: select 2, fields: { id: emp_no, username: login, name: full_name } }
  positions: { query: select 3, fields: { person: emp_no, unit: dept_id } }
`;

/** A configuration that loads, with some of its text replaced. */
export function sqlConfig(
  ...replacements: readonly (readonly [search: string, replacement: string])[]
): string {
  return replacements.reduce((text, [search, replacement]) => {
    if (!text.includes(search)) throw new Error(`no ${search}`);
    return text.replace(search, () => replacement);
  }, SERVICE + SQL);
}
