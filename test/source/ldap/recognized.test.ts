import { describe, expect, test } from 'vitest';

import type { Source } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { hasServer } from '../../servers/install.ts';
import { added, modified } from '../../servers/ldif.ts';
import { startSlapd } from '../../servers/slapd.ts';
import { throughout } from '../../servers/throughout.ts';
import { BASE, dnOf, ldapSettings, worldLdif } from '../ldap-world.ts';
import { each, never } from '../source-contract.ts';
import { NO_MAPS, PEOPLE } from '../world.ts';

/** Reads everybody; returns the prints that were told, and the ids of those who were decoded. */
async function readPeople(source: Source, known: ReadonlySet<string> = new Set(), salt = 's') {
  const read = await source.open(never);
  const [prints, ids] = [new Set(known), [] as string[]];
  const areKnown = (page: readonly (string | null)[]) => page.map((one) => one !== null && known.has(one));
  try {
    for await (const _ of each(read.units()));
    for await (const reading of each(read.people({ salt, areKnown }))) {
      if (reading.ok) ids.push(reading.record.id);
      if (reading.ok && reading.print !== undefined) prints.add(reading.print);
    }
    return { prints, ids, records: read.evidence().parts.find(({ part }) => part === 'people')?.records };
  } finally {
    await read.close();
  }
}

const first = (): string => `cn=${PEOPLE[0]?.id},${dnOf(PEOPLE[0]?.units[0] ?? '')}`;

describe.skipIf(!hasServer('slapd'))('an entry of a directory', () => {
  const server = throughout(() => startSlapd({ ldif: worldLdif() }));

  test('is decoded where one of its values changed, and otherwise by nobody, and counts as read', async () => {
    const source = openSource(ldapSettings(server));
    const { prints, ids } = await readPeople(source);
    expect([ids.length > 500, prints.size]).toEqual([true, ids.length]);
    // No rule reads this one.
    server.modify(modified(first(), { facsimileTelephoneNumber: '1' }));
    expect(await readPeople(source, prints)).toMatchObject({ ids: [], records: PEOPLE.length });
    server.modify(modified(first(), { title: 'Another' }));
    expect((await readPeople(source, prints)).ids).toEqual([PEOPLE[0]?.id]);
  });

  test('is decoded by a source that reads another name, or has another salt', async () => {
    const { prints, ids } = await readPeople(openSource(ldapSettings(server)));
    const other = openSource(ldapSettings(server, { people: { rules: OTHER } }));
    expect((await readPeople(other, prints)).ids.length).toBe(ids.length);
    expect((await readPeople(openSource(ldapSettings(server)), prints, 'other')).ids.length).toBe(ids.length);
  });

  test('is decoded in each read where groups say who belongs to whom', async () => {
    const people = { memberOf: [`cn=all,${BASE}`] };
    server.modify(added([[`cn=all,${BASE}`, { objectClass: 'groupOfNames', cn: 'all', member: first() }]]));
    const source = openSource(ldapSettings(server, { people }));
    const { prints, ids } = await readPeople(source);
    expect([ids, prints.size, (await readPeople(source, prints)).ids]).toEqual([
      [PEOPLE[0]?.id],
      0,
      [PEOPLE[0]?.id],
    ]);
  });
});

const OTHER = {
  ...NO_MAPS,
  id: 'employeeNumber',
  username: 'uid',
  fields: { name: 'displayName', tel: 'mail' },
  positions: [{ unit: 'parentDn' }],
};
