import { PartKeeper, type Keeping } from '../kept/part-keeper.ts';
import type { KeeperOf } from './planned-read.ts';
import type { SourceContext } from './source-context.ts';

/** Returns what keeps the records of each part of a source, where they are to be kept. */
export function keepersOf(
  source: Pick<Keeping, 'settings' | 'identity'>,
  { keep, idPrefix = '' }: SourceContext,
): KeeperOf {
  return (part, mapper) =>
    keep === undefined ? null : new PartKeeper(part, mapper, { ...source, keep, idPrefix });
}
