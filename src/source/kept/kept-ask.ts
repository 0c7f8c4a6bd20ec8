import { normalize } from 'node:path';
import { ofKind, type OfKinds } from '../../domain/source-kinds.ts';
import type { SourceIdentity } from '../../domain/ports/source-identity.ts';
import type { OneSource } from '../../domain/source-settings.ts';

export type AskedPart = 'units' | 'people' | 'positions' | 'rows';
type Ask = Readonly<Record<string, unknown>>;

/** Returns which server or database this is. A file is told by its path, which is what its part is asked with. */
export function placeIn(identity: string): Pick<SourceIdentity, 'kind' | 'place'> {
  const { kind, place } = JSON.parse(identity) as SourceIdentity;
  return { kind, place: kind === 'csv' ? '' : place };
}

/** Keys of a part that are judged record by record, or that only name places. */
const OURS: ReadonlySet<string> = new Set(['rules', 'where', 'path', 'names', 'places', 'secrets']);

/** What all parts of a source are asked with. */
const OF_ALL: OfKinds<Ask> = {
  ldap: ({ referrals, derefAliases, vendor }) => ({ referrals, derefAliases, vendor }),
  sql: () => ({}),
  csv: ({ encoding, separator, quotes }) => ({ encoding, separator, quotes }),
  scim: () => ({}),
};

/**
 * Returns what decides which raw records a part has, by key of the configuration: only the source can tell which others
 * it would have where one of them is different.
 */
export function keptAsk(settings: OneSource, part: AskedPart): Readonly<Record<string, string>> {
  const parts: { readonly [K in AskedPart]?: object | undefined } = settings;
  const own = parts[part] ?? {};
  const asked = Object.entries({ ...own, ...ofKind(OF_ALL, settings) });
  return Object.fromEntries(
    asked.flatMap(([key, value]) =>
      value === undefined || OURS.has(key) ? [] : [[key, spelled(key, value)] as const],
    ),
  );
}

function spelled(key: string, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return key === 'file' ? normalize(value) : value;
}
