import { digest } from '../../lib/digest.ts';
import { withoutPlace } from '../../domain/reading/source-identity.ts';
import type { Source } from '../../domain/reading/source.ts';
import type { SyncSettings } from '../../domain/settings.ts';

/**
 * Returns a digest of what decides about people and units besides their records: rules, settings and tables
 * of `lookups`.
 */
export function decidingRules(source: Source, { protect, timezone, orphans }: SyncSettings): string {
  const all = [withoutPlace(source.identity), source.decides ?? '', protect, timezone, orphans];
  return digest(JSON.stringify(all)).slice(0, 8);
}

/** Returns a digest of `sync.protect`. */
export const protection = ({ protect }: SyncSettings): string => digest(JSON.stringify(protect)).slice(0, 8);
