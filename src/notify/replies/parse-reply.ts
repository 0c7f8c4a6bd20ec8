/** The words that release; a person writes what is quicker. */
const RELEASE = ['approve', 'approved', '批准', '同意'];
const REPLY = new RegExp(
  String.raw`^(?:@\S+\s+)*(?:${RELEASE.join('|')})[\s:_=-]*(?<hashes>[\da-f]{12}(?:[\s,、]+[\da-f]{12})*)[.。!]*$`,
  'iu',
);
/** Nobody writes more hashes than guards hold. */
const LONGEST = 1_000;

/**
 * Returns the hashes that an answer releases, in lower case; `null` where it is anything else. Full-width letters and
 * a name in front (`@rollcall`) are passed over; nothing else may stand beside the hashes.
 */
export function parseReply(text: string): readonly string[] | null {
  if (text.length > LONGEST) return null;
  const hashes = REPLY.exec(text.normalize('NFKC').trim())?.groups?.['hashes'];
  return hashes === undefined ? null : [...new Set(hashes.toLowerCase().split(/[\s,、]+/u))];
}
