const MARK = 'md5:';

/**
 * Returns the value of a unit's logo: a picture by the MD5 of its bytes, as lower-case hex. Media ids are the service's
 * own, and other ones after a restore: plans, hashes and snapshots have none of a picture that rollcall has sent.
 */
export function logoOf(digest: string): string {
  return MARK + digest;
}

/** Returns the digest in the value of a logo; `null`: it is none, such as a media id that rollcall does not know. */
export function digestIn(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : null;
}
