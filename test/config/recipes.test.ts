import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

import { isRaw, withRaw, type Path } from '../../src/schema/raw.ts';
import { openSource } from '../../src/source/open-source.ts';
import { load } from './config-file.ts';

const FOLDER = fileURLToPath(new URL('../../config/recipes', import.meta.url));
const RECIPES = readdirSync(FOLDER);

/** A recipe as its reader would have it: secrets in the environment in place of files. */
function recipe(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8').replaceAll(/\$\{file:[^}]*\}/gu, '${SECRET}');
}

const ENV = new Proxy(
  {},
  { get: () => 'secret', has: () => true, getOwnPropertyDescriptor: () => undefined },
);

const FILES = [...RECIPES, ...['ldap', 'database', 'csv'].map((name) => `../${name}.example.yaml`)];

/** Returns the paths of all keys with a value of their own. */
function keysIn(value: unknown, path: Path): readonly Path[] {
  if (!isRaw(value)) return [path];
  return Object.entries(value).flatMap(([key, one]) => keysIn(one, [...path, key]));
}

describe('the recipes', () => {
  test.each(RECIPES)('%s loads, and its rules and expressions compile', (name) => {
    const { settings } = load(recipe(name), ENV);
    const source = openSource(settings.source, { lookups: settings.lookups });
    expect(Object.keys(source.rules.person)).toEqual(expect.arrayContaining(['id', 'username', 'name']));
  });

  test.each(FILES)('%s writes no default', (file) => {
    const whole: unknown = parse(recipe(file));
    const settingsOf = (raw: unknown): string | null => {
      try {
        return JSON.stringify(load(stringify(raw), ENV).settings);
      } catch {
        return null;
      }
    };
    const all = settingsOf(whole);
    const idle = keysIn(whole, []).filter((path) => settingsOf(withRaw(whole, path, undefined)) === all);
    expect([all === null, idle.map((path) => path.join('.'))]).toEqual([false, []]);
  });

  test('are all named on a page of their source', () => {
    const folder = join(FOLDER, '../../docs/sources');
    const pages = readdirSync(folder).map((page) => readFileSync(join(folder, page), 'utf8'));
    const isNamed = (name: string): boolean =>
      pages.some((page) => page.includes(`(../../config/recipes/${name})`));
    expect(RECIPES.filter((name) => !isNamed(name))).toEqual([]);
  });
});
