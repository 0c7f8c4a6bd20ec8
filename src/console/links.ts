import { Markup, markup } from '../page/markup.ts';

/** Returns an address with its query. */
export function linkTo(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

export const explainLink = (subject: string, id: string): string =>
  linkTo('/console/explain', { name: `${subject}:${id}` });

/** Returns links to the parts of a long list before and after this one. */
export function pager(
  newer: string | null,
  older: string | null,
  words: readonly [newer: string, older: string] = ['Previous', 'Next'],
): Markup {
  if (newer === null && older === null) return markup``;
  return markup`<nav aria-label="Pages">${pageLink(newer, `‹ ${words[0]}`)} ${pageLink(older, `${words[1]} ›`)}</nav>`;
}

const pageLink = (href: string | null, text: string): Markup =>
  href === null ? markup`` : markup`<a class="plain" href="${href}">${text}</a>`;
