import { readFileSync } from 'node:fs';
import { ConfigError } from '../../domain/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; name it with --config FILE or ROLLCALL_CONFIG',
  EACCES: 'it may not be read by this user; change its owner or mode',
  EISDIR: 'it is a directory; name the file in it',
};

/** Returns the text of the configuration file. @throws ConfigError where it cannot be read as UTF-8 */
export function configText(file: string): string {
  const bytes = readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError(`${file}: it is not UTF-8 text; save it as UTF-8`, { cause });
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new ConfigError(`${file}: ${whyUnreadable(cause)}`, { cause });
  }
}

/** Returns why a file could not be read, and what to do. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return REASONS[code] ?? `it cannot be read (${code}); check the disk and the mount`;
}
