import type { z } from 'zod';
import { namedVendor } from '../../domain/directories/vendors.ts';
import { isClear } from '../../schema/url-problems.ts';
import type { Kind } from '../records/kind.ts';
import { directoryFindings, hasUsualPositions } from './settings/settings-findings.ts';
import {
  ldapSettings,
  lookup,
  member,
  schema,
  SCHEMES,
  searchOf,
  type LdapSettings,
  type MemberInput,
} from './settings/ldap-settings.ts';

export const ldapKind = {
  schema,
  member,
  lookup,
  settings: ldapSettings,
  ask: (asked: z.output<typeof lookup>, { vendor }) =>
    searchOf({ ...asked, fields: {} }, namedVendor(vendor)?.people),
  secrets: [['bindPassword']],
  findings: directoryFindings,
  hasUsualPositions,
  inClear: ({ startTls, url, otherUrls = [] }) =>
    startTls === false && [url, ...otherUrls].some((address) => isClear(address, 'ldap:'))
      ? ['source.startTls is false: password and people go over the network in clear; remove it']
      : [],
  schemes: SCHEMES,
  widen: 'widen source.units.base or filter',
  lookAt: 'base, filter and the rights of the reading account',
  positionsFrom: null,
} satisfies Kind<MemberInput, LdapSettings>;
