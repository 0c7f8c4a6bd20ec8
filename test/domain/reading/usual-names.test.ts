import { describe, expect, test } from 'vitest';
import { lackingOf, usualNames } from '../../../src/domain/reading/usual-names.ts';

describe('what a leaver lacks of what most have', () => {
  const names = usualNames([
    {
      part: 'people',
      name: 'status',
      had: 3,
      of: 100,
      scope: { had: 3, of: 4 },
      places: ['source.people.where'],
    },
    { part: 'people', name: 'level', had: 90, of: 100, places: ['source.people.fields.active'] },
    { part: 'people', name: 'rare', had: 4, of: 100, places: ['source.people.fields.active'] },
    { part: 'people', name: 'number', had: 99, of: 100, places: ['source.people.join.on'] },
    { part: 'partners', from: 'hr', name: 'state', had: 9, of: 9, places: ['source.people.fields.active'] },
  ]);

  test('is counted among those in scope, and by what the name decides', () => {
    expect([names.scope, names.active.map(({ name }) => name)]).toEqual([
      [{ name: 'status' }],
      ['level', 'hr.state'],
    ]);
  });

  test('is no value of a partner whom they do not have', () => {
    expect(lackingOf(names.active, ['level'])).toEqual([]);
    expect(lackingOf(names.active, ['hr.no'])).toEqual(['level', 'hr.state']);
    expect(lackingOf(names.active, ['level', 'hr.no', 'hr.state'])).toEqual([]);
  });
});
