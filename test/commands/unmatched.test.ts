import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { configText, openStage, type Stage, usernamesIn } from './command-line.ts';

const SUFFIX = 'dc=example,dc=com';
const ROBOTS = `ou=Robots,${SUFFIX}`;
const TEXT = 'Named in the configuration, and matching nothing';

const unit = (name: string, parent = SUFFIX): LdifEntry => [
  `ou=${name},${parent}`,
  { objectClass: 'organizationalUnit', ou: name },
];
const person = (name: string, place: string, more: LdifEntry[1] = {}): LdifEntry => [
  `uid=${name},${place}`,
  { objectClass: 'inetOrgPerson', uid: name, cn: name, sn: 'x', employeeNumber: name, ...more },
];

const ENTRIES: readonly LdifEntry[] = [
  unit('Sales'),
  unit('Robots'),
  unit('Arms', ROBOTS),
  person('ann', `ou=Sales,${SUFFIX}`),
  person('bob', `ou=Sales,${SUFFIX}`),
  person('svc1', ROBOTS, { employeeType: 'service' }),
  person('svc2', `ou=Arms,${ROBOTS}`, { employeeType: 'service' }),
];

interface Asked {
  readonly exclude: string;
  /** Of units; absent: the same. */
  readonly units?: string;
  readonly more?: string;
  readonly changes?: string;
}

const protect = (text: string): string => `sync: { protect: ${text} }\n`;

const namesIn = ({ sandbox }: Stage): readonly string[] =>
  sandbox.state.organizations().map(({ name }) => name ?? '');

describe.skipIf(!hasServer('slapd'))('a name in the configuration that matches nothing', () => {
  let server: Slapd;
  beforeEach(async () => {
    server = await startSlapd({ ldif: toLdif(ENTRIES) });
  });
  afterEach(() => server.stop());

  const sourceOf = ({ exclude, units = exclude, changes = 'off' }: Asked): string => `source:
  type: ldap
  url: ${server.url}
  bindDn: ${server.bindDn}
  bindPassword: ${server.password}
  changes: ${changes}
  units:
    base: "${SUFFIX}"
    filter: (objectClass=organizationalUnit)
    exclude: [${units}]
    fields: { id: ou, name: ou }
  people:
    base: "${SUFFIX}"
    filter: (objectClass=inetOrgPerson)
    exclude: [${exclude}]
    fields: { id: employeeNumber, username: uid, name: cn, positions: [{ unit: parentDn }] }
`;
  const configure = (stage: Stage, asked: Asked): void =>
    writeFileSync(
      join(stage.folder, 'rollcall.yaml'),
      configText(stage.sandbox, sourceOf(asked) + (asked.more ?? '')),
    );
  const rename = (from: string, to: string): void =>
    server.modify(`dn: ${from}\nchangetype: modrdn\nnewrdn: ${to}\ndeleteoldrdn: 1\n`);

  test.each(['off', 'auto'])(
    'an excluded OU that is renamed: nobody whom it kept out comes in, each verb says so (changes: %s)',
    async (changes) => {
      const stage = await openStage();
      const asked: Asked = { exclude: `"${ROBOTS}"`, changes };
      configure(stage, asked);
      expect((await stage.type('check')).code).toBe(0);
      expect((await stage.type('sync')).code).toBe(0);
      expect(usernamesIn(stage)).toEqual(['ann', 'bob']);
      const { code, out } = await stage.type('explain', 'svc1', '--live');
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(
          /^svc1, not managed: in the source, but out of scope by source\.people\.exclude\n.*employeeNumber +svc1$/msu,
        ),
      ]);

      rename(ROBOTS, 'ou=Bots');
      const words = `source.people.exclude[0]: ${ROBOTS} matches no entry below the bases`;
      const check = await stage.type('check');
      expect([check.code, check.out.includes(words)]).toEqual([4, true]);
      const sync = await stage.type('sync');
      expect([sync.code, usernamesIn(stage), namesIn(stage).includes('Bots')]).toEqual([
        3,
        ['ann', 'bob'],
        false,
      ]);
      expect(sync.out + sync.err).toContain(words);
      const plan = await stage.type('plan');
      expect(plan.out).toContain(TEXT);
      expect(plan.out).toContain(`${words}; correct it if it was renamed`);
      expect(plan.out).toMatch(/HELD by sync\.guard\.joiners: 2 changes, the limit is 0/u);
      expect((await stage.type('status')).out).toContain(words);
      // It waits as long as it is not settled.
      await stage.type('sync');
      expect(usernamesIn(stage)).toEqual(['ann', 'bob']);

      configure(stage, { ...asked, exclude: `"ou=Bots,${SUFFIX}"` });
      expect((await stage.type('sync')).code).toBe(0);
      expect(usernamesIn(stage)).toEqual(['ann', 'bob']);
    },
  );

  test('explain names what excludes a unit, and a managed person who has moved there', async () => {
    const stage = await openStage();
    configure(stage, { exclude: `"${ROBOTS}"` });
    await stage.type('sync');
    const first = async (...args: readonly string[]): Promise<string> =>
      (await stage.type('explain', '--live', ...args)).out.split('\n')[0] ?? '';
    for (const name of ['unit:Arms', 'Arms'])
      expect(await first(name)).toBe(
        'Arms, not managed: in the source, but out of scope by source.units.exclude',
      );
    server.modify(
      `dn: uid=ann,ou=Sales,${SUFFIX}\nchangetype: modrdn\nnewrdn: uid=ann\ndeleteoldrdn: 1\nnewsuperior: ${ROBOTS}\n`,
    );
    const { out } = await stage.type('explain', 'ann', '--live');
    expect(out).toMatch(
      /^ann, managed, active: out of scope by source\.people\.exclude: missing once; will be disabled/u,
    );
    expect(out).toMatch(/^source +uid=ann,ou=Robots,.*; out of scope by source\.people\.exclude$/mu);
    const others = await stage.type('sync', '--only', 'svc1');
    expect([others.code, others.err]).toEqual([2, expect.stringContaining('neither in the source nor')]);
    const [directory = '', parts = ''] = sourceOf({ exclude: `"${ROBOTS}"` }).split(/(?=^ {2}units:)/mu);
    const from = parts.replaceAll(/^ {4}base:/gmu, '    from: main\n    base:');
    const main = directory.replace('source:', '  main:').replaceAll(/^ {2}(?!main)/gmu, '    ');
    stage.setSource(`sources:\n${main}source:\n${from}`);
    expect(await first('svc1')).toBe(
      'svc1, not managed: in the source, but out of scope by source.people.exclude',
    );
    expect(await first('unit:Arms')).toContain('in the source, but out of scope by source.units.exclude');
  });

  test('a filter that held for some and holds for nobody: they are held', async () => {
    const stage = await openStage();
    configure(stage, { exclude: '(employeeType=service)', units: '' });
    expect((await stage.type('sync')).code).toBe(0);
    for (const dn of [`uid=svc1,${ROBOTS}`, `uid=svc2,ou=Arms,${ROBOTS}`])
      server.modify(`dn: ${dn}\nchangetype: modify\nreplace: employeeType\nemployeeType: robot\n`);
    const sync = await stage.type('sync');
    expect([sync.code, usernamesIn(stage)]).toEqual([3, ['ann', 'bob']]);
    expect(sync.out + sync.err).toContain(
      'source.people.exclude[0]: (employeeType=service) matches no entry',
    );
  });

  test('one that never matched is only said: exit 4, and whoever joins does', async () => {
    const stage = await openStage();
    configure(stage, { exclude: `"ou=Robot,${SUFFIX}", "ou=far,dc=other", "${ROBOTS}"` });
    const { code, out } = await stage.type('sync');
    expect([code, usernamesIn(stage)]).toEqual([4, ['ann', 'bob']]);
    expect(out).toMatch(
      /source\.people\.exclude\[0\]: ou=Robot,.*source\.people\.exclude\[1\]: ou=far,dc=other/su,
    );
    expect(out).not.toContain('exclude[2]');
  });

  test('protected units and usernames', async () => {
    const stage = await openStage();
    configure(stage, {
      exclude: `"${ROBOTS}"`,
      more: protect('{ units: [Sales, Sale], usernames: [ANN, an] }'),
    });
    const { code, out } = await stage.type('sync');
    expect(code).toBe(4);
    expect(out).toContain('sync.protect.units: no unit has the id Sale;');
    expect(out).toContain('sync.protect.usernames: no person has the username an;');
    expect(out).not.toMatch(/the id Sales;|the username ANN;/u);
    expect((await stage.type('check')).code).toBe(4);
    configure(stage, {
      exclude: `"${ROBOTS}"`,
      more: protect('{ units: [Sales], usernames: [ANN] }'),
    });
    expect((await stage.type('sync')).code).toBe(0);
  });
});
