import { z } from 'zod';
import {
  entryPersonFields,
  entryUnitFields,
  personFields,
  unitFields,
  where,
} from '../../../schema/field-schema.ts';
import { sourceUrl } from '../../../schema/url-problems.ts';
import { ABOUT, changes, clientTls, REMEDY, secretSource, section, text } from '../../../schema/values.ts';
import { groupDefaults, namedVendor } from '../../../domain/directories/vendors.ts';
import {
  MEMBERS_BY,
  NESTED,
  PARENT_GROUP,
  UNIT_GROUPS,
  VENDOR_NAMES,
  type GroupMembers,
} from '../../../domain/source-choices.ts';
import type { Scoping, UnitRules, PersonRules } from '../../../domain/source-settings.ts';
import type { SettingsWithRows } from '../../records/kind.ts';
import { personRules, unitRules, type UnitInput } from '../../records/part-rules.ts';

export const SCHEMES = ['ldaps:', 'ldap:'] as const;

const bySchema = z.enum(MEMBERS_BY);

const memberRules = section({
  by: bySchema.describe('Attribute of members.'),
  nested: z
    .enum(NESTED)
    .default('units')
    .describe('Groups in groups are units below, or their people belong to both.'),
});

/** How groups that are units name their members. */
const groupMembers = z
  .union([bySchema, memberRules], {
    error: () =>
      `is no way to tell members${REMEDY}write ${MEMBERS_BY.join(', ')}, or { by: member, nested: units | people }`,
  })
  .optional()
  .describe('Groups as units. Positions default to a person’s groups.');

/** Groups whose members alone are in scope. */
const memberOfSchema = z
  .union([text, z.array(text).min(1)], { error: () => `is no group${REMEDY}write its DN, or a list of DNs` })
  .optional()
  .describe('Only members are in scope, nested ones too.');

const baseSchema = z.union([text, z.array(text).min(1)], {
  error: () => `is no base${REMEDY}write a DN, or a list of DNs`,
});

const filterSchema = text.refine((one) => one.startsWith('('), {
  error: `is no LDAP filter${REMEDY}put it in brackets, as in (objectClass=person)`,
});

/** `389` stands without quotes in a file, because it is a number. */
const vendorSchema = z
  .preprocess((name) => (name === 389 ? '389' : name), z.enum(VENDOR_NAMES))
  .meta({ type: ['string', 'integer'], enum: [...VENDOR_NAMES, 389] })
  .optional()
  .describe('Gives defaults of filters and fields; without it, none.');

const searchShape = {
  base: baseSchema.describe('DN. That of units stands for the root.'),
  filter: filterSchema.optional().describe('LDAP filter in brackets; required without vendor.'),
  scope: z.enum(['sub', 'one']).default('sub').describe('All below the base, or one level.'),
  exclude: z.array(text).optional().describe('DNs or filters out of scope.'),
};

const ldapUrl = sourceUrl(SCHEMES);
const ldapUrls = z.union([ldapUrl, z.array(ldapUrl).min(1)], {
  error: `is no URL${REMEDY}write ldaps://host, or a list of such`,
});

export const schema = section({
  type: z.literal('ldap').describe(ABOUT.type),
  url: ldapUrls.describe('ldaps:// or ldap:// (StartTLS); the first that answers is read.'),
  changes,
  startTls: z.literal(false).optional().describe('ldap:// is not encrypted; the password goes in clear.'),
  bindDn: text.optional().describe('Reading account. Default: tls.certFile (SASL EXTERNAL), else anonymous.'),
  bindPassword: secretSource.optional().describe('Its password.'),
  tls: clientTls,
  vendor: vendorSchema,
  units: section({
    ...searchShape,
    members: groupMembers,
    where,
    fields: entryUnitFields.prefault({}).describe(ABOUT.fields),
  }).describe(ABOUT.units),
  people: section({
    ...searchShape,
    memberOf: memberOfSchema,
    where,
    fields: entryPersonFields.prefault({}).describe(ABOUT.fields),
  }).describe(ABOUT.people),
});

export const member = schema.partial({ units: true, people: true });
export type MemberInput = z.output<typeof member>;

export const lookup = section(searchShape);

export interface LdapSearch {
  readonly bases: readonly string[];
  readonly scope: 'sub' | 'one';
  readonly filter: string;
  /** DNs, each with everything below it, and filters in brackets: out of scope. */
  readonly exclude?: readonly string[] | undefined;
}

interface LdapParts {
  /** Absent: another source has the units. */
  readonly units?: LdapSearch & Scoping & { readonly rules: UnitRules; readonly members?: GroupMembers };
  /** Absent: another source has the people. */
  readonly people?: LdapSearch &
    Scoping & {
      readonly rules: PersonRules;
      /** DNs of groups whose members alone are in scope. */
      readonly memberOf?: readonly string[];
    };
}

type Access = Omit<MemberInput, 'url' | 'startTls' | 'units' | 'people'>;

export type LdapSettings = SettingsWithRows<Access & LdapParts, LdapSearch> & {
  readonly url: string;
  /** Absent: ldap:// is encrypted unless it stays on this machine. Tests have it encrypted there too. */
  readonly startTls?: boolean | undefined;
  /** Servers of the same directory, asked in this order if those before do not answer. */
  readonly otherUrls?: readonly string[];
  /** Absent: 500. */
  readonly pageSize?: number;
  /** In which the server has to answer; absent: 60. */
  readonly seconds?: number;
};

export function ldapSettings({ units, people, url: urls, ...source }: MemberInput): LdapSettings {
  const vendor = namedVendor(source.vendor);
  const [url = '', ...otherUrls] = [urls].flat();
  return {
    ...source,
    url,
    ...(otherUrls.length > 0 && { otherUrls }),
    ...(units !== undefined && { units: ldapUnits(units, vendor) }),
    ...(people !== undefined && { people: ldapPeople(people, vendor, units?.members !== undefined) }),
  };
}

type Vendor = ReturnType<typeof namedVendor>;

function ldapUnits(
  { members: input, ...units }: NonNullable<MemberInput['units']>,
  vendor: Vendor,
): NonNullable<LdapSettings['units']> {
  const members = membersOf(input);
  const usual = vendor === null || members === undefined ? vendor?.units : groupDefaults(vendor, members.by);
  const rules = entryUnits(unitFields.parse(filled(usual?.fields, units.fields)), members);
  return { ...searchOf(units, usual), ...(members !== undefined && { members }), rules };
}

function entryUnits(fields: UnitInput, members: GroupMembers | undefined): UnitRules {
  const { parent = members?.nested === 'units' ? PARENT_GROUP : 'parentDn', refs = ['dn', fields.id] } =
    fields;
  // The groups of a person are named by their DNs.
  const withDn = members === undefined || refs.includes('dn') ? refs : ['dn', ...refs];
  return unitRules({ ...fields, parent, refs: withDn });
}

type MembersInput = NonNullable<MemberInput['units']>['members'];

function membersOf(input: MembersInput): GroupMembers | undefined {
  return typeof input === 'string' ? { by: input, nested: 'units' } : input;
}

function ldapPeople(
  { memberOf, ...people }: NonNullable<MemberInput['people']>,
  vendor: Vendor,
  inGroups: boolean,
): NonNullable<LdapSettings['people']> {
  const inGroup = { unit: UNIT_GROUPS, ...(vendor !== null && { job_title: 'title' }) };
  const usual = { ...vendor?.people.fields, ...(inGroups && { positions: [inGroup] }) };
  const fields = personFields.parse(filled(usual, people.fields));
  return {
    ...searchOf(people, vendor?.people),
    ...(memberOf !== undefined && { memberOf: [memberOf].flat() }),
    rules: personRules(fields),
  };
}

type SearchInput = Omit<NonNullable<MemberInput['units' | 'people']>, 'members' | 'memberOf'>;
type Search = LdapSearch & Omit<SearchInput, 'base' | 'filter' | 'fields'>;

/** Returns a search without its fields, with the vendor's filter if the file has none. */
export function searchOf(
  { base, filter, fields: _fields, ...rest }: SearchInput,
  vendor: { readonly filter: string } | undefined,
): Search {
  return { bases: [base].flat(), filter: filter ?? vendor?.filter ?? '', ...rest };
}

/** Returns the fields of the file, with the vendor's if it has none; a field that is `null` is not mapped. */
function filled(defaults: object | undefined, fields: object): unknown {
  const entries = Object.entries({ ...defaults, ...fields });
  return Object.fromEntries(entries.filter(([, rule]) => rule !== null));
}
