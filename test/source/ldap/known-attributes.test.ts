import { describe, expect, test } from 'vitest';

import type { LdapSettings } from '../../../src/source/ldap/settings/ldap-settings.ts';
import type { PersonRules } from '../../../src/domain/source-settings.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { hasServer } from '../../servers/install.ts';
import { toLdif } from '../../servers/ldif.ts';
import { startSlapd } from '../../servers/slapd.ts';
import { throughout } from '../../servers/throughout.ts';
import { dnOf, ldapSettings, worldLdif } from '../ldap-world.ts';
import { readAll, type ReadResult } from '../source-contract.ts';

/** One person with a value of each kind. */
const ANN = toLdif([
  [
    `cn=ann,${dnOf('u1')}`,
    {
      objectClass: ['inetOrgPerson', 'extensibleObject'],
      cn: 'ann',
      'cn;lang-de': 'Anna',
      sn: 'Arbor',
      uid: 'ann',
      employeeNumber: 'ann',
      mail: 'ann@example.com',
      displayName: 'Ann',
      departmentNumber: 'u2',
    },
  ],
]);

describe.skipIf(!hasServer('slapd'))('the names of attributes', () => {
  const server = throughout(() => startSlapd({ ldif: worldLdif() + ANN }));

  async function read(rules: Partial<PersonRules>, more: Partial<LdapSettings> = {}): Promise<ReadResult> {
    const { people } = ldapSettings(server);
    const settings = ldapSettings(server, {
      people: { filter: '(uid=ann)', rules: { ...people.rules, ...rules } },
    });
    return readAll(openSource({ ...settings, ...more }));
  }

  const fieldsOf = async (fields: PersonRules['fields']) => {
    const { people, evidence } = await read({ fields: { name: 'displayName', ...fields } });
    return { fields: people[0]?.fields, unknown: evidence.unknown };
  };

  test('are found by each of the names that the schema has, also by two at once, by number and with options', async () => {
    const { fields, unknown } = await fieldsOf({
      email: 'rfc822Mailbox',
      otherEmail: 'mail',
      extended1: 'surname',
      extended2: '2.5.4.4',
      extended3: 'commonName;lang-de',
      label: { expr: "RFC822mailbox + '!'" },
    });
    expect(fields).toMatchObject({
      email: 'ann@example.com',
      otherEmail: 'ann@example.com',
      extended1: 'Arbor',
      extended2: 'Arbor',
      extended3: 'Anna',
      label: 'ann@example.com!',
    });
    expect(unknown).toEqual([]);
  });

  test('that the server does not know are named with what was meant, and their fields are not mapped', async () => {
    const { fields, unknown } = await fieldsOf({
      email: 'mial',
      tel: { expr: "telephonNumber + ''" },
      fax: 'facsimileTelephoneNumber',
    });
    expect(fields).toEqual({ name: 'Ann', fax: null });
    expect(unknown).toEqual([
      { part: 'people', name: 'mial', places: ['source.people.fields.email'], suggestion: 'mail' },
      {
        part: 'people',
        name: 'telephonNumber',
        places: ['source.people.fields.tel'],
        suggestion: 'telephoneNumber',
      },
    ]);
  });

  test('that the server does not know make a condition unknown: the record is refused, not left out', async () => {
    const { people } = ldapSettings(server);
    const found = async (where: string): Promise<ReadResult> =>
      readAll(openSource(ldapSettings(server, { people: { ...people, filter: '(uid=ann)', where } })));
    const unknown = await found("acountStatus == 'on'");
    expect([unknown.people, unknown.refusals]).toEqual([
      [],
      [
        expect.objectContaining({
          field: 'where',
          reason: expect.stringContaining('acountStatus') as string,
        }),
      ],
    ]);
    const [known] = (await found("RFC822mailbox.endsWith('@example.com') && dn.contains('cn=ann')")).people;
    expect([known?.username, known?.outOfScope]).toEqual(['ann', undefined]);
    expect((await found("departmentNumber != 'u2'")).people[0]?.outOfScope).toBe("departmentNumber != 'u2'");
  });

  test('of properties, positions, `active`, parents and filters are named too', async () => {
    const { units } = ldapSettings(server);
    const { people, evidence } = await read(
      {
        properties: { 11: 'mial', 12: 'mail' },
        active: 'acountStatus',
        positions: [{ unit: 'parentDn', job_title: 'titel' }, { unit: 'departmentNumbr' }],
      },
      {
        units: {
          ...units,
          filter: '(&(objectClass=organizationalUnit)(!(hiden=x)))',
          rules: { ...units.rules, parent: 'parrentUnit' },
        },
      },
    );
    expect(people[0]?.fields['properties']).toEqual({ 12: ['ann@example.com'] });
    expect(people[0]?.active).toBeNull();
    expect(people[0]?.positions.map(({ fields }) => fields)).toEqual([{}]);
    expect(
      evidence.unknown.flatMap(({ name, places }) => places.map((place) => `${place}: ${name}`)),
    ).toEqual([
      'source.units.fields.parent: parrentUnit',
      'source.units.filter: hiden',
      'source.people.fields.active: acountStatus',
      'source.people.fields.properties.11: mial',
      'source.people.fields.positions[0].job_title: titel',
      'source.people.fields.positions[1].unit: departmentNumbr',
    ]);
  });

  test('for the parent of units refuse each unit, as it would look moved', async () => {
    const { units } = ldapSettings(server);
    const rules = { ...units.rules, parent: 'parrentUnit' };
    const { units: found, refusals } = await readAll(openSource(ldapSettings(server, { units: { rules } })));
    expect([found, refusals.find(({ subject }) => subject === 'unit')?.field]).toEqual([[], 'parent']);
  });
});

describe.skipIf(!hasServer('slapd'))('a server that hides its schema', () => {
  test('makes nobody wonder about any name', async () => {
    const server = await startSlapd({ ldif: worldLdif() + ANN, hidesSchema: true });
    try {
      const { people } = ldapSettings(server);
      const rules = { ...people.rules, fields: { name: 'displayName', email: 'mial' } };
      const read = await readAll(
        openSource(ldapSettings(server, { people: { filter: '(uid=ann)', rules } })),
      );
      expect(read.evidence.unknown).toEqual([]);
      expect(read.people[0]?.fields).toEqual({ name: 'Ann', email: null });
    } finally {
      await server.stop();
    }
  });
});
