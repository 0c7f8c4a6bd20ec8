import { digest } from '../../lib/digest.ts';
import type { Run } from './world.ts';

/** Returns a digest of what decides about people and units beside their records: rules, settings, tables behind them. */
export const decidingRules = ({ source, sync }: Pick<Run, 'source' | 'sync'>): string =>
  digest(
    JSON.stringify([source.identity, source.decides ?? '', sync.protect, sync.timezone, sync.orphans]),
  ).slice(0, 8);
