import { describe, expect, test } from 'vitest';

import { parseSchema, UNREAD_SCHEMA } from '../../../src/source/ldap/wire/schema.ts';

/** As OpenLDAP, 389, Active Directory and a careless server write them. */
const SCHEMA = parseSchema([
  "( 2.5.4.4 NAME ( 'sn' 'surname' ) DESC 'RFC4519: last (family) name(s)' SUP name )",
  "( 0.9.2342.19200300.100.1.3 NAME ( 'mail' 'rfc822Mailbox' ) SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{256} )",
  "( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' SYNTAX '1.3.6.1.4.1.1466.115.121.1.15' SINGLE-VALUE )",
  "(2.5.4.3\n NAME  ('cn'   'commonName')\n X-ORIGIN 'RFC 4519' )",
  "( nsRole-oid NAME 'nsFancy' DESC 'no number' )",
  "( 1.2.3.6 NAME 'eduId' SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )",
  "( 1.2.3.7 NAME ( 'face' 'portrait' ) SYNTAX '1.3.6.1.4.1.1466.115.121.1.28' )",
  // 389 calls an attribute as we call the entry's own place.
  "( 2.5.4.49 NAME ( 'distinguishedName' 'dn' ) EQUALITY distinguishedNameMatch )",
  '( 1.2.3.4 )',
  'nothing of the kind',
]);

describe('a schema', () => {
  test.each([
    'sn',
    'SurName',
    '2.5.4.4',
    'samaccountname',
    'nsFancy',
    '1.2.3.4',
    'cn;lang-de',
    'dn',
    'parentDn',
    'entryUUID',
    'objectClass',
  ])('knows %s', (name) => expect(SCHEMA?.knows(name)).toBe(true));

  test.each(['mial', 'last', 'RFC4519', 'name'])('does not know %s', (name) =>
    expect(SCHEMA?.knows(name)).toBe(false),
  );

  test.each([
    ['rfc822Mailbox', 'mail'],
    ['MAIL', 'mail'],
    ['0.9.2342.19200300.100.1.3', 'mail'],
    ['commonName;lang-de;x-a', 'cn;lang-de;x-a'],
    ['cn;x-a;lang-de', 'cn;lang-de;x-a'],
    ['Unheard', 'unheard'],
    ['DN', 'dn'],
    ['distinguishedName', 'distinguishedname'],
  ])('calls %s as any other name of it: %s', (name, key) => expect(SCHEMA?.keyOf(name)).toBe(key));

  test.each([
    ['commonName', false],
    ['mail', false],
    ['eduid', true],
    ['Portrait', true],
    ['unheard', null],
  ])('says whether %s is bytes: %s', (name, is) => expect(SCHEMA?.isBinary(name)).toBe(is));

  test('that says nothing concludes nothing', () => {
    expect(parseSchema(['nothing', ''])).toBeNull();
    expect([UNREAD_SCHEMA.knows('mial'), UNREAD_SCHEMA.keyOf('Mail'), UNREAD_SCHEMA.isBinary('cn')]).toEqual([
      true,
      'mail',
      null,
    ]);
  });
});
