import { describe, expect, test } from 'vitest';

import { openSource } from '../../../src/source/open-source.ts';
import { hasServer } from '../../servers/install.ts';
import { toLdif, type LdifEntry } from '../../servers/ldif.ts';
import { startSlapd } from '../../servers/slapd.ts';
import { throughout } from '../../servers/throughout.ts';
import { boundTo, directorySettings } from '../directory-settings.ts';
import { problem } from '../problem.ts';
import { never, readAll, type ReadResult } from '../source-contract.ts';

const SUFFIX = 'dc=example,dc=com';

const unit = (dn: string): LdifEntry => [dn, { objectClass: 'organizationalUnit' }];

function person(
  name: string,
  parent: string,
  more: Record<string, string | readonly string[]> = {},
): LdifEntry {
  return [`uid=${name},${parent}`, { objectClass: 'inetOrgPerson', uid: name, cn: name, sn: name, ...more }];
}

/** Two companies, with service accounts in one of them. */
const WORLD = toLdif([
  unit(`ou=north,${SUFFIX}`),
  unit(`ou=sales,ou=north,${SUFFIX}`),
  unit(`ou=services,ou=north,${SUFFIX}`),
  unit(`ou=old,ou=services,ou=north,${SUFFIX}`),
  unit(`ou=south,${SUFFIX}`),
  unit(`ou=lab,ou=south,${SUFFIX}`),
  unit(`ou=deep,ou=lab,ou=south,${SUFFIX}`),
  person('nora', `ou=sales,ou=north,${SUFFIX}`),
  person('svc-web', `ou=sales,ou=north,${SUFFIX}`, { employeeType: 'service' }),
  person('svc-db', `ou=services,ou=north,${SUFFIX}`),
  person('svc-old', `ou=old,ou=services,ou=north,${SUFFIX}`),
  person('top', `ou=north,${SUFFIX}`),
  person('sam', `ou=lab,ou=south,${SUFFIX}`),
  person('deep', `ou=deep,ou=lab,ou=south,${SUFFIX}`),
]);

const peopleOf = ({ people: found }: ReadResult): readonly string[] =>
  found.map(({ username }) => username).toSorted();
const unitsOf = ({ units: found }: ReadResult): readonly string[] =>
  found
    .flatMap(({ refs }) => refs.filter((ref) => ref.includes('=')))
    .map((ref) => ref.split(',', 1)[0] ?? '')
    .toSorted();

describe.skipIf(!hasServer('slapd'))('the reach of a directory', () => {
  const server = throughout(() => startSlapd({ ldif: WORLD }));

  const settings = (units: object, people: object, of = server) =>
    directorySettings({ ...boundTo(of), vendor: 'openldap', units, people });
  const read = async (units: object, people: object, of = server): Promise<ReadResult> =>
    readAll(openSource(settings(units, people, of)));
  const BOTH = { base: [`ou=north,${SUFFIX}`, `ou=south,${SUFFIX}`] };

  test('is several bases, each of which stands for the root', async () => {
    const result = await read(BOTH, BOTH);
    expect(unitsOf(result)).toEqual(['ou=deep', 'ou=lab', 'ou=old', 'ou=sales', 'ou=services']);
    expect(peopleOf(result)).toEqual(['deep', 'nora', 'sam', 'svc-db', 'svc-old', 'svc-web', 'top']);
    const placeOf = (name: string) =>
      result.people.find(({ username }) => username === name)?.positions[0]?.unit;
    expect([placeOf('top'), placeOf('sam')]).toEqual([null, `ou=lab,ou=south,${SUFFIX}`]);
    expect(result.units.filter(({ parent }) => parent === null)).toHaveLength(3);
    expect(result.evidence.parts).toMatchObject([
      { part: 'units', records: 7, pages: 2, end: 'cookie empty' },
      { part: 'people', records: 7, pages: 2, end: 'cookie empty' },
    ]);
    expect(result.evidence.parts.map(({ bases }) => bases)).toEqual([
      [
        { base: `ou=north,${SUFFIX}`, records: 3 },
        { base: `ou=south,${SUFFIX}`, records: 2 },
      ],
      [
        { base: `ou=north,${SUFFIX}`, records: 5 },
        { base: `ou=south,${SUFFIX}`, records: 2 },
      ],
    ]);
  });

  test('may be read to one level alone', async () => {
    const shallow = { base: [`ou=north,${SUFFIX}`, `ou=lab,ou=south,${SUFFIX}`], scope: 'one' };
    expect(peopleOf(await read(BOTH, shallow))).not.toContain('deep');
    expect(peopleOf(await read(BOTH, shallow))).toContain('sam');
  });

  test.each([
    ['one in the other', [`ou=sales,ou=north,${SUFFIX}`, `ou=north,${SUFFIX}`]],
    ['twice the same', [`ou=north,${SUFFIX}`, `OU=North, ${SUFFIX}`]],
  ])('reads nobody twice where bases overlap: %s', async (_, base) => {
    const result = await read({ base }, { base });
    expect(peopleOf(result)).toEqual(['nora', 'svc-db', 'svc-old', 'svc-web', 'top']);
    expect(unitsOf(result)).toEqual(['ou=old', 'ou=sales', 'ou=services']);
    expect(result.evidence.parts.map(({ pages }) => pages)).toEqual([1, 1]);
  });

  test('leaves out an excluded entry with everything below it, however its name is spelled', async () => {
    const exclude = [`OU=Services , ou=north,DC=example,dc=com`];
    const result = await read({ ...BOTH, exclude }, { ...BOTH, exclude });
    expect(unitsOf(result)).toEqual(['ou=deep', 'ou=lab', 'ou=sales']);
    expect(peopleOf(result)).toEqual(['deep', 'nora', 'sam', 'svc-web', 'top']);
  });

  test('leaves out what a filter excludes, and whoever lacks the attribute stays', async () => {
    const result = await read(BOTH, { ...BOTH, exclude: ['(employeeType=service)', '(uid=svc-*)'] });
    expect(peopleOf(result)).toEqual(['deep', 'nora', 'sam', 'top']);
  });

  test('is nobody’s where an exclusion tests an attribute that the directory does not know', async () => {
    const source = openSource(
      settings(BOTH, { ...BOTH, exclude: [`ou=x,${SUFFIX}`, '(employeTyp=service)'] }),
    );
    await expect(source.open(never)).rejects.toThrow(
      problem('ldap-exclusion', 'exclude[1]', ' employeTyp,', ' employeeType?'),
    );
  });

  test.each([
    [{ exclude: ['services'] }, 'ldap-exclude'],
    [{ exclude: ['(&(uid=*)'] }, 'ldap-filter'],
    [{ base: [`ou=north,${SUFFIX}`, 'company'] }, 'ldap-base'],
  ])('cannot be %j', (more, code) => {
    expect(() => openSource(settings(BOTH, { ...BOTH, ...more }))).toThrow(problem(code));
  });

  test('that does not exist ends the read', async () => {
    const missing = { base: [`ou=north,${SUFFIX}`, `ou=nowhere,${SUFFIX}`] };
    await expect(read(BOTH, missing)).rejects.toThrow(problem('ldap-no-entry'));
  });

  test('says where an id has several values', async () => {
    const twice = toLdif([person('two', `ou=lab,ou=south,${SUFFIX}`, { uid: ['two', 'second'] })]);
    const other = await startSlapd({ ldif: WORLD + twice });
    const search = { base: `ou=south,${SUFFIX}` };
    const { evidence } = await read(search, search, other);
    expect(evidence.warnings).toEqual([
      expect.stringMatching(/^source\.people\.fields\.username .* uid=two,/iu),
    ]);
    await other.stop();
  });
});
