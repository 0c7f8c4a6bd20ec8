import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { canonicalDn, isBelow, parentDn, parseDn } from '../../../src/source/ldap/wire/dn.ts';
import { escapeRdn } from '../../servers/ldif.ts';

describe('two spellings of one DN are one reference', () => {
  test.each([
    ['OU=Sales, DC=Example,dc=com', 'ou=sales,dc=example,dc=com'],
    ['cn=a\\2Cb', 'cn=a\\,b'],
    ['cn="a,b"', 'cn=a\\,b'],
    ['cn="a \\"b\\" c",o=x', 'cn=a \\"b\\" c,o=x'],
    ['cn=x+uid=y', 'uid=Y + CN=X'],
    ['cn=\\20a  b\\ ', 'cn=a b'],
    ['cn=\\E7\\A0\\94', 'cn=研'],
    ['cn=\\f0\\9f\\9a\\80 x', 'cn=🚀 X'],
    ['cn=e\u0301', 'cn=é'],
    ['2.5.4.11=x', 'OU=x'],
    ['OID.2.5.4.3=x', 'commonName=x'],
    ['cn=#0403616263', 'cn=abc'],
    ['cn=\\#abc', 'cn=\\23abc'],
    ['cn=a;o=b', 'cn=a,o=b'],
    ['cn=a\\+b\\=c', 'cn=a\\2bb=c'],
    ['cn=', 'cn='],
  ])('%s and %s', (one, other) => {
    expect(canonicalDn(one)).not.toBeNull();
    expect(canonicalDn(one)).toBe(canonicalDn(other));
  });

  test.each([
    ['cn=a,b=c', 'cn=a\\,b=c'],
    ['cn=x+uid=y', 'cn=x\\+uid=y'],
    ['cn=ab', 'cn=a b'],
    ['cn=a,cn=b', 'cn=b,cn=a'],
  ])('but %s and %s are two', (one, other) => {
    expect(canonicalDn(one)).not.toBe(canonicalDn(other));
  });
});

describe('a DN', () => {
  test.each(['plain text', 'a,b=c', '=x', 'cn=a,', 'cn=a\\', 'cn=a,,o=b', '7e9a'])('is none: %j', (text) => {
    expect(parseDn(text)).toBeNull();
  });

  // What goes over such a text again for each of its blanks does not come to an end here.
  test.each([
    [(blanks: string) => `cn=a${blanks}b`, 'cn=a b'],
    [(blanks: string) => `cn=${blanks}a${blanks},o=b`, 'cn=a,o=b'],
    [(blanks: string) => `cn=a\\ ${blanks},o=b`, 'cn=a,o=b'],
    [(blanks: string) => `cn=a${blanks}\\`, null],
    [(blanks: string) => `cn=${blanks}\\`, null],
    [(blanks: string) => `cn="a"${blanks}\\`, null],
    [(blanks: string) => `cn=${blanks.replaceAll(' ', '\\2c')}\\`, null],
    [(blanks: string) => `${blanks}cn`, null],
  ])('with a million blanks is read as any other: %s', (spell, canonical) => {
    expect(canonicalDn(spell(' '.repeat(1_000_000)))).toBe(canonical);
  });

  test.each([
    ['cn=a\\,b,ou=X Y , dc=c', 'ou=X Y , dc=c'],
    ['cn="a,b",dc=c', 'dc=c'],
    ['cn=a+uid=b,dc=c', 'dc=c'],
    ['dc=c', undefined],
    ['', undefined],
  ])('%s hangs below %s', (dn, parent) => {
    expect(parentDn(dn)).toBe(parent);
  });

  test('is below another by whole names, not by text', () => {
    expect(isBelow('cn=x,ou=base', 'OU=Base')).toBe(true);
    expect(isBelow('cn=x\\,ou=base', 'ou=base')).toBe(false);
    expect(isBelow('ou=base', 'ou=base')).toBe(false);
  });

  test('its canonical text is a DN of the same canonical text, whatever the names are', () => {
    const name = string({ unit: 'grapheme', minLength: 1 });
    assert(
      property(array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const dn = names.map((value) => `ou=${escapeRdn(value)}`).join(',');
        const canonical = canonicalDn(dn);
        expect(parseDn(dn)).toHaveLength(names.length);
        expect(canonicalDn(canonical ?? '')).toBe(canonical);
      }),
    );
  });
});
