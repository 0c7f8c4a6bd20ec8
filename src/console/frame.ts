import { createHash } from 'node:crypto';
import { Markup, markup } from '../page/markup.ts';
import { STYLE } from '../page/style.ts';
import { CONSOLE_STYLE } from './style.ts';

export const VIEWS = {
  '/console': 'Status',
  '/console/runs': 'Runs',
  '/console/plan': 'Plan',
  '/console/explain': 'Explain',
  '/console/history': 'History',
} as const;
export type ViewPath = keyof typeof VIEWS;

const style = `\n${(STYLE + CONSOLE_STYLE).trim()}\n`;

/** Content of the `Content-Security-Policy`: no script at all, and no style but this one. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export interface Framed {
  readonly title: string;
  /** Whose ledger it is: `domain/organization`; `null`: the reader may not know. */
  readonly about: string | null;
  /** Which view it is; `null`: none, and the views are not named. */
  readonly here: ViewPath | null;
  readonly body: Markup | readonly Markup[];
}

/** Returns a page of the console, all of it: it asks for nothing more. */
export function framed({ title, about, here, body }: Framed): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · rollcall</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header>
<p class="quiet">rollcall${about === null ? '' : markup` · <bdi>${about}</bdi>`}</p>
${here === null ? '' : viewLinks(here)}
</header>
<main>
<h1><bdi>${title}</bdi></h1>
${body}
</main>
</body>
</html>
`.text;
}

/** Returns the links to all views. */
export function viewLinks(here: ViewPath): Markup {
  const links = Object.entries(VIEWS).map(([path, name]) =>
    path === here
      ? markup`<a href="${path}" aria-current="page">${name}</a>`
      : markup`<a href="${path}">${name}</a>`,
  );
  return markup`<nav class="views" aria-label="Views">${links}</nav>`;
}

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
