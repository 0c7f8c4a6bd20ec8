import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { hasServer } from '../servers/install.ts';
import { escapeRdn } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { throughout } from '../servers/throughout.ts';
import { BASE, dnOf, worldLdif } from '../source/ldap-world.ts';
import { PEOPLE, UNITS } from '../source/world.ts';
import { eventsOf, openStage, type Stage } from '../commands/command-line.ts';

const SOUND = PEOPLE.filter(({ refused, active }) => refused === undefined && active);

/** Every unit in its place under its own name, and every sound person in their units, the first of them primary. */
function expectWorld({ state }: Sandbox): void {
  const nodes = new Map(UNITS.map((unit) => [unit.id, state.organizationBySerial(unit.id)]));
  for (const unit of UNITS) {
    expect(nodes.get(unit.id)?.name).toBe(unit.name);
    const parent =
      unit.parent === null
        ? state.organizations().find(({ parentId }) => parentId === undefined)
        : nodes.get(unit.parent);
    expect(nodes.get(unit.id)?.parentId).toBe(parent?.id);
  }
  expect(state.organizations()).toHaveLength(UNITS.length + 1);
  expect(state.employees()).toHaveLength(SOUND.length);
  for (const person of SOUND) {
    const employee = state.employee(person.username ?? '');
    expect(employee?.name).toBe(person.name);
    const seats = employee?.positions.map(({ orgId, primary }) => `${orgId} ${primary}`);
    const wanted = person.units.map((id, index) => `${nodes.get(id)?.id} ${index === 0}`);
    expect(new Set(seats)).toEqual(new Set(wanted));
    expect(seats).toHaveLength(wanted.length);
  }
}

/** Four records of the world are bad on purpose: exit 4, and the others are there. */
async function load(stage: Stage): Promise<boolean> {
  const first = await stage.type('sync');
  expect([first.code, first.err]).toEqual([4, '']);
  expectWorld(stage.sandbox);
  expect(stage.changing().length).toBeGreaterThan(0);
  for (const verb of ['sync', 'sync --full']) {
    const next = await stage.type(...verb.split(' '));
    expect([next.code, stage.changing()]).toEqual([4, []]);
    expect(eventsOf(next.out).at(-1)).toMatchObject({
      event: 'run.end',
      result: 'partial',
      applied: 0,
      blocked: 0,
    });
  }
  return true;
}

const ldap = (slapd: Slapd, url: string): string => `source:
  type: ldap
  url: ${url}
  tls: { caFile: ${slapd.caFile} }
  bindDn: ${slapd.bindDn}
  bindPassword: \${LDAP_PASSWORD}
  units:
    base: ${BASE}
    filter: (objectClass=organizationalUnit)
    fields: { id: businessCategory, refs: [dn, businessCategory], name: description }
  people:
    base: ${BASE}
    filter: (objectClass=inetOrgPerson)
    fields:
      id: employeeNumber
      username: uid
      name: displayName
      email: mail
      birthday: description
      sort_order: roomNumber
      active: { expr: "employeeType != 'left'" }
      positions:
        - { unit: parentDn, job_title: title, primary: { const: true } }
        - { unit: departmentNumber }
`;

/** Spells the names of an LDIF in Base64. */
const encoded = (text: string): string =>
  text.replaceAll(
    /^(dn|newsuperior): (.*)$/gmu,
    (_, type: string, dn: string) => `${type}:: ${Buffer.from(dn).toString('base64')}`,
  );

describe.skipIf(!hasServer('slapd'))('from a directory', () => {
  const slapd = throughout(() => startSlapd({ ldif: worldLdif() }));

  test.each(['LDAPS', 'StartTLS'])('over %s with a private authority', async (kind) => {
    const stage = await openStage();
    stage.setEnv({ LDAP_PASSWORD: slapd.password });
    stage.setSource(ldap(slapd, kind === 'LDAPS' ? slapd.ldapsUrl : slapd.farUrl));
    expect(await load(stage)).toBe(true);
    expect(stage.sandbox.state.employee('max')?.positions).toHaveLength(3);
  });

  test('a mistyped attribute empties nothing, is named by the run and by status; an alias is no mistake', async () => {
    const stage = await openStage();
    stage.setEnv({ LDAP_PASSWORD: slapd.password });
    stage.setSource(ldap(slapd, slapd.ldapsUrl).replace('email: mail', 'email: rfc822Mailbox'));
    expect(await load(stage)).toBe(true);
    const email = (): unknown => stage.sandbox.state.employee('lin')?.profile['email'];
    expect(email()).toBe('lin@example.com');
    stage.setSource(ldap(slapd, slapd.ldapsUrl).replace('email: mail', 'email: mial'));
    const typo = await stage.type('sync', '--full');
    const named = 'mial (source.people.fields.email): did you mean mail?';
    expect([typo.code, email(), stage.changing()]).toEqual([4, 'lin@example.com', []]);
    const warned = eventsOf(typo.out).filter(({ attributes }) => attributes !== undefined);
    expect(warned).toMatchObject([{ level: 'warn', attributes: [named] }]);
    expect(warned[0]?.['run']).toBe(eventsOf(typo.out).at(-1)?.['run']);
    expect((await stage.type('status')).out).toContain(named);
  });

  test('a rename of a unit with a name full of signs, a moved person and one who left arrive', async () => {
    const stage = await openStage();
    stage.setEnv({ LDAP_PASSWORD: slapd.password });
    stage.setSource(ldap(slapd, slapd.ldapsUrl));
    await stage.type('sync');
    const employee = stage.sandbox.state.employee('lin');
    const name = 'Über, "Labs" + \\ / <Söhne>; a=b #1 🚀';
    const rdn = `ou=${escapeRdn('R+D, #2 <y>')}`;
    slapd.modify(
      [
        `dn: ${dnOf('u4')}\nchangetype: modify\nreplace: description\ndescription:: ${Buffer.from(name).toString('base64')}`,
        `dn: cn=p1,${dnOf('u4')}\nchangetype: modrdn\nnewrdn: cn=p1\ndeleteoldrdn: 0\nnewsuperior: ${dnOf('u7')}`,
        `dn: cn=p3,${dnOf('u6')}\nchangetype: modify\nreplace: employeeType\nemployeeType: left`,
        `dn: ${dnOf('u5')}\nchangetype: modrdn\nnewrdn: ${rdn}\ndeleteoldrdn: 1`,
      ]
        .map(encoded)
        .join('\n\n'),
    );
    stage.changing();
    const ran = await stage.type('sync');
    expect(ran.code).toBe(4);
    expect(stage.changing().toSorted()).toEqual(['disableEmployee', 'importEmployees', 'modifyOrganization']);
    const { state } = stage.sandbox;
    expect(state.organizationBySerial('u4')?.name).toBe(name);
    expect(state.employee('lin')?.id).toBe(employee?.id);
    expect(state.employee('lin')?.positions.find(({ primary }) => primary)?.orgId).toBe(
      state.organizationBySerial('u7')?.id,
    );
    expect(state.employee('max')?.locked).toBe(true);
    expect((await stage.type('sync', '--full')).code).toBe(4);
    expect(stage.changing()).toEqual([]);
  });
});
