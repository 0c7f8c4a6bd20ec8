import { digest } from '../../lib/digest.ts';
import { withoutPlace } from '../../domain/reading/source-identity.ts';
import type { Run } from './world.ts';

/**
 * Returns a digest of what decides about people and units besides their records: rules, settings and tables
 * of `lookups`.
 */
export function decidingRules({ source, sync }: Pick<Run, 'source' | 'sync'>): string {
  const { protect, timezone, orphans } = sync;
  const all = [withoutPlace(source.identity), source.decides ?? '', protect, timezone, orphans];
  return digest(JSON.stringify(all)).slice(0, 8);
}

/** Returns a digest of `sync.protect`. */
export const protection = ({ sync }: Pick<Run, 'sync'>): string =>
  digest(JSON.stringify(sync.protect)).slice(0, 8);
