import { LinesDigest } from '../../lib/digest.ts';

/** Returns the hash that `--approve` takes, made from the digests of what is held in the order of the plan. */
export function hashOf(digests: Iterable<string>): string {
  const lines = new LinesDigest();
  for (const digest of digests) lines.add(digest);
  return lines.hex(12);
}
