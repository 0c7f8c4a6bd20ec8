import { readFileSync } from 'node:fs';
import { beside } from '../../lib/beside.ts';
import { STYLE } from '../../page/style.ts';
import { PAGE_HTML } from './page-html.ts';
import { OWN_STYLE } from './own-style.ts';

/** A file of the page, with its Content-Type. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** Folder in whose layout scripts have their addresses, so that their imports need no change. */
const SCRIPTS = '/sandbox/script/';

const MODULES: ReadonlySet<string> = new Set([
  'page/browser/elements.js',
  'sandbox/page/browser/shown.js',
  'sandbox/page/browser/rows.js',
  'sandbox/page/browser/units.js',
  'sandbox/page/browser/calls.js',
  'sandbox/page/browser/answer-box.js',
  'sandbox/page/browser/refreshed.js',
  'sandbox/page/browser/sandbox-page.js',
]);

/** Returns the file at an address of the page; `undefined` where there is none. */
export function pageFile(path: string): PageFile | undefined {
  if (path === '/') return { type: 'text/html', text: PAGE_HTML };
  if (path === '/sandbox/style.css') return { type: 'text/css', text: STYLE + OWN_STYLE };
  const module = path.startsWith(SCRIPTS) ? path.slice(SCRIPTS.length) : '';
  if (!MODULES.has(module)) return undefined;
  const text = readFileSync(beside(module), 'utf8');
  return { type: 'text/javascript', text: text.replaceAll(/^\/\/# sourceMappingURL=.*$/gmu, '') };
}
