import { localTime } from '../../../src/domain/text/local-time.ts';
import { describe, expect, test } from 'vitest';

import { parseBoolean, parseInteger } from '../../../src/source/mapping/field-reader.ts';
import { parseDate } from '../../../src/source/mapping/values/dates.ts';

describe('integers', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['007', '7'],
    ['+5', '5'],
    ['5.00', '5'],
    ['-0', '0'],
  ])('%s is %s', (text, value) => expect(parseInteger(text)).toBe(value));

  test.each(['9223372036854775808', '1.5', '1e3', '', 'ten', '0x10', '1,000', '١'])('%j is none', (text) => {
    expect(parseInteger(text)).toBeNull();
  });
});

describe('booleans', () => {
  test.each(['true', 'TRUE', 't', '1', 'yes', 'Y', 'on'])('%s is true', (text) =>
    expect(parseBoolean(text)).toBe(true),
  );
  test.each(['false', 'FALSE', 'f', '0', 'No', 'n', 'off'])('%s is false', (text) =>
    expect(parseBoolean(text)).toBe(false),
  );
  test.each(['', 'maybe', '2', 'truthy'])('%j is none', (text) => expect(parseBoolean(text)).toBeNull());
});

describe('dates', () => {
  test.each([
    ['1990-05-01', '1990-05-01T00:00:00.000Z'],
    ['1990-05-01T12:30', '1990-05-01T12:30:00.000Z'],
    ['1990-05-01 12:30:15.5', '1990-05-01T12:30:15.500Z'],
    ['1990-05-01T12:30:15.123456Z', '1990-05-01T12:30:15.123Z'],
    ['1990-05-01T00:30:00+02:00', '1990-04-30T22:30:00.000Z'],
    ['1990-05-01 00:30:00+02', '1990-04-30T22:30:00.000Z'],
    ['19900501', '1990-05-01T00:00:00.000Z'],
    ['19900501120000Z', '1990-05-01T12:00:00.000Z'],
    ['199005011200+0200', '1990-05-01T10:00:00.000Z'],
    ['19900501120000', '1990-05-01T12:00:00.000Z'],
    ['0045-03-15', '0045-03-15T00:00:00.000Z'],
    ['1700000000123', '2023-11-14T22:13:20.123Z'],
    ['-28800000', '1969-12-31T16:00:00.000Z'],
    ['641520000123', '1990-05-01T00:00:00.123Z'],
  ])('%s is %s', (text, iso) => expect(parseDate(text, localTime('UTC'))).toBe(String(Date.parse(iso))));

  test.each([
    '1990-02-30',
    '1990-13-01',
    '01.05.1990',
    '',
    '1990-05-01T25:00',
    '1990-05-01T12:00+19:00',
    '0000-00-00',
    '641520000',
    '-1',
    '-9999999',
    '-0',
    // Minutes of a date, or milliseconds of 1976: nothing tells which.
    '199005011200',
  ])('%j is none', (text) => expect(parseDate(text, localTime('UTC'))).toBeNull());
});
