import { describe, expect, it } from 'vitest';
import { CALL_SIZES } from '../../src/domain/settings.ts';
import { SYNC } from '../plan/build.ts';
import { inTempDir, load, onlySource, problemsOf, SERVICE, sqlConfig } from './config-file.ts';

const LDAP = `source:                                        # example: LDAP
  type: ldap
  url: ldaps://ldap.example.com
  bindDn: cn=reader,dc=example,dc=com
  bindPassword: \${LDAP_PASSWORD}
  tls: { caFile: /etc/ssl/corp.pem }           # insecure: true must be asked for, and is warned about
  units:
    base: ou=company,dc=example,dc=com         # the entry of the base is not a unit; it stands for the service's root
    filter: (objectClass=organizationalUnit)
    fields: { id: entryUUID, refs: [dn], parent: parentDn, name: ou }
  people:
    base: ou=company,dc=example,dc=com
    filter: (objectClass=inetOrgPerson)
    fields:
      id: entryUUID
      username: uid
      name: cn
      email: mail
      active: { expr: "employeeType != 'left'" }
      positions:
        - { unit: parentDn, job_title: title, primary: { const: true } }
        - { unit: departmentNumber }           # every value of it is one more position
`;

/** The defaults of what a configuration need not have. */
const DEFAULTS = {
  sync: { ...SYNC, fullCron: '0 3 * * *' },
  state: { path: 'data/rollcall.db', keepDays: 400 },
  log: { level: 'info' },
  lookups: {},
};

const LIMITS = { requestsPerSecond: 10, concurrency: 4, ...CALL_SIZES };

function tokenOf(token: string): unknown {
  return load(sqlConfig(['t0p-secret-token', token]), { T: 'tok' }).settings.service.token;
}

const tokenFile = inTempDir('token', 'from-a-file\n');
const ENV = { LDAP_PASSWORD: 'pw-of-ldap' };

describe('a directory', () => {
  it('loads as it is written, with the defaults of everything else', () => {
    const text = SERVICE.replace('t0p-secret-token', `\${file:${tokenFile}}`) + LDAP;
    const { settings, warnings } = load(text, ENV);
    expect(warnings).toEqual([]);
    expect(settings).toEqual({
      service: {
        baseUrl: 'https://im.example.com',
        domainId: 'example',
        orgCode: 'acme',
        token: { file: tokenFile },
        limits: LIMITS,
      },
      source: {
        members: [
          {
            name: null,
            idPrefix: '',
            joins: [],
            source: {
              type: 'ldap',
              url: 'ldaps://ldap.example.com',
              bindDn: 'cn=reader,dc=example,dc=com',
              bindPassword: 'pw-of-ldap',
              tls: { caFile: '/etc/ssl/corp.pem', insecure: false },
              units: {
                bases: ['ou=company,dc=example,dc=com'],
                filter: '(objectClass=organizationalUnit)',
                scope: 'sub',
                rules: { id: 'entryUUID', refs: ['dn'], parent: 'parentDn', fields: { name: 'ou' } },
              },
              people: {
                bases: ['ou=company,dc=example,dc=com'],
                filter: '(objectClass=inetOrgPerson)',
                scope: 'sub',
                rules: {
                  id: 'entryUUID',
                  username: 'uid',
                  active: { expr: "employeeType != 'left'" },
                  positions: [
                    { unit: 'parentDn', job_title: 'title', primary: { const: true } },
                    { unit: 'departmentNumber' },
                  ],
                  fields: { name: 'cn', email: 'mail' },
                  properties: {},
                  tag_names: {},
                  source_identifiers: {},
                },
              },
            },
          },
        ],
      },
      ...DEFAULTS,
    });
  });
});

describe('defaults', () => {
  it('are these where a section is not written at all', () => {
    const { settings } = load(sqlConfig());
    expect(settings).toMatchObject({ ...DEFAULTS, service: { limits: LIMITS } });
  });

  it.each([
    ['5 % or 5', { percent: 5, count: 5 }],
    ['7.5% or 20', { percent: 7.5, count: 20 }],
    ['5 %', { percent: 5, count: 0 }],
    ['0', { percent: 0, count: 0 }],
    ['12', { percent: 0, count: 12 }],
    ['"${GUARD}"', { percent: 0, count: 3 }],
    ['off', { percent: 100, count: 0 }],
    ['100 %', { percent: 100, count: 0 }],
  ])('of the other guards are those of the contract, whatever one is: %s', (written, leavers) => {
    const { sync } = load(`${sqlConfig()}sync: { guard: { leavers: ${written} } }\n`, {
      GUARD: '3',
    }).settings;
    expect(sync.guard).toEqual({ ...SYNC.guard, leavers });
  });

  it('of LDAP units are refs [dn, id] and parent parentDn', () => {
    const text = LDAP.replace('refs: [dn], parent: parentDn, ', '');
    expect(onlySource(load(SERVICE + text, ENV).settings).units?.rules).toEqual({
      id: 'entryUUID',
      refs: ['dn', 'entryUUID'],
      parent: 'parentDn',
      fields: { name: 'ou' },
    });
  });

  it.each(['null', '"null"', '~'])('take clear: %s as the word null', (value) => {
    expect(load(`${sqlConfig()}sync: { clear: ${value} }\n`).settings.sync.clear).toBe('null');
  });

  it('let fullCron and root be switched off with null', () => {
    const { sync } = load(`${sqlConfig()}sync: { fullCron: null, root: "42" }\n`).settings;
    expect([sync.fullCron, sync.root]).toEqual([null, '42']);
  });
});

describe('fields', () => {
  it('keep every field of the interface and maps with ids of 19 digits', () => {
    const { settings } = load(
      sqlConfig([
        'name: full_name }',
        `name: full_name, tags: t, password: pw, properties: { 9007199254740993: p, '007': q }, source_identifiers: { hr: nr } }`,
      ]),
    );
    expect(onlySource(settings).people?.rules).toMatchObject({
      fields: { name: 'full_name', tags: 't', password: 'pw' },
      properties: { '9007199254740993': 'p', '007': 'q' },
      source_identifiers: { hr: 'nr' },
    });
  });
});

describe('variables', () => {
  it('work several in one text, with defaults, files and an escape', () => {
    const file = inTempDir('secret', 'from file\r\n\n');
    const { settings } = load(
      sqlConfig(['sqlite:hr.db', `'postgres://\${U}:\${P:-dflt}@h/$\${x}\${file:${file}}'`]),
      { U: 'me', P: '' },
    );
    expect(onlySource(settings)).toMatchObject({ url: 'postgres://me:dflt@h/${x}from file' });
  });

  it('stand for numbers and booleans where those are wanted, and stay text elsewhere', () => {
    const source = ['sqlite:hr.db', 'postgres://h/d\n  tls: { insecure: "${INSECURE}" }'] as const;
    const text = `${sqlConfig(['orgCode: acme', 'orgCode: ${CODE}'], source)}sync:
  leavers: { removeAfterDays: "\${DAYS}" }
`;
    const { settings } = load(text, { CODE: '007', DAYS: '30', INSECURE: 'true' });
    expect(onlySource(settings)).toMatchObject({ tls: { insecure: true } });
    expect(settings.service.orgCode).toBe('007');
    expect(settings.sync).toMatchObject({ leavers: { removeAfterDays: 30 } });
  });

  it('keep the file of the token only where the token is that file alone', () => {
    expect(tokenOf(`\${file:${tokenFile}}`)).toEqual({ file: tokenFile });
    expect(tokenOf(`x\${file:${tokenFile}}`)).toBe('xfrom-a-file');
    expect(tokenOf('${T}')).toBe('tok');
    expect(tokenOf('{ command: [/bin/get-token, -q] }')).toEqual({ command: ['/bin/get-token', '-q'] });
  });

  it('keep the file of the application token too, beside the other one', () => {
    const appFile = inTempDir('app-token', 'x');
    const line = `appToken: "\${file:${appFile}}"`;
    const { service } = load(sqlConfig(['  token', `  ${line}\n  token`])).settings;
    expect([service.token, service.appToken]).toEqual(['t0p-secret-token', { file: appFile }]);
  });

  it('are problems with their path when unset, unreadable, empty or not understood', () => {
    const empty = inTempDir('empty', ' \n');
    const text = sqlConfig(
      ['example\n', '${NO_SUCH}\n'],
      ['acme', '${file:/no/such/file}'],
      ['t0p-secret-token', `\${file:${empty}}`],
      ['sqlite:hr.db', 'sqlite:${not a name}${open'],
    );
    expect(problemsOf(text).replace(empty, 'EMPTY')).toMatchInlineSnapshot(`
      "FILE: 5 problems
        3:13  service.domainId: the environment variable NO_SUCH is not set; set it, or write \${NO_SUCH:-default} [config-reference]
        4:12  service.orgCode: the file /no/such/file does not exist; write the secret into it, or correct the path [config-reference]
        5:10  service.token: the file EMPTY is empty; write the secret into it [config-reference]
        8:8  source.url: a \${…} that cannot be understood; write \${NAME}, \${NAME:-default} or \${file:/path}; a literal \${ is $\${ [config-reference]
        8:8  source.url: "\${" without its "}"; write \${NAME}, \${NAME:-default} or \${file:/path}; a literal \${ is $\${ [config-reference]"
    `);
  });
});

describe('the way to the service', () => {
  it('has files for TLS and a proxy with a password', () => {
    const tls = { caFile: '/a.pem', certFile: '/b.pem', keyFile: '/b.key' };
    const proxy = 'https://me:p%40w@proxy.example.com:3128';
    const lines = `tls: ${JSON.stringify(tls)}\n  proxy: ${proxy}\n  `;
    expect(load(sqlConfig(['token', `${lines}token`])).settings.service).toMatchObject({ tls, proxy });
  });
});

describe('warnings', () => {
  it('name what is allowed and not advisable', () => {
    const ldap = LDAP.replace('url: ldaps://', 'startTls: false\n  url: ldap://').replace(
      'caFile: /etc/ssl/corp.pem',
      'insecure: true',
    );
    const { warnings } = load(SERVICE.replace('https:', 'http:') + ldap, ENV);
    expect(warnings.map((line) => line.split(' ', 1)[0])).toEqual([
      'source.tls.insecure',
      'source.startTls',
      'service.baseUrl',
    ]);
  });
});
