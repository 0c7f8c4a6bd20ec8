import { describe, expect, test } from 'vitest';

import { detectVendor, VENDORS } from '../../../src/domain/directories/vendors.ts';
import type { VendorName } from '../../../src/domain/source-choices.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const fileTime = (text: string): string => String((BigInt(Date.parse(text)) + 11_644_473_600_000n) * 10_000n);

function isActive(vendor: VendorName, values: Readonly<Record<string, string>>): boolean | null {
  return VENDORS[vendor].active.isActive((name) => values[name], { now: NOW });
}

describe('an account of Active Directory', () => {
  test.each([
    // Every account has a date of expiry: one that shows none may hide it, or comes from a global catalog.
    [{ userAccountControl: '512' }, null],
    [{ userAccountControl: '514' }, false],
    [{ userAccountControl: '66050' }, false],
    [{ userAccountControl: '-2147483646' }, false],
    [{ userAccountControl: '512', accountExpires: '0' }, true],
    [{ userAccountControl: '512', accountExpires: '9223372036854775807' }, true],
    [{ userAccountControl: '512', accountExpires: fileTime('2026-11-23T11:59:59Z') }, false],
    [{ userAccountControl: '512', accountExpires: fileTime('2026-11-23T12:00:01Z') }, true],
    [{ userAccountControl: '514', accountExpires: 'soon' }, false],
    [{ userAccountControl: '512', accountExpires: 'soon' }, null],
    [{ userAccountControl: 'normal' }, null],
    [{ accountExpires: fileTime('2020-01-01T00:00:00Z') }, null],
    [{}, null],
  ])('with %o: %s', (values, active) => {
    expect(isActive('activeDirectory', values)).toBe(active);
  });
});

describe('an account of', () => {
  test.each([
    ['openldap', {}, true],
    ['openldap', { pwdAccountLockedTime: '000001010000Z' }, false],
    ['openldap', { pwdAccountLockedTime: '20261123110000Z' }, true],
    ['openldap', { pwdEndTime: '20261123115959Z' }, false],
    ['openldap', { pwdEndTime: '20261123120001.5Z' }, true],
    ['openldap', { pwdEndTime: '20261399000000Z' }, null],
    ['openldap', { pwdEndTime: '20261123205959+0900' }, false],
    ['openldap', { pwdEndTime: '20261123210001+0900' }, true],
    ['openldap', { pwdEndTime: '2026112308-05' }, true],
    ['openldap', { pwdEndTime: '202611230659-0500' }, false],
    ['389', {}, true],
    ['389', { nsAccountLock: 'TRUE' }, false],
    ['389', { nsAccountLock: 'false' }, true],
    ['389', { nsAccountLock: 'perhaps' }, null],
    ['freeipa', { nsAccountLock: 'FALSE', krbPrincipalExpiration: '20250101000000Z' }, false],
    ['freeipa', { krbPrincipalExpiration: '20270101000000Z' }, true],
    ['freeipa', { nsAccountLock: 'true', krbPrincipalExpiration: '20270101000000Z' }, false],
  ] as const)('%s with %o: %s', (vendor, values, active) => {
    expect(isActive(vendor, values)).toBe(active);
  });
});

describe('a root entry', () => {
  const capability = '1.2.840.113556.1.4.800';
  test.each([
    [{ supportedCapabilities: [capability, '1.2.840.113556.1.4.1670'] }, 'activeDirectory'],
    [{ supportedCapabilities: [capability], vendorName: ['Samba Team (https://www.samba.org)'] }, 'samba'],
    [{ vendorName: ['389 Project'], vendorVersion: ['389-Directory/2.3.1 B2025'] }, '389'],
    [{ vendorName: ['389 Project'], ipaTopologyPluginVersion: ['1.0'] }, 'freeipa'],
    [{ objectClass: ['top', 'OpenLDAProotDSE'] }, 'openldap'],
    [{ vendorName: ['Oracle Corporation'] }, null],
    [{}, null],
  ] as const)('%o is of %s', (root: Readonly<Record<string, readonly string[]>>, vendor) => {
    expect(detectVendor((name) => root[name] ?? [])).toBe(vendor);
  });
});
