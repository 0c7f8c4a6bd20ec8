import { afterEach, beforeEach, describe, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { openStage, usernamesIn } from './command-line.ts';
import { expectStory, type Step } from './story.ts';

const SUFFIX = 'dc=example,dc=com';
const ROBOTS = `ou=Robots,${SUFFIX}`;

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

/** People and units of the service. */
const PEOPLE: Step = [
  'who and what is in the service',
  (stage) =>
    [
      ...usernamesIn(stage),
      ...stage.sandbox.state
        .organizations()
        .map(({ name }) => name ?? '')
        .toSorted(),
    ].join(', '),
];

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
  const configure = (asked: Asked): Step => [
    JSON.stringify(asked),
    (stage) => stage.setSource(sourceOf(asked) + (asked.more ?? '')),
  ];
  const change = (dn: string, how: string): Step => [
    `${dn}: ${how}`,
    () => server.modify(`dn: ${dn}\nchangetype: ${how}\n`),
  ];
  const rename = (dn: string, to: string, below = ''): Step =>
    change(dn, `modrdn\nnewrdn: ${to}\ndeleteoldrdn: 1${below}`);
  /** A directory that is a source of `sources`. */
  const NAMED: Step = [
    'the directory has a name',
    (stage) => {
      const [directory = '', parts = ''] = sourceOf({ exclude: `"${ROBOTS}"` }).split(/(?=^ {2}units:)/mu);
      const from = parts.replaceAll(/^ {4}base:/gmu, '    from: main\n    base:');
      const main = directory.replace('source:', '  main:').replaceAll(/^ {2}(?!main)/gmu, '    ');
      stage.setSource(`sources:\n${main}source:\n${from}`);
    },
  ];

  const renamed = (changes: string): readonly Step[] => [
    configure({ exclude: `"${ROBOTS}"`, changes }),
    'check',
    'sync',
    PEOPLE,
    'explain svc1 --live',
    rename(ROBOTS, 'ou=Bots'),
    'check',
    'sync',
    PEOPLE,
    'plan',
    'status',
    // It waits as long as it is not settled.
    'sync',
    PEOPLE,
    configure({ exclude: `"ou=Bots,${SUFFIX}"`, changes }),
    'sync',
    PEOPLE,
  ];
  const STORIES: Readonly<Record<string, readonly Step[]>> = {
    'an excluded OU that is renamed': renamed('off'),
    'an excluded OU that is renamed, by increments': renamed('auto'),
    'what is excluded': [
      configure({ exclude: `"${ROBOTS}"` }),
      'check',
      'sync',
      'explain unit:Arms --live',
      rename(`uid=ann,ou=Sales,${SUFFIX}`, 'uid=ann', `\nnewsuperior: ${ROBOTS}`),
      'explain ann --live',
      'sync --only svc1',
      NAMED,
      'explain svc1 --live',
      'explain unit:Arms --live',
    ],
    'a filter that holds for nobody any more': [
      configure({ exclude: '(employeeType=service)', units: '' }),
      'sync',
      ...[`uid=svc1,${ROBOTS}`, `uid=svc2,ou=Arms,${ROBOTS}`].map((dn) =>
        change(dn, 'modify\nreplace: employeeType\nemployeeType: robot'),
      ),
      'sync',
      'status',
      PEOPLE,
    ],
    'names that never matched': [
      configure({ exclude: `"ou=Robot,${SUFFIX}", "ou=far,dc=other", "${ROBOTS}"` }),
      'sync',
      'status',
      PEOPLE,
      configure({
        exclude: `"${ROBOTS}"`,
        more: 'sync: { protect: { units: [Sales, Sale], usernames: [ANN, an] } }\n',
      }),
      'sync',
      'status',
      'check',
      configure({
        exclude: `"${ROBOTS}"`,
        more: 'sync: { protect: { units: [Sales], usernames: [ANN] } }\n',
      }),
      'sync',
    ],
  };

  test.each(Object.entries(STORIES))('%s', async (name, steps) => {
    await expectStory(`unmatched ${name}`, await openStage(), steps);
  });
});
