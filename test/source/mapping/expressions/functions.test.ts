import { describe, expect, test } from 'vitest';

import { CEL_ROWS, FUNCTIONS } from '../../../../src/source/mapping/expressions/functions.ts';
import { NOW } from '../map-records.ts';
import { emptied, evaluated } from './evaluate.ts';

const ROWS = [...CEL_ROWS, ...Object.values(FUNCTIONS)];

describe('the example of the documentation', () => {
  test.each(ROWS.map(({ example }) => [example.expr, example] as const))('%s is so', (expr, example) => {
    const { record, gives } = example;
    expect(evaluated(expr, record)).toEqual(typeof gives === 'string' ? [gives] : gives);
  });
});

describe('a function', () => {
  test.each([
    ["bit('512', 2)", 'false'],
    ["bit('66050', 2)", 'true'],
    ["bit('66050', 65538)", 'true'],
    ["bit('66048', 65538)", 'false'],
    ["bit('-2147483646', 2147483648)", 'true'],
    ["bit('9223372036854775807', 4611686018427387904)", 'true'],
    ['bit(6, 4)', 'true'],
    ["replace('a.b.c', '.', '$&')", 'a$&b$&c'],
    ["replace('', '', 'x')", ''],
    ["regexReplace('', '^$', 'x')", ''],
    ["'aaa'.replace('a', 'aa')", 'aaaaaa'],
    ["regexReplace('+49 (30) 12-34', '[^0-9+]', '')", '+49301234'],
    ["'Ann  Lee'.regexReplace('\\\\s+', ' ')", 'Ann Lee'],
    ["matches('ext-1', '^ext-\\\\d$')", 'true'],
    ["'int-1'.matches('^ext-')", 'false'],
    ["split('a,b', ',')[1]", 'b'],
    ["'a,b,c'.split(',', 2)[1]", 'b,c'],
    ["join(split('a,b', ','), '/')", 'a/b'],
    ["['a', 'b'].join()", 'ab'],
    ["lower('ÄÖ') + 'Straße'.upper()", 'äöSTRASSE'],
    ["phone('+1 650 253 0000', 'DE')", '+16502530000'],
    ["phone('138 0013 8000', 'CN')", '+8613800138000'],
    ["phone('', 'DE') + '-'", '-'],
    ["lookup('cities', 'X', 'elsewhere')", 'elsewhere'],
    ["lookup('cities', '', 'none')", 'none'],
    ["lookup('cities', '') + '-'", '-'],
    ["lookup('cities', 'constructor', 'none')", 'none'],
    ["string(daysBetween(date('2026-11-23'), date('2026-11-24T23:00:00Z')))", '1'],
    ["string(daysBetween(date('2026-11-24'), date('2026-11-23')))", '-1'],
    ["string(monthsBetween(date('2026-01-31'), date('2026-02-28')))", '0'],
    ["string(monthsBetween(date('2026-01-31'), date('2026-03-31')))", '2'],
    ["string(monthsBetween(date('2026-03-01'), date('2026-01-31')))", '-1'],
    ["string(monthsBetween(date('1980-02-29'), now))", '560'],
    ["date('20260101120000Z') < now", 'true'],
    ["date('infinity') > now", 'true'],
    ["date('-infinity') < now", 'true'],
    ["daysBetween(now, date('infinity')) > 1000000", 'true'],
    ["now - duration('24h') < date('2026-11-23')", 'true'],
  ])('%s gives %s', (expr, gives) => expect(evaluated(expr)).toEqual([gives]));

  test.each([
    ['dd.MM.yyyy', '29.02.1980', '1980-02-29T00:00:00.000Z'],
    ['d/M/yy', '1/2/69', '2069-02-01T00:00:00.000Z'],
    ['d/M/yy', '1/2/70', '1970-02-01T00:00:00.000Z'],
    ['dd-MMM-yyyy', '05-Oct-2026', '2026-10-05T00:00:00.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ss", '2026-10-05T07:08:09', '2026-10-05T07:08:09.000Z'],
    ['yyyy年M月d日', '2026年1月2日', '2026-01-02T00:00:00.000Z'],
    ['filetime', '133444736000000000', '2023-11-14T22:13:20.000Z'],
    ['filetime', '9223372036854775807', '9999-12-31T23:59:59.999Z'],
    ['seconds', '1700000000', '2023-11-14T22:13:20.000Z'],
    ['filetime', '9223372036854775806', '9999-12-31T23:59:59.999Z'],
    ['filetime', '2650467744000000000', '9999-12-31T23:59:59.999Z'],
    ['seconds', '253402300800', '9999-12-31T23:59:59.999Z'],
    ['days', '20000', '2024-10-04T00:00:00.000Z'],
  ])('date by %s reads %s', (pattern, text, moment) => {
    expect(evaluated(`date(t, ${JSON.stringify(pattern)})`, { t: ` ${text} ` })).toEqual([moment]);
  });

  test.each([
    ["date('30.02.2026', 'dd.MM.yyyy')", /no date of the pattern dd\.MM\.yyyy in "30\.02\.2026"/u],
    ["date('1.2.2026', 'dd.MM.yyyy')", /no date/u],
    ["date('05-Okt-2026', 'dd-MMM-yyyy')", /no date/u],
    ["date('x')", /date\(\) takes 1990-05-01/u],
    ["bit('', 2)", /bit\(\) takes a whole number, not ""/u],
    ["bit('0x2', 2)", /whole number/u],
    ["phone('123', 'DE')", /no number of DE in "123"/u],
    ["lookup('cities', 'X')", /finds no "X" in the table cities/u],
  ])('%s fails', (expr, reason) => expect(() => evaluated(expr)).toThrow(reason));
});

describe('an empty value', () => {
  /** What `docs/sources/expressions.md` says to guard with `NAME != ''`. */
  const UNKNOWN = ['int(level) >= 10', '!bit(userAccountControl, 2)'];

  test('fails in none of the documented examples but conditions that are unknown then', () => {
    const failing = ROWS.map(({ example }) => example.expr).filter((expr) => emptied(expr) === null);
    expect(failing).toEqual(UNKNOWN);
  });

  test.each([
    ["date(born, 'dd.MM.yyyy')", []],
    ["born != '' ? date(born) : date(hired)", []],
    ['date(born).getFullYear()', []],
    ['int(level) * 10', []],
    ['double(share)', []],
    ["all['ms-ds-x'][0]", ['']],
    ["int(all['x'][0])", []],
    ["all.x[0] + all['y'][1] + '!'", ['!']],
    ["all.x[0].startsWith('a') ? 'yes' : 'no'", ['no']],
    ["expires == '' || date(expires) > now", ['true']],
  ])('%s gives %j', (expr, gives) => expect(evaluated(expr)).toEqual(gives));

  test.each([
    ['now > date(expires)', /date\(\) of an empty text has no value/u],
    ["date(moved) < now ? 'new' : 'old'", /date\(\) of an empty text/u],
    ["split(names, ';')[1]", /out of bounds/u],
  ])('%s fails: it decides about something', (expr, reason) => {
    expect(() => evaluated(expr)).toThrow(reason);
  });

  test('in a list of several values is not made up', () => {
    expect(evaluated("all['x'][1]", { x: ['a', 'b'] })).toEqual(['b']);
  });
});

describe('days are those of the zone', () => {
  const at = new Date('2026-11-30T18:00:00Z');

  test.each([
    ["daysBetween(date('2026-11-30'), now)", 'Asia/Shanghai', '1'],
    ["daysBetween(date('2026-11-30'), now)", 'America/New_York', '0'],
    ["daysBetween(date('2026-11-30'), now, 'Asia/Shanghai')", 'UTC', '1'],
    ["daysBetween(date('2026-11-29T16:00:00Z'), now)", 'Asia/Shanghai', '1'],
    ["daysBetween(date('20261130T', \"yyyyMMdd'T'\", 'UTC'), now, 'UTC')", 'Asia/Shanghai', '0'],
    ["daysBetween(now, date('2026-11-30'))", 'Asia/Shanghai', '-1'],
    ["monthsBetween(date('2026-09-01'), now)", 'Asia/Shanghai', '3'],
    ["monthsBetween(date('2026-09-01'), now)", 'UTC', '2'],
    ["monthsBetween(date('2026-09-01'), now, 'Asia/Shanghai')", 'UTC', '3'],
    ["date('2026-11-30')", 'Asia/Shanghai', '2026-11-30T00:00:00.000+08:00'],
    ["date('2026-11-30 12:30')", 'America/New_York', '2026-11-30T12:30:00.000-05:00'],
    ["date('2026-11-30T12:30:00+01')", 'Asia/Kolkata', '2026-11-30T17:00:00.000+05:30'],
    ["date('2026-11-30', 'Asia/Shanghai')", 'UTC', '2026-11-29T16:00:00.000Z'],
    ["date('30.11.2026', 'dd.MM.yyyy', 'Asia/Shanghai')", 'UTC', '2026-11-29T16:00:00.000Z'],
    ["date('20000', 'days')", 'Asia/Shanghai', '2024-10-04T00:00:00.000+08:00'],
    ["date('1700000000', 'seconds')", 'Asia/Shanghai', '2023-11-15T06:13:20.000+08:00'],
    ["string(date('2026-01-01').getFullYear())", 'Asia/Shanghai', '2026'],
    ["string(date('2026-01-01 09:00').getHours())", 'Asia/Shanghai', '9'],
    ["string(date('2026-01-01').getHours('UTC'))", 'Asia/Shanghai', '16'],
    ["string((now - date('2026-11-30T16:00:00Z')).getHours())", 'Asia/Shanghai', '2'],
  ])('%s in %s is %s', (expr, timezone, gives) => expect(evaluated(expr, {}, at, timezone)).toEqual([gives]));

  test.each([
    ['a day of 23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-29T22:30:00Z 1'],
    ['a day of 25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-25T22:30:00Z 0'],
    ['a day without midnight', 'Africa/Cairo', '2026-04-24', '2026-04-24T20:59:00Z 0'],
    ['the evening before it', 'Africa/Cairo', '2026-04-23', '2026-04-23T21:59:00Z 0'],
    ['a day that has midnight twice', 'America/Havana', '2026-11-01', '2026-11-02T04:59:00Z 0'],
  ])('%s in %s is one day', (_, timezone, day, told) => {
    const [moment = '', gives] = told.split(' ');
    const expr = `string(daysBetween(date('${day}'), now))`;
    expect(evaluated(expr, {}, new Date(moment), timezone)).toEqual([gives]);
  });

  test('a zone that is not known is refused', () => {
    expect(() => evaluated("date('2026-11-30', 'dd', 'Mars/Base')")).toThrow('"dd"');
    expect(() => evaluated("daysBetween(now, now, 'Mars/Base')")).toThrow('"Mars/Base"');
  });
});

test('two-digit years lie between 1970 and 2069', () => {
  expect(evaluated("date('09/27/68', 'MM/dd/yy')", {}, NOW)).toEqual(['2068-09-27T00:00:00.000Z']);
});
