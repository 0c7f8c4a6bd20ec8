import type { LdapVendor } from '../../../domain/directories/vendors.ts';
import { fullRead } from '../../../domain/full-reads.ts';
import type { FullReadNeeded } from '../../../domain/reading/increment.ts';
import type { LdapSettings } from '../settings/ldap-settings.ts';
import type { Plan } from '../../records/planned-read.ts';
import type { ReachAsk } from '../read/course.ts';
import { attributesIn } from '../read/known-attributes.ts';
import type { ChangesCourse, Way } from './ldap-changes.ts';
import { Dirsync } from './dirsync.ts';
import { Syncrepl } from './syncrepl.ts';

/** Attributes that a server computes from other entries: theirs change, and that of a person does not. */
const COMPUTED: ReadonlySet<string> = new Set([
  'memberof',
  'ismemberof',
  'nsrole',
  'directreports',
  'managedobjects',
  'tokengroups',
  'msds-user-account-control-computed',
  'msds-userpasswordexpirytimecomputed',
]);

/** Returns why no server could tell what changed, by the settings alone; `null`: it may. */
export function whyNever(settings: LdapSettings, plan: Plan<ReachAsk, unknown>): FullReadNeeded | null {
  const { units, people } = settings;
  if (units?.members !== undefined || people?.memberOf !== undefined) return fullRead('full-groups', {});
  const filters = plan.reach.filters.flatMap(({ filter }) => [...attributesIn(filter)]);
  const computed = [...plan.mapper.columns.map(({ name }) => name), ...filters].find((name) =>
    COMPUTED.has(name.toLowerCase()),
  );
  return computed === undefined ? null : fullRead('full-computed', { what: computed });
}

/** Returns the way in which the server of a read may tell what changed, or why it has none. */
export function wayOf(vendor: LdapVendor | null): ((course: ChangesCourse) => Way<object>) | FullReadNeeded {
  if (vendor === null) return fullRead('full-vendor', {});
  if (vendor.changes === null) return fullRead('full-389', {});
  const Kind: new (course: ChangesCourse) => Way<object> = WAYS[vendor.changes.how];
  return (course) => new Kind(course);
}

const WAYS = { syncrepl: Syncrepl, dirsync: Dirsync } as const;
