import {
  isActiveIpa,
  isActiveMicrosoft,
  isActivePolicy,
  isActiveUnlocked,
  type IsActive,
} from './account-active.ts';
import { VENDOR_NAMES, type MembersBy, type VendorName } from '../source-choices.ts';
import type { FieldRule, PositionRules } from '../source-settings.ts';

/**
 * Name under which rules read whether an account is active, as the vendor's table tells it. No attribute of a
 * directory has an underscore in its name (RFC 4512, section 1.4).
 */
export const ACCOUNT_ACTIVE = 'account_active';

/** Returns the values of an attribute of the server's root entry, in any case. */
export type RootValues = (attribute: string) => readonly string[];

interface SearchDefaults<Fields> {
  readonly filter: string;
  readonly fields: Fields;
}

export interface LdapVendor {
  readonly title: string;
  /** Whether the root entry is one of this vendor; the first in the table for which it holds is taken. */
  readonly isOne: (root: RootValues) => boolean;
  /** Other names in the file that are right for this server. */
  readonly also: readonly VendorName[];
  readonly units: SearchDefaults<{ readonly id: FieldRule; readonly name: FieldRule }>;
  readonly people: SearchDefaults<{
    readonly id: FieldRule;
    readonly username: FieldRule;
    readonly name: FieldRule;
    readonly email: FieldRule;
    readonly active: FieldRule;
    readonly positions: readonly PositionRules[];
  }>;
  /** Filter for groups; `null`: by the class that has the attribute of their members. */
  readonly groups: string | null;
  /** How `account_active` is computed, and from which attributes. */
  readonly active: {
    readonly reads: readonly string[];
    /** Attributes that every account has. If one is missing, `account_active` is unknown. */
    readonly needs?: readonly string[];
    readonly isActive: IsActive;
  };
  /** How it tells what changed, and the key attribute that it gives each entry; `null`: it does not. */
  readonly changes: { readonly how: 'syncrepl' | 'dirsync'; readonly key: string } | null;
  /** Attributes that such directories have for it; nothing maps them by default. */
  readonly photo: string;
  readonly manager: string;
}

const POSITIONS: readonly PositionRules[] = [
  { unit: 'parentDn', job_title: 'title', primary: { const: true } },
];

const COMMON = {
  name: { expr: "displayName != '' ? displayName : cn" },
  email: 'mail',
  active: ACCOUNT_ACTIVE,
  positions: POSITIONS,
} as const;

/**
 * Returns whether a default rule reads this name, which records may then lack, or rollcall defines the name
 * itself.
 */
export const isUsual = (name: string): boolean => /^(?:displayName|mail|title)$|_/iu.test(name);

/** Capability of a domain controller ([MS-ADTS], 3.1.1.3.4.3.1, LDAP_CAP_ACTIVE_DIRECTORY_OID). */
const DOMAIN_CONTROLLER = '1.2.840.113556.1.4.800';

const isDomainController = (root: RootValues): boolean =>
  root('supportedCapabilities').includes(DOMAIN_CONTROLLER);
const isSamba = (root: RootValues): boolean =>
  isDomainController(root) && root('vendorName').some((name) => name.startsWith('Samba'));
const is389 = (root: RootValues): boolean =>
  [...root('vendorName'), ...root('vendorVersion')].some((text) =>
    /389[ -](?:Project|Directory)|(?:Fedora|Red ?Hat)-Directory/iu.test(text),
  );
const isIpa = (root: RootValues): boolean => is389(root) && root('ipaTopologyPluginVersion').length > 0;
const isOpenldap = (root: RootValues): boolean =>
  [...root('objectClass'), ...root('vendorName')].some((text) => /^openldap/iu.test(text));

/**
 * A domain controller marks what belongs to the system itself: Administrator, Guest, krbtgt, Domain Controllers. What two
 * controllers have made at once is there twice: one of the two is renamed to `NAME\nCNF:GUID` ([MS-ADTS], 3.1.1.5.1.4).
 * People of one name are two accounts; a copy of the same account gets the login `$DUPLICATE-…`.
 */
const NO_SYSTEM = '(!(isCriticalSystemObject=TRUE))';
const NO_CONFLICT = String.raw`${NO_SYSTEM}(!(name=*\0ACNF:*))`;

const MICROSOFT = {
  units: {
    filter: `(&(objectClass=organizationalUnit)${NO_CONFLICT})`,
    fields: { id: 'objectGUID', name: 'ou' },
  },
  people: {
    // 805306368 is a user's account; computers, trusts and managed service accounts have other types.
    filter: `(&(objectCategory=person)(objectClass=user)(sAMAccountType=805306368)${NO_SYSTEM}(!(sAMAccountName=$DUPLICATE-*)))`,
    fields: { ...COMMON, id: 'objectGUID', username: 'sAMAccountName' },
  },
  groups: `(&(objectClass=group)${NO_CONFLICT})`,
  active: {
    reads: ['userAccountControl', 'accountExpires'],
    needs: ['userAccountControl', 'accountExpires'],
    isActive: isActiveMicrosoft,
  },
  changes: { how: 'dirsync', key: 'objectGUID' },
  photo: 'thumbnailPhoto',
  manager: 'manager',
} as const;

const ORGANIZATIONAL_UNIT = '(objectClass=organizationalUnit)';

/** Everything that is known of a vendor's directories; settings of the file always win over it. */
export const VENDORS: Readonly<Record<VendorName, LdapVendor>> = {
  samba: { title: 'Samba', isOne: isSamba, also: ['activeDirectory'], ...MICROSOFT },
  activeDirectory: { title: 'Active Directory', isOne: isDomainController, also: ['samba'], ...MICROSOFT },
  freeipa: {
    title: 'FreeIPA',
    isOne: isIpa,
    also: ['389'],
    units: { filter: ORGANIZATIONAL_UNIT, fields: { id: 'nsUniqueId', name: 'ou' } },
    people: {
      filter: '(&(objectClass=inetOrgPerson)(objectClass=ipaObject))',
      fields: { ...COMMON, id: 'ipaUniqueID', username: 'uid' },
    },
    groups: '(objectClass=ipaUserGroup)',
    active: { reads: ['nsAccountLock', 'krbPrincipalExpiration'], isActive: isActiveIpa },
    changes: null,
    photo: 'jpegPhoto',
    manager: 'manager',
  },
  '389': {
    title: '389 Directory Server',
    isOne: is389,
    // A FreeIPA that shows little of its root entry looks like this.
    also: ['freeipa'],
    units: { filter: ORGANIZATIONAL_UNIT, fields: { id: 'nsUniqueId', name: 'ou' } },
    people: {
      filter: '(|(objectClass=inetOrgPerson)(objectClass=nsPerson))',
      fields: { ...COMMON, id: 'nsUniqueId', username: 'uid' },
    },
    groups: null,
    active: { reads: ['nsAccountLock'], isActive: isActiveUnlocked },
    changes: null,
    photo: 'jpegPhoto',
    manager: 'manager',
  },
  openldap: {
    title: 'OpenLDAP',
    isOne: isOpenldap,
    also: [],
    units: { filter: ORGANIZATIONAL_UNIT, fields: { id: 'entryUUID', name: 'ou' } },
    people: {
      filter: '(objectClass=inetOrgPerson)',
      fields: { ...COMMON, id: 'entryUUID', username: 'uid' },
    },
    groups: null,
    active: { reads: ['pwdAccountLockedTime', 'pwdEndTime'], isActive: isActivePolicy },
    changes: { how: 'syncrepl', key: 'entryUUID' },
    photo: 'jpegPhoto',
    manager: 'manager',
  },
};

/** Order in which they are looked for: the special ones first. */
const SOUGHT = [
  'samba',
  'activeDirectory',
  'freeipa',
  '389',
  'openldap',
] as const satisfies readonly VendorName[];

/** Returns whose server has this root entry; `null`: it does not say so. */
export function detectVendor(root: RootValues): VendorName | null {
  return SOUGHT.find((name) => VENDORS[name].isOne(root)) ?? null;
}

/** Returns the vendor whose defaults fill the gaps of the file; `null`: none is named. */
export function namedVendor(choice: string | undefined): LdapVendor | null {
  const name = VENDOR_NAMES.find((one) => one === choice);
  return name === undefined ? null : VENDORS[name];
}

const CLASSES: Readonly<Record<MembersBy, string>> = {
  member: 'groupOfNames',
  uniqueMember: 'groupOfUniqueNames',
  memberUid: 'posixGroup',
};

/** Returns what a vendor's groups have for filter and fields. */
export function groupDefaults(
  { groups, units }: LdapVendor,
  by: MembersBy,
): { readonly filter: string; readonly fields: { readonly id: FieldRule; readonly name: FieldRule } } {
  return { filter: groups ?? `(objectClass=${CLASSES[by]})`, fields: { id: units.fields.id, name: 'cn' } };
}
