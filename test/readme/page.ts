import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';

export const ROOT = new URL('../..', import.meta.url).pathname;

/** Returns a page of the docs without its fenced examples. */
export const textOf = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replaceAll(/^ *```.*?^ *```/gmsu, '');

/** Returns the name by which a heading is linked to. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-');

/** Returns the names by which the headings of a page are linked to. */
export const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (?<heading>.*)$/gmu)].map(({ groups }) =>
    anchorOf(groups?.['heading'] ?? ''),
  );

/** Returns a table of Markdown. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The table, the list or the text in a fence behind a marker is made anew. */
function filled(page: string, [marker, table]: readonly [string, string]): string {
  const start = page.indexOf(`<!-- ${marker}:`);
  if (start === -1) throw new Error(`no marker ${marker}`);
  const head = page.slice(0, page.indexOf('-->', start) + 3);
  const rest = page
    .slice(head.length)
    .replace(/^\s*(?:(?:(?:\||- )[^\n]*\n)+|```text\n.*?\n```\n)?\s*/su, '');
  return `${head}\n\n${table}\n\n${rest}`;
}

/** Returns a page as it is, and as it is with these tables behind their markers; writes the latter with `UPDATE=1`. */
export async function withTables(
  file: string,
  tables: Readonly<Record<string, string>>,
): Promise<{ readonly is: string; readonly made: string }> {
  const path = join(ROOT, file);
  const text = Object.entries(tables).reduce(filled, readFileSync(path, 'utf8'));
  const made = await format(text, { parser: 'markdown', printWidth: 110, singleQuote: true });
  if (process.env['UPDATE'] === '1') writeFileSync(path, made);
  return { is: readFileSync(path, 'utf8'), made };
}
