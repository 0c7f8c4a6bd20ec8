/** `filename*=UTF-8''a%20b` (RFC 8187), `filename="a b"` and `filename=a` (RFC 6266). */
const EXTENDED = /;\s*filename\*\s*=\s*(?:UTF-8|ISO-8859-1)'[^']*'(?<name>[^;\s]+)/iu;
const QUOTED = /;\s*filename\s*=\s*"(?<name>(?:[^"\\]|\\.)*)"/iu;
const BARE = /;\s*filename\s*=\s*(?<name>[^";\s]+)/iu;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;

/** Returns whether an answer says that it is a file to keep. */
export function isAttachment(disposition: string | null): boolean {
  return /^\s*attachment\s*(?:;|$)/iu.test(disposition ?? '');
}

/**
 * Returns the file name in a `Content-Disposition` header, percent-decoded (interface, Media), without the
 * folders in it; `null` where there is none. It is what the service says: never a path to write to.
 */
export function fileNameOf(disposition: string | null): string | null {
  const header = disposition ?? '';
  const path = decoded(written(header, EXTENDED) ?? written(header, QUOTED) ?? written(header, BARE) ?? '');
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const clean = name.replaceAll(CONTROL, '').trim();
  return /^\.{0,2}$/u.test(clean) ? null : clean;
}

function written(header: string, pattern: RegExp): string | undefined {
  return pattern.exec(header)?.groups?.['name']?.replaceAll(/\\(.)/gu, '$1');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
