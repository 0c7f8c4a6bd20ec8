import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

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

describe('the recipes', () => {
  test.each(RECIPES)('%s loads, and its rules and expressions compile', (name) => {
    const { settings } = load(recipe(name), ENV);
    const source = openSource(settings.source, { lookups: settings.lookups });
    expect(Object.keys(source.rules.person)).toEqual(expect.arrayContaining(['id', 'username', 'name']));
  });

  test('are all named on a page of their source', () => {
    const folder = join(FOLDER, '../../docs/sources');
    const pages = readdirSync(folder).map((page) => readFileSync(join(folder, page), 'utf8'));
    const isNamed = (name: string): boolean =>
      pages.some((page) => page.includes(`(../../config/recipes/${name})`));
    expect(RECIPES.filter((name) => !isNamed(name))).toEqual([]);
  });
});
