import type { EmployeeRecord } from '../world/records.ts';
import { writeWire } from '../wire/write-wire.ts';
import { isList, isObject, type WireValue } from '../wire/wire-value.ts';

export interface Tags {
  readonly ids: readonly WireValue[];
  readonly names: readonly WireValue[];
}

/** Returns the tags: tags and rank are "read first", their names only where those are absent (interface). */
export function tagsOf({ profile }: EmployeeRecord): Tags {
  const { tags, tag_names: named } = profile;
  if (isList(tags)) return { ids: tags, names: [] };
  const items = isList(named) ? named.filter(isObject) : [];
  return {
    ids: items.map((item) => idOfName(writeWire([item['group'] ?? '', item['tag'] ?? '']))),
    names: items.map((item) => item['tag'] ?? ''),
  };
}

export function rankOf({ profile }: EmployeeRecord): WireValue | undefined {
  const name = profile['employee_rank_name'];
  return profile['rank'] ?? (typeof name === 'string' ? idOfName(name) : undefined);
}

/** Returns the same id for the same name without a table: FNV-1a, kept within an Integer. */
function idOfName(name: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 1;
}
