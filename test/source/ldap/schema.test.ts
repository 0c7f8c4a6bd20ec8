import { describe, expect, test } from 'vitest';

import { parseSchema, UNREAD_SCHEMA } from '../../../src/source/ldap/terms/schema.ts';

/** As OpenLDAP, 389, Active Directory and a careless server write them. */
const DESCRIPTIONS = [
  "( 2.5.4.4 NAME ( 'sn' 'surname' ) DESC 'RFC4519: last (family) name(s)' SUP name )",
  "( 0.9.2342.19200300.100.1.3 NAME ( 'mail' 'rfc822Mailbox' ) EQUALITY caseIgnoreIA5Match )",
  "( 2.16.840.1.113730.3.1.3 NAME 'employeeNumber' DESC 'inetOrgPerson attribute type' SINGLE-VALUE )",
  "( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' SYNTAX '1.3.6.1.4.1.1466.115.121.1.15' SINGLE-VALUE )",
  "(2.5.4.3\n NAME  ('cn'   'commonName')\n X-ORIGIN 'RFC 4519' )",
  "( nsRole-oid NAME 'nsFancy' DESC 'no number' )",
  '( 1.2.3.4 )',
  'nothing of the kind',
];

describe('a schema', () => {
  const schema = parseSchema(DESCRIPTIONS);

  test.each(['sn', 'SurName', '2.5.4.4', 'commonname', 'samaccountname', 'nsFancy', '1.2.3.4', 'cn;lang-de'])(
    'knows %s',
    (name) => {
      expect(schema?.knows(name)).toBe(true);
    },
  );

  test.each(['dn', 'parentDn', 'entryUUID', 'memberOf', 'objectClass'])('knows %s, listed or not', (name) => {
    expect(schema?.knows(name)).toBe(true);
  });

  test.each(['mial', 'last', 'RFC4519', 'name'])('does not know %s', (name) => {
    expect(schema?.knows(name)).toBe(false);
  });

  test('has one key for all names of an attribute, with its options', () => {
    expect(['rfc822Mailbox', 'MAIL', '0.9.2342.19200300.100.1.3'].map((name) => schema?.keyOf(name))).toEqual(
      ['mail', 'mail', 'mail'],
    );
    expect(schema?.keyOf('commonName;lang-de;x-a')).toBe('cn;lang-de;x-a');
    expect(schema?.keyOf('cn;x-a;lang-de')).toBe('cn;lang-de;x-a');
    expect(schema?.keyOf('Unheard')).toBe('unheard');
  });

  test('that says nothing concludes nothing', () => {
    expect(parseSchema(['nothing', ''])).toBeNull();
    expect(UNREAD_SCHEMA.knows('mial')).toBe(true);
    expect(UNREAD_SCHEMA.keyOf('Mail')).toBe('mail');
  });
});
