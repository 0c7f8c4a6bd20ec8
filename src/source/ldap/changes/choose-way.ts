import type { LdapVendor } from '../../../domain/directories/vendors.ts';
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
export function whyNever(settings: LdapSettings, plan: Plan<ReachAsk, unknown>): string | null {
  const { units, people } = settings;
  if (units?.members !== undefined || people?.memberOf !== undefined)
    return 'groups decide about people, and a person’s entry does not change with its groups';
  const filters = plan.reach.filters.flatMap(({ filter }) => [...attributesIn(filter)]);
  const computed = [...plan.mapper.columns.map(({ name }) => name), ...filters].find((name) =>
    COMPUTED.has(name.toLowerCase()),
  );
  return computed === undefined
    ? null
    : `${computed} changes with other entries, and not with those of people`;
}

/** Returns the way in which the server of a read may tell what changed, or why it has none. */
export function wayOf(vendor: LdapVendor | null): ((course: ChangesCourse) => Way<object>) | string {
  if (vendor === null)
    return 'which server it is, is not known: it shows no root entry that tells, and source.vendor does not say it';
  if (vendor.changes === null) return '389 Directory Server and FreeIPA do not tell what changed';
  const Kind: new (course: ChangesCourse) => Way<object> = WAYS[vendor.changes.how];
  return (course) => new Kind(course);
}

const WAYS = { syncrepl: Syncrepl, dirsync: Dirsync } as const;
