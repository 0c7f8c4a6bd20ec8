import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './page.ts';

const DOCS = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const PAGES = ['README.md', ...DOCS];

const textOf = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replaceAll(/^ *```.*?^ *```/gmsu, '');

/** Returns the name by which a heading is linked to. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-');

const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (?<heading>.*)$/gmu)].map(({ groups }) =>
    anchorOf(groups?.['heading'] ?? ''),
  );

function leadsNowhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

test.each(PAGES)('the links of %s lead to files and headings that are there', (page) => {
  const links = [...textOf(page).matchAll(/\]\((?<link>[^)\s]+)\)/gu)].map(
    ({ groups }) => groups?.['link'] ?? '',
  );
  const own = links.filter((link) => !/^https?:/u.test(link));
  expect(own.filter((link) => leadsNowhere(page, link))).toEqual([]);
});
