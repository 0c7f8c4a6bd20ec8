import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fingerprint } from '../../../../src/source/ldap/wire/fingerprint.ts';
import { entries, readEntry, type GivenEntry } from './messages.ts';

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

const entry = (
  ...attributes: readonly (readonly [type: string, ...values: readonly string[]])[]
): GivenEntry => ({
  dn: 'uid=a',
  attributes: attributes.map(([type, ...values]) => ({
    type,
    values: values.map((text) => Buffer.from(text)),
  })),
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

  test('is another one after a change of any byte of a value', () => {
    fc.assert(
      fc.property(
        entries,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (given, which, where, by) => {
          const full = given.attributes.filter(({ values }) => values.some((bytes) => bytes.length > 0));
          const chosen = full[which % Math.max(full.length, 1)];
          fc.pre(chosen !== undefined);
          const index = chosen?.values.findIndex((bytes) => bytes.length > 0) ?? 0;
          const bytes = Buffer.from(chosen?.values[index] ?? []);
          const at = where % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ by;
          const values = chosen?.values.with(index, bytes) ?? [];
          const attributes = given.attributes.map((one) => (one === chosen ? { ...one, values } : one));
          const changed = { ...given, attributes };
          fc.pre(meaning(changed) !== meaning(given));
          expect(of(changed)).not.toBe(of(given));
        },
      ),
    );
  });

  test.each([
    ['a value that moved to another attribute', entry(['a', 'x', 'y'], ['b']), entry(['a', 'x'], ['b', 'y'])],
    ['a value in two', entry(['a', 'xy']), entry(['a', 'x', 'y'])],
    ['a value twice', entry(['a', 'x']), entry(['a', 'x', 'x'])],
    ['an attribute without values', entry(['a', 'x']), entry(['a', 'x'], ['b'])],
    ['an option', entry(['a', 'x']), entry(['a;lang-de', 'x'])],
    ['case of a value', entry(['a', 'x']), entry(['a', 'X'])],
    ['a name that ends in a value', entry(['ab', 'c']), entry(['a', 'bc'])],
  ])('tells %s apart', (_, one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  test('depends on the salt, whose end is its own', () => {
    const given = { ...entry(['a', 'x']), dn: 'bc' };
    expect(of(given, Buffer.from('a'))).not.toBe(of(given, Buffer.from('b')));
    expect(of(given, Buffer.from('ab'))).not.toBe(of({ ...given, dn: 'abc' }, Buffer.alloc(0)));
    expect(of({ ...given, dn: 'c' }, Buffer.from('ab'))).not.toBe(of(given, Buffer.from('a')));
  });
});
