import type { LdapSettings } from '../../../domain/source-settings.ts';
import type { Plan } from '../../records/planned-read.ts';
import { EntryReader } from './entry-reader.ts';
import type { Directory } from './open-directory.ts';
import type { Reach } from './reach.ts';
import type { SideConnections } from './side-connections.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import type { RestOf } from '../wire/whole-values.ts';

/** What one part reads. */
export interface ReachAsk {
  readonly reach: Reach;
}

/** What all parts of one read share. */
export interface Course {
  readonly settings: LdapSettings;
  /** When the read began. */
  readonly at: Date;
  readonly directory: Directory;
  readonly signal: AbortSignal;
  readonly side: SideConnections;
}

/**
 * Returns the searches of one part, one for each base.
 * @param hidden attributes that are read beside those of the rules
 */
export function searchesOf<T>(
  { reach, mapper }: Plan<ReachAsk, T>,
  { settings, directory }: Course,
  hidden: readonly string[] = [],
): readonly PagedSearch[] {
  return reach.bases.map(({ base, scope }) => ({
    path: reach.path,
    base,
    scope,
    filter: reach.filter,
    attributes: EntryReader.attributesFor(mapper.names, directory.attributes.accounts, hidden),
    pageSize: settings.pageSize,
    timeLimitSeconds: Math.ceil(settings.timeoutSeconds),
    referrals: settings.referrals,
    derefAliases: settings.derefAliases ?? 'never',
    partitions: directory.partitions,
  }));
}

/** Returns how the rest of long lists of values is asked for. */
export function restOf(path: string, { settings, side }: Course): RestOf {
  return {
    connect: async () => side.get('look'),
    path,
    timeLimitSeconds: Math.ceil(settings.timeoutSeconds),
  };
}
