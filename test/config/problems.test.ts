import { chmodSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { stringify } from 'yaml';
import { loadSettings } from '../../src/config/load-settings.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import { inTempDir, load, problemsOf, SERVICE, SQL, sqlConfig } from './config-file.ts';
import { scratchFolder } from '../servers/scratch.ts';

const LDAP = `source:
  type: ldap
  url: ldap://ldap.example.com
  startTls: false
  units: { base: "dc=x", filter: (ou=*), fields: { id: entryUUID, name: ou } }
  people:
    base: dc=x
    filter: (uid=*)
    fields: { id: entryUUID, username: uid, name: cn, positions: [{ unit: parentDn }] }
`;

test('keys that are gone are named with what to do instead, in one source and in several', () => {
  const gone = `sync: { adopt: true, guard: { lost: off } }`;
  expect(problemsOf(`${sqlConfig(['type: sql', 'type: sql\n  pageSize: 5'])}${gone}\n`))
    .toMatchInlineSnapshot(`
    "FILE: 3 problems
      8:3  source.pageSize: is gone; remove it: it is fixed [config-gone-key]
      13:9  sync.adopt: is gone; remove it: an adopted record is written once [config-gone-key]
      13:31  sync.guard.lost: is gone; remove it: this guard always holds; if the service keeps what an import does not send, set sync.unmapped: omit [config-gone-key]"
  `);
  const [sources, join] = [{ hr: { type: 'csv', pageSize: 5 } }, { shared: true }];
  const people = [{ from: 'hr', file: 'p.csv', fields: {}, join: [join] }];
  const several = problemsOf(SERVICE + stringify({ sources, source: { people } }));
  expect(several.split('\n').filter((line) => line.endsWith('[config-gone-key]'))).toMatchInlineSnapshot(`
    [
      "  9:5  sources.hr.pageSize: is gone; remove it: it is fixed [config-gone-key]",
      "  16:11  source.people[0].join[0].shared: is gone; remove it: several people may share a partner [config-gone-key]",
    ]
  `);
});

describe('problems', () => {
  it('come all at once, with place, path, what is wrong and what to do', () => {
    const text = `${sqlConfig(
      ['orgCode: acme', 'orgcode: acme'],
      ['domainId: example', 'domainId: 42'],
      ['  type: sql', '  type: sql\n  bindDn: x\n  tls: { ca_file: x }'],
      ['name: full_name', 'nickname: n, name: { exp: "1" }'],
      ['{ id: id, name: name }', '{ id: id, name: name, logo: l }'],
    )}sync:
  cron: every day
  timezone: Mars/Base
  clear: emtpy
  fullcron: "0 3 * * 0"
  leavers: { misses: 0, removeAfterDays: 1.5, action: }
  guard: { joiners: 130 %, updates: { percent: 5, count: 5 }, gone: 1.5, moved: off }
  protect: { usernames: root, units: [1234] }
http: { port: 80 }
`;
    expect(problemsOf(text)).toMatchInlineSnapshot(`
      "FILE: 22 problems
        1:1  service.orgCode: is missing; add it, as in the example files [config-missing]
        3:3  service.domainId: expected text, found a number; put it in quotes [config-type]
        4:3  service.orgcode: unknown key; did you mean orgCode? [config-unknown-key]
        8:3  source.bindDn: unknown key; remove it; known here: type, url, password, tls, changes, units, people, positions [config-unknown-key]
        9:3  source.tls: means nothing for sqlite:, which is a file; remove it [config-conflict]
        9:10  source.tls.ca_file: unknown key; did you mean caFile? [config-unknown-key]
        12:69  source.people.fields.nickname: unknown key; remove it; known here: name, en_name, mobile, email, extension_id, serial_no, sort_order, senior, sn, province, city, tel, … [config-unknown-key]
        12:82  source.people.fields.name: exp is no kind of rule; did you mean expr? [config-value]
        15:3  sync.cron: is no cron expression; five fields, as in "*/15 * * * *": minute hour day-of-month month day-of-week [config-value]
        16:3  sync.timezone: is no time zone known here; use an IANA name, as in Europe/Berlin, or UTC [config-value]
        17:3  sync.clear: "emtpy" is not one of empty, null, omit; did you mean empty? [config-value]
        18:3  sync.fullcron: unknown key; did you mean fullCron? [config-unknown-key]
        19:14  sync.leavers.misses: 0 is below 1; choose another number [config-value]
        19:25  sync.leavers.removeAfterDays: expected a whole number, found 1.5; write a whole number [config-type]
        19:47  sync.leavers.action: expected text, found nothing; use disable or remove [config-value]
        20:12  sync.guard.joiners: is no limit of a guard; write "5 % or 5" (the larger counts), "5 %", 5 or off [config-value]
        20:28  sync.guard.updates: is no limit of a guard; write "5 % or 5" (the larger counts), "5 %", 5 or off [config-value]
        20:63  sync.guard.gone: is no limit of a guard; write "5 % or 5" (the larger counts), "5 %", 5 or off [config-value]
        20:74  sync.guard.moved: unknown key; remove it; known here: leavers, joiners, updates, emptied, unexplained, unitsRemoved, unitsMoved, gone, adopted [config-unknown-key]
        21:14  sync.protect.usernames: expected a list, found text; write a list [config-type]
        21:39  sync.protect.units[0]: expected text, found a number; put it in quotes [config-type]
        22:9  http.port: unknown key; remove it; known here: listen, console, trigger [config-unknown-key]"
    `);
  });

  it.each(['0 12 29 2 *', '0 0 31 4,5 *', '0 0 * 2 1#5', '*/30 * * * * *', '@weekly', '0 0 L 2 *'])(
    'are none of a schedule that comes, however seldom: %s',
    (cron) => {
      expect(load(`${sqlConfig()}sync:\n  cron: "${cron}"\n`).settings.sync.cron).toBe(cron);
    },
  );

  it('of required keys name each of them', () => {
    expect(problemsOf('service: { baseUrl: "ftp://x" }\nsource: { url: x }\n')).toMatchInlineSnapshot(`
      "FILE: 7 problems
        1:1  service.domainId: is missing; add it, as in the example files [config-missing]
        1:1  service.orgCode: is missing; add it, as in the example files [config-missing]
        1:1  service.token: is missing; write \${file:/path}, a text, or { command: [program, argument] } [config-missing]
        1:12  service.baseUrl: is no http:// or https:// URL without user, query and fragment; write it as https://im.example.com [config-value]
        2:1  source.type: is missing; write type: ldap or type: sql or type: csv or type: scim or type: rest [config-missing]
        2:1  source.units: is missing; write what to ask there, and fields [config-missing]
        2:1  source.people: is missing; write what to ask there, and fields [config-missing]"
    `);
    expect(problemsOf('log: { level: info }\n')).toMatchInlineSnapshot(`
      "FILE: 2 problems
        1:1  service: is missing; add it, as in the example files [config-missing]
        1:1  source: is missing; add it, as in the example files [config-missing]"
    `);
    expect(problemsOf('just text\n')).toMatchInlineSnapshot(`
      "FILE: 1 problem
        1:1  expected a mapping, found text; write a mapping [config-type]"
    `);
  });
});

describe('secrets', () => {
  const SECRET = 's3cr3t-Pa55';
  const DIGITS = '73573573';

  it.each([
    ['a URL that cannot be read', sqlConfig(['sqlite:hr.db', 'postgres://hr:${P}/x@db/hr'])],
    [
      'a URL whose password looks like a port and a path',
      sqlConfig(['sqlite:hr.db', 'mysql://hr:1/${P}@db/hr']),
    ],
    ['a URL with a bare % in its password', sqlConfig(['sqlite:hr.db', 'mysql://hr:%${P}@db/hr'])],
    ['a token of a wrong kind', sqlConfig(['t0p-secret-token', `[${SECRET}]`])],
    ['a broken YAML', sqlConfig(['t0p-secret-token', `"${SECRET}" x ${SECRET}`])],
    ['a password in a wrong place', LDAP.replace('startTls: false', `bindPassword: { x: ${SECRET} }`)],
    ['a password of digits', LDAP.replace('startTls: false', `bindPassword: ${DIGITS}`)],
    [
      'the URL of a proxy that cannot be read',
      sqlConfig(['  token', '  proxy: "http://u:${P}/@proxy"\n  token']),
    ],
    ['the URL of a proxy with a path', sqlConfig(['  token', '  proxy: "http://u:${P}@proxy/x"\n  token'])],
    [
      'an application token of a wrong kind',
      sqlConfig(['  token', `  appToken: { file: ${SECRET} }\n  token`]),
    ],
    ['a base URL with a password', sqlConfig(['https://im', `https://u:${SECRET}@im`])],
  ])('never show in %s', (_, text) => {
    const message = problemsOf(text, { P: SECRET });
    expect(message).toMatch(/problem/);
    expect(message).not.toMatch(/s3cr3t|73573573/);
  });
});

describe('a file', () => {
  it.each([
    ['that is empty', '', '1:1  the file is empty; begin with config/ldap.example.yaml'],
    [
      'with two documents',
      `${SERVICE}---\n${SQL}`,
      '7:1  a second YAML document begins here (2 in all); remove',
    ],
    [
      'with a key twice',
      `${SERVICE}${SQL}${SERVICE}`,
      '12:1  this key stands here twice; keep one of the two',
    ],
    ['with a tab', 'service:\n\tbaseUrl: x\n', 'a tab as indentation; indent with blanks'],
    ['with an open bracket', 'service: { baseUrl: x\n', 'or close the bracket before it'],
    ['with a bare ${…} between braces', 'state: { path: ${P}, keepDays: 1 }\n', 'write "${NAME}", in quotes'],
    ['with an unknown alias', 'service: *none\n', 'an alias (*) without its anchor'],
    ['with a tag', 'service: !secret x\n', 'a tag (!) that is not known here'],
    ['that is not UTF-8', new Uint8Array([0x61, 0xff, 0xfe]), 'it is not UTF-8 text'],
  ])('%s is told so', (_, content, sentence) => {
    expect(problemsOf(content)).toContain(sentence);
  });

  it('that is missing or a directory is told so, as exit 2', () => {
    const dir = scratchFolder('config');
    const messages = ['/no/such.yaml', dir].map((file) => unreadable(file).replace(dir, 'DIR'));
    expect(messages).toMatchInlineSnapshot(`
      [
        "[config-unreadable] /no/such.yaml: there is no such file; name it with --config FILE or ROLLCALL_CONFIG, or write one with rollcall init (exit 2)",
        "[config-unreadable] DIR: it is a directory; name the file in it (exit 2)",
      ]
    `);
  });

  it('that may not be read is told so', () => {
    const locked = inTempDir('locked.yaml', 'x');
    chmodSync(locked, 0);
    asNobody(() =>
      expect(unreadable(locked).replace(locked, 'LOCKED')).toMatchInlineSnapshot(
        `"[config-unreadable] LOCKED: it may not be read by this user; change its owner or mode (exit 2)"`,
      ),
    );
  });

  it('may begin with a byte order mark, end lines the other way, begin with ---, use anchors, or be JSON', () => {
    const expected = load(sqlConfig()).settings;
    const crlf = `\uFEFF---\n${sqlConfig()}`.replaceAll('\n', '\r\n');
    expect(load(crlf).settings).toEqual(expected);
    expect(load(JSON.stringify(JSON.parse(JSON.stringify(asInput(expected))), null, '\t')).settings).toEqual(
      expected,
    );
    const anchored = sqlConfig(['id: emp_no', 'id: &nr emp_no'], ['person: emp_no', 'person: *nr']);
    expect(load(anchored).settings).toEqual(expected);
  });
});

/** What is said of a file that cannot be read, with the code and how it ends. */
function unreadable(file: string): string {
  try {
    loadSettings(file, {});
  } catch (error) {
    if (error instanceof ConfigError) return `[${error.problem}] ${error.message} (exit ${error.exitCode})`;
    throw error;
  }
  throw new Error('it loaded');
}

/** As a user whom the mode of a file keeps out: root is not one. */
function asNobody(work: () => void): void {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    work();
  } finally {
    process.seteuid?.(0);
  }
}

/** The same configuration as an object. */
function asInput({ service }: ReturnType<typeof load>['settings']): unknown {
  const { requestsPerSecond, concurrency } = service.limits;
  return {
    service: { ...service, limits: { requestsPerSecond, concurrency } },
    source: {
      type: 'sql',
      url: 'sqlite:hr.db',
      units: { query: 'select 1', fields: { id: 'id', name: 'name' } },
      people: { query: 'select 2', fields: { id: 'emp_no', username: 'login', name: 'full_name' } },
      positions: { query: 'select 3', fields: { person: 'emp_no', unit: 'dept_id' } },
    },
  };
}
