import { createHash } from 'node:crypto';
import { printable } from '../domain/text/printable.ts';
import { Markup, markup } from '../page/markup.ts';
import { STYLE } from '../page/style.ts';
import { CONSOLE_STYLE } from './style.ts';
import { VIEWS } from './views.ts';

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
  /** Path of the view whose link is marked; `null`: the views are not named. */
  readonly here: string | null;
  /** What stands above the title. */
  readonly above?: readonly Markup[];
  readonly body: Markup | readonly Markup[];
  /** Who has entered a token, see `Asked.by`; absent: nobody. */
  readonly by?: string | undefined;
}

/** Returns a page of the console, all of it: it asks for nothing more. */
export function framed({ title, about, here, above = [], body, by }: Framed): string {
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
${above}
</header>
<main>
<h1><bdi>${title}</bdi></h1>
${body}
</main>
${by === undefined ? '' : signOut(by)}
</body>
</html>
`.text;
}

const signOut = (by: string): Markup =>
  markup`<footer><form method="post" action="/console/leave" class="out"><bdi>${printable(by)}</bdi> <button>Sign out</button></form></footer>`;

/** Returns the links to all views that have a name. */
export function viewLinks(here: string): Markup {
  const links = VIEWS.flatMap(({ path, name }) => {
    if (name === null) return [];
    const current = path === here ? markup` aria-current="page"` : '';
    return [markup`<a href="${path}"${current}>${name}</a>`];
  });
  return markup`<nav class="views" aria-label="Views">${links}</nav>`;
}
