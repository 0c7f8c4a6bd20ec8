/** The documented forms. Capitals do not matter: telephones begin a sentence with one. */
const REPLY = /^\s*(?:approve|批准)\s+(?<hash>[\da-f]{12})\s*$/iu;

/** Returns the hash that an answer releases, in lower case; `null` if it is anything but `approve HASH` or 批准 HASH. */
export function parseReply(text: string): string | null {
  return REPLY.exec(text)?.groups?.['hash']?.toLowerCase() ?? null;
}
