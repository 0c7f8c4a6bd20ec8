import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { group, groupDn, GROUPS, PEOPLE, person, personDn, PLACES } from '../source/ldap/group-world.ts';
import { configText, openStage, type Stage } from './command-line.ts';

const unitsOf = ({ sandbox }: Stage, username: string): readonly string[] => {
  const nodes = sandbox.state.organizations();
  const positions = sandbox.state.employee(username)?.positions ?? [];
  return positions
    .map(({ orgId, primary }) => `${nodes.find(({ id }) => id === orgId)?.name ?? ''}${primary ? '*' : ''}`)
    .toSorted((a, b) => (a < b ? -1 : 1));
};

describe.skipIf(!hasServer('slapd'))('groups as units', () => {
  let server: Slapd;
  beforeAll(async () => {
    const ldif = toLdif([
      ...PLACES,
      ...['ann', 'bob', 'cyd'].map((name) => person(name)),
      group('sales', [personDn('ann'), groupDn('emea'), 'cn=computer,dc=example,dc=com']),
      group('emea', [personDn('bob'), personDn('cyd')]),
      group('lab', [personDn('bob')]),
    ]);
    server = await startSlapd({ ldif });
  });
  afterAll(async () => server?.stop());

  const change = (name: string, how: 'add' | 'delete', member: string): void =>
    server.modify(`dn: ${groupDn(name)}\nchangetype: modify\n${how}: member\nmember: ${member}\n`);

  const staged = async (more = ''): Promise<Stage> => {
    const stage = await openStage();
    const source = `source:
  type: ldap
  url: ${server.url}
  bindDn: ${server.bindDn}
  bindPassword: ${server.password}
  units: { base: "${GROUPS}", filter: (objectClass=groupOfNames), members: member, fields: { id: cn, name: cn } }
  people:
    base: "${PEOPLE}"
    filter: (objectClass=inetOrgPerson)
${more}    fields: { id: employeeNumber, username: uid, name: cn }
`;
    writeFileSync(join(stage.folder, 'rollcall.yaml'), configText(stage.sandbox, source));
    return stage;
  };

  test('are checked, synced and explained, and who changes the group alone is noticed', async () => {
    const stage = await staged();
    const check = await stage.type('check');
    expect(check.out).toContain('units 3, people 3, members 6');
    expect(check.code).toBe(0);
    expect((await stage.type('sync')).code).toBe(0);
    expect(unitsOf(stage, 'bob')).toEqual(['emea*', 'lab']);
    expect((await stage.type('plan', '--exit-code')).code).toBe(0);

    change('lab', 'add', personDn('ann'));
    expect((await stage.type('plan', '--exit-code')).code).toBe(5);
    expect((await stage.type('sync')).code).toBe(0);
    expect(unitsOf(stage, 'ann')).toEqual(['lab', 'sales*']);

    const explained = await stage.type('explain', 'ann', '--live');
    expect(explained.out).toContain('unit_groups');
    expect(explained.out).toContain(groupDn('lab'));
    expect((await stage.type('explain', 'emea', '--live')).out).toContain(groupDn('sales'));
    change('lab', 'delete', personDn('ann'));
    expect((await stage.type('sync')).code).toBe(0);
    expect(unitsOf(stage, 'ann')).toEqual(['sales*']);
  });
});
