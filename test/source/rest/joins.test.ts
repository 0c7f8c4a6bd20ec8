import { afterAll, beforeAll, expect, test } from 'vitest';
import { SourceError } from '../../../src/domain/errors.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { load, SERVICE } from '../../config/config-file.ts';
import { toLdif } from '../../servers/ldif.ts';
import { startSlapd, type Slapd } from '../../servers/slapd.ts';
import { readAll } from '../source-contract.ts';
import { startRest, type RestServer } from './rest-server.ts';

const BASE = 'ou=people,dc=example,dc=com';
const STAFF = [
  { no: 1, login: 'ann', dept: 'Sales/EMEA', mail: 'ann@hr' },
  { no: 2, login: 'bob', dept: 'Sales', mail: 'bob@hr' },
];

let directory: Slapd;
let hr: RestServer;
beforeAll(async () => {
  const account = (uid: string, employeeNumber: string) => {
    const names = { objectClass: 'inetOrgPerson', cn: `${uid} at the directory`, sn: 'x' };
    return [`uid=${uid},${BASE}`, { ...names, uid, employeeNumber }] as const;
  };
  directory = await startSlapd({
    ldif: toLdif([
      [BASE, { objectClass: 'organizationalUnit', ou: 'people' }],
      account('ann', '1'),
      account('bob', '2'),
    ]),
  });
  hr = await startRest({ staff: STAFF });
});
afterAll(async () => {
  await hr.close();
  await directory.stop();
});

const sources = (): string => `${SERVICE}sources:
  ad: { type: ldap, url: "${directory.url}", bindDn: "${directory.bindDn}", bindPassword: ${directory.password} }
  hr: { type: rest, url: "${hr.url}", pages: { offset: skip, size: { limit: 10 } } }
`;

const peopleOf = async (source: string) => {
  const { people, units } = await readAll(openSource(load(sources() + source).settings.source));
  return {
    people: people.map(({ id, fields: { name, email } }) => [id, name, email]),
    units: units.map(({ fields }) => fields['name']),
  };
};

test('people of an HR system have their accounts in a directory, and units by a value', async () => {
  const read = await peopleOf(`source:
  units: { distinct: dept, separator: / }
  people:
    from: hr
    get: /staff
    items: /data
    fields: { id: no, username: login, name: ad.cn, email: mail }
    join: { from: ad, base: "${BASE}", filter: (objectClass=inetOrgPerson), on: { no: employeeNumber } }
`);
  expect(read).toEqual({
    people: [
      ['1', 'ann at the directory', 'ann@hr'],
      ['2', 'bob at the directory', 'bob@hr'],
    ],
    units: ['Sales', 'EMEA'],
  });
});

test('people of a directory are completed by an HR system, whose list has to be whole', async () => {
  const source = `source:
  units: { distinct: hr.dept, separator: / }
  people:
    from: ad
    base: "${BASE}"
    filter: (objectClass=inetOrgPerson)
    fields: { id: uid, username: uid, name: cn, email: hr.mail }
    join: { from: hr, get: /staff, items: /data, key: no, on: { employeeNumber: no } }
`;
  expect((await peopleOf(source)).people).toEqual([
    ['ann', 'ann at the directory', 'ann@hr'],
    ['bob', 'bob at the directory', 'bob@hr'],
  ]);
  hr.twist = ({ start }, usual) => (start > 0 ? { status: 403, body: {} } : usual);
  await expect(peopleOf(source)).rejects.toThrow(SourceError);
});
