import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, ROOT, textOf } from './page.ts';

const DOCS = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const PAGES = ['README.md', ...DOCS];

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
