import {
  isEmpty,
  NODE_FIELDS_ALONG,
  NODE_FIELDS_UNWRITABLE,
  type Fields,
} from '../../domain/records/fields.ts';
import type { Organization } from '../../domain/ports/service.ts';

/**
 * Returns the fields of a node that a new node would not show, since no call can write them. An English or traditional
 * name that equals the node's name is no loss.
 */
export function lostWith({ name, fields }: Pick<Organization, 'name' | 'fields'>): readonly string[] {
  return NODE_FIELDS_UNWRITABLE.filter((field) => {
    const value = fields[field];
    return typeof value === 'string' && value.trim() !== '' && (value !== name || field === 'owner_id');
  });
}

/** Returns the fields that no rule may map and that are sent along to a new node. */
export function sentAlong({ fields }: Pick<Organization, 'fields'>): Fields {
  const shown = NODE_FIELDS_ALONG.filter((name) => !isEmpty(fields[name]));
  return Object.fromEntries(shown.map((name) => [name, fields[name] ?? null]));
}
