import { createRequire } from 'node:module';
import { EvaluationError } from '@marcbachmann/cel-js';
import { suggest } from '../../../lib/suggest.ts';
import { quoted } from '../values/raw-record.ts';
import { specs, type Tools } from './function-spec.ts';

/** Functions of what records of directories and databases hold: flags, phone numbers, codes. */
export const RECORD_FUNCTIONS = specs({
  bit: {
    usage: 'bit(number, mask)',
    about:
      'whether all bits of the mask are set, as in `&` of C and the rule `803` of Active Directory; an empty text fails',
    example: { expr: '!bit(userAccountControl, 2)', record: { userAccountControl: '514' }, gives: 'false' },
    takes: [
      ['string', 'int'],
      ['int', 'int'],
    ],
    gives: 'bool',
    method: false,
    make: () => hasBits,
  },
  phone: {
    usage: 'phone(text, country)',
    about:
      'a phone number in the form of E.164; the country (ISO 3166) is for those without `+`; of an empty text empty',
    example: { expr: "phone(tel, 'DE')", record: { tel: '(030) 1234-5678' }, gives: '+493012345678' },
    takes: [['string', 'string']],
    gives: 'string',
    method: false,
    written: { 1: countryProblem },
    make: () => phoneNumber,
  },
  lookup: {
    usage: 'lookup(table, key) or lookup(table, key, otherwise)',
    about:
      'the value of a key in a table of `lookups`; an unknown key is an error, an empty key gives empty; with `otherwise`, both give that',
    example: { expr: "lookup('cities', site)", record: { site: 'B' }, gives: 'Berlin' },
    takes: [
      ['string', 'string'],
      ['string', 'string', 'string'],
    ],
    gives: 'string',
    method: false,
    written: { 0: tableProblem },
    make: finder,
  },
});

function hasBits(number: string | bigint, mask: bigint): boolean {
  if (typeof number === 'string' && !/^[+-]?\d{1,19}$/u.test(number.trim()))
    throw new EvaluationError(`bit() takes a whole number, not ${quoted(number)}`);
  const bits = typeof number === 'bigint' ? number : BigInt(number.trim().replace('+', ''));
  return (bits & mask) === mask;
}

type Phones = typeof import('libphonenumber-js');

const require = createRequire(import.meta.url);
let loaded: Phones | undefined;

/** Loads the numbering plans of the world, a tenth of a second's work, if an expression asks for them. */
const phones = (): Phones => (loaded ??= require('libphonenumber-js') as Phones);

function countryProblem(country: string): string | null {
  if (phones().isSupportedCountry(country)) return null;
  return `phone() takes the two capital letters of a country, as in 'DE'; ${quoted(country)} is none`;
}

function phoneNumber(text: string, country: string): string {
  if (text.trim() === '') return '';
  const { isSupportedCountry, parsePhoneNumberFromString } = phones();
  const number = isSupportedCountry(country) ? parsePhoneNumberFromString(text, country) : undefined;
  if (number?.isValid() !== true)
    throw new EvaluationError(`phone() finds no number of ${country} in ${quoted(text)}`);
  return number.number;
}

function tableProblem(name: string, { tables }: Tools): string | null {
  if (tables.has(name)) return null;
  const meant = suggest(name, [...tables.keys()]);
  const remedy = meant === undefined ? 'add it to lookups' : `did you mean ${meant}?`;
  return `there is no table ${quoted(name)}; ${remedy}`;
}

function finder({ tables }: Tools) {
  return (table: string, key: string, otherwise?: string): string => {
    if (key === '') return otherwise ?? '';
    const value = tables.get(table)?.get(key) ?? otherwise;
    if (value === undefined)
      throw new EvaluationError(`lookup() finds no ${quoted(key)} in the table ${table}`);
    return value;
  };
}
