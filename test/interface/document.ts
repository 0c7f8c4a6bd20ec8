import { readFileSync } from 'node:fs';

const TEXT = readFileSync(new URL('service-interface.md', import.meta.url), 'utf8');

/** One row of a table of the document: cells by their column's heading. */
export type Row = Readonly<Record<string, string>>;

/** Returns the text below a heading, up to the next one of the same or a higher rank. */
export function sectionOf(heading: string): string {
  const lines = TEXT.split('\n');
  const from = lines.indexOf(heading);
  if (from < 0) throw new Error(`The document has no heading ${heading}`);
  const rank = /^#+/u.exec(heading)?.[0].length ?? 0;
  const length = lines.slice(from + 1).findIndex((line) => {
    const marks = /^(#+) /u.exec(line)?.[1] ?? '';
    return marks !== '' && marks.length <= rank;
  });
  return lines.slice(from + 1, length < 0 ? undefined : from + 1 + length).join('\n');
}

/** Returns the tables of a text in order. */
export function tablesOf(text: string): readonly (readonly Row[])[] {
  const blocks = text.match(/(?:^\|.*\n?)+/gmu) ?? [];
  return blocks.map((block) => {
    const [head = [], , ...rows] = block.trim().split('\n').map(cellsOf);
    return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
  });
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\||\|$/gu, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** `name (remarks)` of a cell: `limit (int, default 10)`. Names before one remark share it. */
export interface Mention {
  readonly name: string;
  readonly remarks: string;
}

/** Returns what a cell names, with its remarks: `width, height (Int, default 0)` are two. */
export function mentionsOf(cell: string): readonly Mention[] {
  const found: Mention[] = [];
  for (const part of cell.split(/;\s*(?![^(]*\))/u)) {
    let names: string[] = [];
    for (const [, name = '', remarks] of part.matchAll(
      /`?([A-Za-z][A-Za-z0-9_]*)`?(?:\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\))?(?:=\w+)?(?:,\s*|$)/gu,
    )) {
      names.push(name);
      if (remarks === undefined) continue;
      found.push(...names.map((one) => ({ name: one, remarks })));
      names = [];
    }
    found.push(...names.map((name) => ({ name, remarks: '' })));
  }
  return found;
}
