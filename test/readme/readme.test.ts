import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './page.ts';

const DOCS = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
const PAGES = ['README.md', ...DOCS.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)];
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Returns the anchors of a page's headings, as they are made on the web. */
function anchorsOf(page: string): readonly string[] {
  const headings = textOf(page).matchAll(/^#+ (.+)$/gmu);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the links of a page to files of the project that are not there, or to headings that a page has not. */
function brokenLinks(page: string): readonly string[] {
  const links = Array.from(textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/gu));
  return links.flatMap(([, file = '', anchor]) => {
    const target = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(ROOT, target))) return [target];
    return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [`${target}#${anchor}`];
  });
}

test.each(PAGES)('the links of %s lead somewhere', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test('the README is short, and leads to each page of the docs', () => {
  const readme = textOf('README.md');
  expect(readme.split('\n').length).toBeLessThanOrEqual(250);
  expect(PAGES.filter((page) => page !== 'README.md' && !readme.includes(`(${page})`))).toEqual([]);
});

test.each(['ldap', 'database', 'csv'])('the README names the %s example', (name) => {
  expect(textOf('README.md')).toContain(`(config/${name}.example.yaml)`);
});
