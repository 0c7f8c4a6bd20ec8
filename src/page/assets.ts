import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beside } from '../lib/beside.ts';
import { STYLE } from './style.ts';

/** The page's own script and style, and the only ones that its policy lets in. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  /** Content of the `Content-Security-Policy`. */
  readonly policy: string;
}

/** Modules of the browser's script, each before those that import it. */
const MODULES = ['rows.js', 'elements.js', 'list.js', 'filters.js', 'plan-page.js'] as const;

let loaded: Assets | undefined;

export function assets(): Assets {
  loaded ??= load();
  return loaded;
}

function load(): Assets {
  const script = `\n${MODULES.map(readModule).join('\n')}\n`;
  const style = `\n${STYLE.trim()}\n`;
  const policy = [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    `style-src '${sha256(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return { script, style, policy };
}

/** Reads one module, without what only matters between files: the page has them as one. */
function readModule(name: string): string {
  const text = readFileSync(beside(`page/browser/${name}`), 'utf8');
  return text
    .replaceAll(/^import [^;]*;$/gmu, '')
    .replaceAll(/^export (?:\{\};$)?/gmu, '')
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gmu, '')
    .replaceAll(/^\s*(?:\/\*\*[^]*?\*\/|\/\/ .*)\n/gmu, '')
    .trim();
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
