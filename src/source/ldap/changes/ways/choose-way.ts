import type { FullReadNeeded } from '../../../../domain/reading/increment.ts';
import type { LdapSettings } from '../../../../domain/source-settings.ts';
import type { VendorName } from '../../../../domain/vendor-names.ts';
import { SYNC } from '../../ber/sync-controls.ts';
import type { ReachAsk } from '../../read/course.ts';
import { attributesIn } from '../../read/known-attributes.ts';
import type { Plan } from '../../../records/planned-read.ts';
import { isGlobalCatalog } from '../../wire/global-catalog.ts';
import { Dirsync } from './dirsync.ts';
import { lookAt } from '../../read/look-at.ts';
import type { ChangesCourse, PeopleSearch } from '../people-search.ts';
import { Syncrepl } from './syncrepl.ts';
import { UsnChanged } from './usn-changed.ts';
import { isNeeded, type Way } from '../way.ts';

export const UNKNOWN_SERVER =
  'which server it is, is not known: it shows no root entry that tells, and source.vendor does not say it';

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
  const { units, people, referrals, derefAliases = 'never' } = settings;
  if (units?.members !== undefined || people?.memberOf !== undefined)
    return 'groups decide about people, and a person’s entry does not change with its groups';
  if (referrals === 'follow')
    return 'source.referrals: follow reads several servers, each of which counts its own changes';
  if (derefAliases !== 'never') return 'source.derefAliases: an alias changes without its entry';
  const filters = plan.reach.filters.flatMap(({ filter }) => [...attributesIn(filter)]);
  const computed = [...plan.mapper.names, ...filters].find((name) => COMPUTED.has(name.toLowerCase()));
  return computed === undefined
    ? null
    : `${computed} changes with other entries, and not with those of people`;
}

/** Returns the best way that the server has to tell what changed. */
export async function chooseWay(
  people: PeopleSearch,
  course: ChangesCourse,
): Promise<Way<object> | FullReadNeeded> {
  const { vendor, server } = course.directory;
  if (isGlobalCatalog(server.url))
    return { why: 'source.url is a global catalog, which has a part of each entry' };
  return vendor === null ? { why: UNKNOWN_SERVER } : CHOICES[vendor](people, course);
}

type Choice = (people: PeopleSearch, course: ChangesCourse) => Promise<Way<object> | FullReadNeeded>;

/** Whoever may replicate changes is told of all of them. */
const byController: Choice = async (people, course) => {
  const dirsync = new Dirsync(people, course);
  return isNeeded(await dirsync.begin()) ? new UsnChanged(people, course) : dirsync;
};

const bySync: Choice = async (people, course) => {
  const [root] = await lookAt(course, { base: '', scope: 'base', attributes: ['supportedControl'] });
  const isThere = root?.('supportedControl').includes(SYNC.request) === true;
  return isThere ? new Syncrepl(people, course) : { why: NO_SYNCPROV };
};

const NO_SYNCPROV = 'OpenLDAP tells what changed with the overlay syncprov alone, and this server has none';

/** The times of its entries cost a list of all ids each time: that takes as long as a full read. */
const untold: Choice = () =>
  Promise.resolve({ why: '389 Directory Server and FreeIPA do not tell what changed' });

const CHOICES: Readonly<Record<VendorName, Choice>> = {
  openldap: bySync,
  '389': untold,
  freeipa: untold,
  activeDirectory: byController,
  samba: byController,
};
