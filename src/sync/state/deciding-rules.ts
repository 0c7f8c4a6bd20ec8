import { digest } from '../../lib/digest.ts';
import { withoutPlace } from '../../domain/reading/source-identity.ts';
import type { Run } from './world.ts';

/**
 * Returns a digest of what decides about people and units besides their records: rules, settings and tables
 * of `lookups`.
 */
export const decidingRules = ({ source, sync }: Pick<Run, 'source' | 'sync'>): string =>
  digest(
    JSON.stringify([
      withoutPlace(source.identity),
      source.decides ?? '',
      ...[sync.protect, sync.timezone, sync.orphans],
    ]),
  ).slice(0, 8);
