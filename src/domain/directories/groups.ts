import type { MembersBy } from '../group-choices.ts';
import type { FieldRule } from '../source-settings.ts';
import type { LdapVendor } from './vendors.ts';

const CLASSES: Readonly<Record<MembersBy, string>> = {
  member: 'groupOfNames',
  uniqueMember: 'groupOfUniqueNames',
  memberUid: 'posixGroup',
  memberOf: 'groupOfNames',
};

/** Returns what a vendor's groups have for filter and fields. */
export function groupDefaults(
  { groups, units }: LdapVendor,
  by: MembersBy,
): { readonly filter: string; readonly fields: { readonly id: FieldRule; readonly name: FieldRule } } {
  return { filter: groups ?? `(objectClass=${CLASSES[by]})`, fields: { id: units.fields.id, name: 'cn' } };
}
