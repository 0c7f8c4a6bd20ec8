import { digest } from '../../lib/digest.ts';
import type { Run } from './world.ts';

/** Returns a digest of the rules that decide about people and units, and of the tables behind them. */
export const decidingRules = ({ source, sync }: Pick<Run, 'source' | 'sync'>): string =>
  digest(JSON.stringify([source.identity, source.decides ?? '', sync.protect.where ?? null])).slice(0, 8);
