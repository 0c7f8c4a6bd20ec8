import { describe, expect, test } from 'vitest';
import type { Reason, ReasonCode } from '../../src/domain/reasons/reason.ts';
import { REASONS } from '../../src/domain/reasons/reasons.ts';
import { say } from '../../src/domain/words/say.ts';

const CODES = Object.entries(REASONS) as readonly (readonly [ReasonCode, string])[];
const HOLES = /\{(\w+)/gu;
const UNITS: ReadonlySet<string> = new Set(['unit', 'units']);

/** A reason with something in every hole. */
function filled(code: ReasonCode): Reason {
  const holes = [...REASONS[code].matchAll(HOLES)].flatMap(([, name = '']) =>
    UNITS.has(name) ? [] : [name],
  );
  const values = holes.map((name) => [name, name === 'because' || name === 'how' ? 'missing' : 'X']);
  return { code, refs: [{ subject: 'unit', id: 'u7' }], values: Object.fromEntries(values) };
}

describe('a reason', () => {
  test.each(CODES)('%s is said whole: %s', (code) => {
    const words = say(filled(code));
    expect(words).not.toMatch(/[{}…]/u);
    expect(words.includes('u7')).toBe(/\{units?\}/u.test(REASONS[code]));
  });

  test('is said otherwise than every other one', () => {
    expect(new Set(CODES.map(([, words]) => words)).size).toBe(CODES.length);
  });

  test('names units as the list does, counts, and leaves out what was erased', () => {
    const refs = [{ subject: 'unit', id: 'u7' }] as const;
    expect(say({ code: 'followsMove', refs }, new Map([['u7', '"Sales"']]))).toMatch(/ "Sales"$/u);
    expect(say({ code: 'missed', values: { how: 'missing', reads: 1 } })).toMatch(
      /^missing .*\(1 .*read\)$/u,
    );
    expect(say({ code: 'missed', values: { how: 'inactive', reads: 2 } })).toMatch(
      /^inactive .*\(2 .*reads\)$/u,
    );
    expect(say({ code: 'takenBy' })).toMatch(/ … .* …/u);
  });

  test('is safe in a line, whatever its values have', () => {
    expect(say({ code: 'takenBy', values: { username: 'a\nb', name: '\u202Ec' } })).not.toMatch(
      /[\n\u202E]/u,
    );
  });
});
