import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fingerprint } from '../../../../src/source/ldap/wire/fingerprint.ts';
import { readEntry, type GivenEntry } from './messages.ts';

const SALT = Buffer.from('salt');
const of = (entry: GivenEntry, salt = SALT): string => fingerprint(readEntry(entry), salt);

/** Returns what makes two entries the same, written in another way than the fingerprint does it. */
function meaning({ dn, attributes }: GivenEntry): string {
  const named = attributes.map(({ type, values }) => [type, values.map((bytes) => bytes.toString('hex'))]);
  return JSON.stringify([dn, named]);
}

/** Entries of few letters, so that many pairs are almost the same. */
const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\u0000', '\u0004'), maxLength: 3 });
const near: fc.Arbitrary<GivenEntry> = fc.record({
  dn: letters,
  attributes: fc.uniqueArray(
    fc.record({
      type: fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength: 2 }),
      values: fc.array(
        letters.map((text) => Buffer.from(text)),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 3, selector: ({ type }) => type.toLowerCase() },
  ),
});

describe('the fingerprint of an entry', () => {
  test('is the same for two entries if and only if they mean the same', () => {
    fc.assert(
      fc.property(near, near, (one, other) => {
        expect(of(one) === of(other)).toBe(meaning(one) === meaning(other));
      }),
      { numRuns: 5_000 },
    );
  });

  test('depends on the salt, whose end is its own', () => {
    const values = [Buffer.from('x')];
    const given: GivenEntry = { dn: 'bc', attributes: [{ type: 'a', values }] };
    expect(of(given, Buffer.from('a'))).not.toBe(of(given, Buffer.from('b')));
    expect(of(given, Buffer.from('ab'))).not.toBe(of({ ...given, dn: 'abc' }, Buffer.alloc(0)));
    expect(of({ ...given, dn: 'c' }, Buffer.from('ab'))).not.toBe(of(given, Buffer.from('a')));
  });
});
