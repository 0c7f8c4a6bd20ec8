import { afterEach, describe, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import { openGroupStage } from './group-stage.ts';

const SUFFIX = 'dc=example,dc=com';
const LAB = `ou=Lab,${SUFFIX}`;
const person = (uid: string, more: LdifEntry[1]): LdifEntry => [
  `uid=${uid},${LAB}`,
  { objectClass: 'inetOrgPerson', uid, sn: 'x', employeeNumber: uid, cn: uid, ...more },
];
const add = (dn: string, values: Readonly<Record<string, string>>): string =>
  [
    `dn: ${dn}`,
    'changetype: modify',
    ...Object.entries(values).flatMap(([name, value]) => [`add: ${name}`, `${name}: ${value}`, '-']),
    '\n',
  ].join('\n');

let server: Slapd | undefined;
afterEach(async () => server?.stop());

async function openLab(people: readonly LdifEntry[]) {
  const directory = await startSlapd({
    ldif: toLdif([
      [LAB, { objectClass: 'organizationalUnit', description: 'lab', telephoneNumber: '5' }],
      ...people,
    ]),
  });
  server = directory;
  const fields = {
    id: 'employeeNumber',
    username: 'uid',
    name: { expr: "cn + ''" },
    mobile: 'mobile',
    city: 'l',
    positions: [{ unit: 'parentDn', job_title: 'title' }],
  };
  const stage = await openGroupStage({
    ...boundTo(directory),
    vendor: 'openldap',
    units: { base: SUFFIX, fields: { id: 'description', name: 'ou', tel: 'telephoneNumber' } },
    people: { base: LAB, fields },
  });
  return { ...stage, directory };
}

const warned = (lines: Awaited<ReturnType<Awaited<ReturnType<typeof openLab>>['sync']>>['lines']) =>
  lines.flatMap(({ fields }) => (typeof fields['warning'] === 'string' ? [fields['warning']] : []));

describe.skipIf(!hasServer('slapd'))('a second value of a single-valued field', () => {
  test('takes nothing over from the value that was sent, in people, their positions and units', async () => {
    const { directory, sync, world } = await openLab([
      person('mia', { cn: 'Mia Wu', mobile: '+8613900000009', l: 'Wuhan', title: 'Head' }),
    ]);
    expect((await sync()).exitCode).toBe(0);
    const second = { cn: 'Aaa Alias', mobile: '+8613900000001', l: 'Aba', title: 'Aide', uid: 'aaa' };
    directory.modify(add(`uid=mia,${LAB}`, second));
    directory.modify(add(LAB, { ou: 'Aaa', telephoneNumber: '1' }));
    const ran = await sync();
    expect([ran.exitCode, ran.planned]).toEqual([0, []]);
    expect(warned(ran.lines).map((text) => text.split(' has ', 1)[0])).toEqual([
      ...['name', 'tel'].map((field) => `source.units.fields.${field}`),
      ...['username', 'name', 'mobile', 'city', 'positions.job_title'].map(
        (field) => `source.people.fields.${field}`,
      ),
    ]);
    directory.modify(`dn: uid=mia,${LAB}\nchangetype: modify\ndelete: cn\ncn: Mia Wu\n\n`);
    expect((await sync()).planned).toEqual(['update person mia']);
    expect(world.employee('mia').name).toBe('Aaa Alias');
  });

  test('of a new person is behind the one that the RDN names, else behind the first in sorted order', async () => {
    const { sync, world } = await openLab([
      person('zoe', { uid: ['zoE', 'abe', 'bob'], mobile: ['+8613900000002', '+8613900000001'] }),
    ]);
    expect((await sync()).exitCode).toBe(0);
    const { username, profile } = world.employee('zoE');
    expect([username, profile['mobile']]).toEqual(['zoE', '+8613900000001']);
  });
});
