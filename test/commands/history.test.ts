import { describe, expect, test } from 'vitest';
import { changeTexts } from '../../src/plan/words/describe-change.ts';
import { sinceOf } from '../../src/report/describe-history.ts';
import { ConfigError } from '../../src/domain/errors.ts';

test('a removed unit has no parent after it, and a moved one is at the root', () => {
  const gone = [{ field: 'parent', from: 'd1', to: null }];
  const words = { names: new Map([['d1', 'Company']]), zone: 'UTC' };
  expect(changeTexts(gone, { ...words, kind: 'remove' })).toEqual(['parent "Company" → (none)']);
  expect(changeTexts(gone, { ...words, kind: 'move' })).toEqual(['parent "Company" → the root']);
});

const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('--since', () => {
  test.each([
    ['2026-11-01', '2026-11-01T00:00:00Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00Z'],
    ['2026-11-01 08:30:15', '2026-11-01T08:30:15Z'],
    ['2026-11-01T08:30:15.123Z', '2026-11-01T08:30:15.123Z'],
    ['2026-11-01T08:30+02:00', '2026-11-01T06:30:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['7d', '2026-11-13T12:00:00Z'],
    ['12h', '2026-11-20T00:00:00Z'],
    ['10m', '2026-11-20T11:50:00Z'],
  ])('%s is %s', (text, time) => {
    expect(sinceOf(text, NOW, 'UTC')).toBe(Date.parse(time));
  });

  test.each([
    '',
    'yesterday',
    '7',
    '7w',
    '-7d',
    '2026-13-01',
    '2026-02-30',
    '2026-11-1',
    '2026-11-01T25:00',
    '1e3d',
  ])('"%s" is no time', (text) => {
    expect(() => sinceOf(text, NOW, 'UTC')).toThrow(ConfigError);
  });
});
