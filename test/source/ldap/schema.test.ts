import { describe, expect, test } from 'vitest';

import { parseSchema, UNREAD_SCHEMA } from '../../../src/source/ldap/wire/schema.ts';

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

  test('leaves the name dn to the entry’s own place, although 389 calls an attribute so', () => {
    const of389 = parseSchema([
      "( 2.5.4.49 NAME ( 'distinguishedName' 'dn' ) EQUALITY distinguishedNameMatch )",
    ]);
    expect(['dn', 'DN', 'distinguishedName'].map((name) => of389?.keyOf(name))).toEqual([
      'dn',
      'dn',
      'distinguishedname',
    ]);
  });

  test('tells text from bytes; of what it does not have it knows nothing', () => {
    const typed = parseSchema([
      "( 2.5.4.3 NAME ( 'cn' 'commonName' ) SUP name )",
      "( 1.2.3.5 NAME 'mail' SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{256} )",
      "( 1.2.3.6 NAME 'eduId' SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )",
      "( 1.2.3.7 NAME ( 'face' 'portrait' ) SYNTAX '1.3.6.1.4.1.1466.115.121.1.28' )",
    ]);
    const isBinary = ['cn', 'commonName', 'mail', 'eduid', 'Portrait', 'unheard'].map((name) => [
      name,
      typed?.isBinary(name),
    ]);
    expect(Object.fromEntries(isBinary)).toEqual({
      cn: false,
      commonName: false,
      mail: false,
      eduid: true,
      Portrait: true,
      unheard: null,
    });
    expect(UNREAD_SCHEMA.isBinary('cn')).toBeNull();
  });

  test('that says nothing concludes nothing', () => {
    expect(parseSchema(['nothing', ''])).toBeNull();
    expect(UNREAD_SCHEMA.knows('mial')).toBe(true);
    expect(UNREAD_SCHEMA.keyOf('Mail')).toBe('mail');
  });
});
