import { describe, expect, test } from 'vitest';

import { attributeReader } from '../../../src/source/scim/attributes.ts';

const USER = {
  id: '1',
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'Lee' },
  emails: [
    { value: 'ann@home', type: 'home' },
    { value: 'ann@work', type: 'Work', primary: true },
  ],
  addresses: [
    { type: 'work', locality: 'Bonn' },
    { type: 'home', locality: 'Köln' },
  ],
  groups: [
    { value: 'g1', display: 'Sales' },
    { value: 'g2', display: 'EMEA' },
  ],
  active: false,
  roles: ['a', 'b'],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
    department: 'Tools',
    manager: { value: '7', displayName: 'Bob' },
  },
  'urn:example:hr:2.0:User': { grade: 12, level: { code: 'x' } },
};

describe('an attribute of a SCIM resource', () => {
  test.each<[string, unknown]>([
    ['userName', 'ann'],
    ['USERNAME', 'ann'],
    ['name.givenName', 'Ann'],
    ['emails', ['ann@home', 'ann@work']],
    ['emails.value', ['ann@home', 'ann@work']],
    ['emails.work', ['ann@work']],
    ['emails.primary', ['ann@work']],
    ['emails.other', []],
    ['addresses.work.locality', ['Bonn']],
    ['groups', ['g1', 'g2']],
    ['groups.display', ['Sales', 'EMEA']],
    ['active', 'false'],
    ['roles', ['a', 'b']],
    ['enterprise.department', 'Tools'],
    ['enterprise.manager', '7'],
    ['enterprise.manager.displayName', 'Bob'],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', 'Tools'],
    ['urn:example:hr:2.0:User:grade', '12'],
    ['urn:example:hr:2.0:User:level.code', 'x'],
    ['urn:example:hr:2.0:User:level', undefined],
    ['name', undefined],
    ['nothing.at.all', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
  ])('%s is %j', (name, value) => {
    expect(attributeReader(name)(USER)).toEqual(value);
  });
});

const WRITTEN_AS_TEXT = {
  userName: 'True',
  name: { familyName: 'False' },
  active: 'False',
  isChief: ' TRUE ',
  emails: [
    { value: 'home@x', type: 'home', primary: 'False' },
    { value: 'work@x', type: 'work', primary: 'True' },
  ],
  groups: [{ value: 'g1', display: 'True', primary: 'TRUE' }],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { external: 'True' },
  'urn:example:hr:2.0:User': {
    chief: 'TRUE',
    note: 'True story',
    flags: ['False', 'x'],
    of: { value: 'True' },
  },
};

describe('a boolean that a server writes as text', () => {
  test.each<[string, unknown]>([
    ['active', 'false'],
    ['emails.primary', ['work@x']],
    ['enterprise.external', 'true'],
    ['urn:example:hr:2.0:User:chief', 'true'],
    ['urn:example:hr:2.0:User:flags', ['false', 'x']],
    ['urn:example:hr:2.0:User:of.value', 'true'],
  ])('is one: %s is %j', (name, value) => {
    expect(attributeReader(name)(WRITTEN_AS_TEXT)).toEqual(value);
  });

  test.each<[string, unknown]>([
    ['userName', 'True'],
    ['groups.display', ['True']],
    ['urn:example:hr:2.0:User:note', 'True story'],
  ])('is not seen in a text: %s is %j', (name, value) => {
    expect(attributeReader(name)(WRITTEN_AS_TEXT)).toEqual(value);
  });
});
