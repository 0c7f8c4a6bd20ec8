import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packagedFile } from '../lib/packaged-file.ts';
import { STYLE } from './style.ts';

/** The page's own script and style, and the only ones that its policy lets in. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  /** Content of the `Content-Security-Policy`. */
  readonly policy: string;
}

let loaded: Assets | undefined;

export function assets(): Assets {
  loaded ??= load();
  return loaded;
}

function load(): Assets {
  const script = `\n${readScript()}\n`;
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

/** Reads the script, without what its readers alone need. */
function readScript(): string {
  return readFileSync(packagedFile('page/browser/plan-page.js'), 'utf8')
    .replaceAll(/^export \{\};$/gmu, '')
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gmu, '')
    .replaceAll(/^\s*(?:\/\*\*[^]*?\*\/|\/\/ .*)\n/gmu, '')
    .trim();
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
