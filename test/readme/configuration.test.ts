import { describe, expect, test } from 'vitest';
import { GONE_KEYS } from '../../src/config/gone-keys.ts';
import { tableOf, withTables } from './page.ts';
import {
  code,
  KINDS,
  keysBelow,
  SCHEMA,
  SEVERAL,
  takes,
  typeOf,
  type Row,
  type Schema,
} from './schema-rows.ts';

const PAGE = 'docs/configuration.md';

/** Examples by path, for keys whose value is not clear from type and default. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'service.baseUrl': 'https://im.example.com',
  'service.domainId': 'example',
  'service.orgCode': 'acme',
  'service.token': '${file:/run/secrets/service-token}',
  'service.token.command': '[/bin/get-token]',
  'service.appToken': '${file:/run/secrets/app-token}',
  'service.tls.caFile': '/etc/ssl/corp.pem',
  'service.tls.certFile': '/run/secrets/own.pem',
  'service.tls.keyFile': '/run/secrets/own.key',
  'service.tls.serverName': 'im',
  'service.proxy': 'http://user:${PROXY_PASSWORD}@proxy.example.com:3128',
  'service.limits.shared.url': 'rediss://:${REDIS_PASSWORD}@redis.example.com:6379',
  'sources.NAME.idPrefix': 'hr-',
  'source.units.from': 'hr',
  'source.units.distinct': 'department',
  'source.units.separator': '/',
  'source.people.join.on': '{ employeeID: emp_no }',
  'source.units.where': `"!name.startsWith('Test')"`,
  'source.people.where': `"title != 'Machine'"`,
  'ldap source.url': 'ldaps://ldap.example.com',
  'ldap source.bindDn': 'cn=reader,dc=example,dc=com',
  'ldap source.bindPassword': '${LDAP_PASSWORD}',
  'ldap source.vendor': 'activeDirectory',
  'ldap source.units.base': 'ou=company,dc=example,dc=com',
  'ldap source.units.filter': '(objectClass=organizationalUnit)',
  'ldap source.units.members': '{ by: member, nested: units }',
  'ldap source.people.base': 'ou=company,dc=example,dc=com',
  'ldap source.people.filter': '(objectClass=inetOrgPerson)',
  'ldap source.people.exclude': "['ou=services,dc=example,dc=com', (employeeType=robot)]",
  'ldap source.people.memberOf': 'cn=messenger,ou=roles,dc=example,dc=com',
  'sql source.url': 'postgres://hr@db/hr',
  'sql source.password': '${file:/run/secrets/hr-password}',
  'sql source.units.query': 'select id, parent_id, name from department',
  'sql source.people.query': 'select * from employee',
  'sql source.people.changes.query': 'select * from employee where updated_at >= :changedSince',
  'sql source.people.changes.ids': 'select emp_no from employee',
  'sql source.people.changes.removed': 'select emp_no from tombstone where deleted_at >= :changedSince',
  'sql source.people.changes.key': 'emp_no',
  'sql source.positions.query': 'select * from assignment',
  'csv source.units.file': '/import/departments.csv',
  'csv source.people.file': '/import/employees.csv',
  'csv source.positions.file': '/import/assignments.csv',
  'csv source.complete.doneFile': '/import/export.done',
  'csv source.complete.trailer.pattern': String.raw`'^END;(\d+)$'`,
  'csv source.complete.maxAgeHours': '26',
  'scim source.url': 'https://idp.example.com/scim/v2',
  'scim source.token': '${file:/run/secrets/scim-token}',
  'scim source.units.filter': `'displayName sw "dept-"'`,
  'scim source.people.filter': 'active eq true',
  'lookups.NAME.values': '{ B: Berlin, M: München }',
  'lookups.NAME.file': '/config/ranks.csv',
  'lookups.NAME.key': 'grade',
  'lookups.NAME.value': 'title',
  'sync.timezone': 'Europe/Berlin',
  'sync.root': "'100'",
  'sync.leavers.removeAfterDays': '90',
  'sync.protect.usernames': '[admin, ceo]',
  'sync.protect.units': "['4711']",
  'sync.protect.where': `"all.memberOf.exists(g, g.startsWith('cn=board,'))"`,
  'notify.to.usernames': '[ann, bob]',
  'notify.quietHours': '22:00-07:00',
  'http.listen': '0.0.0.0:8080',
  'approvals.callback.token': '${CALLBACK_TOKEN}',
  'approvals.callback.key': '${CALLBACK_KEY}',
  'approvals.callback.applicationId': 'app1',
  'approvals.callback.domains': '[corp]',
  'approvals.approvers': '[ann, bob]',
};

const exampleOf = (path: string, kind = ''): string | undefined =>
  EXAMPLES[kind === '' ? path : `${kind} ${path}`] ?? EXAMPLES[path];

function defaultOf({ schema: { default: value }, isRequired }: Row): string {
  if (value === undefined) return isRequired ? '**required**' : '';
  if (Array.isArray(value)) return code(`[${value.join(', ')}]`);
  if (typeof value === 'string') return code(value === '' ? "''" : value);
  return typeof value === 'object' && value !== null ? '' : code(JSON.stringify(value));
}

function table(rows: readonly Row[], kind?: string): string {
  const cells = rows.map((row) => {
    const example = exampleOf(row.path, kind);
    return [
      code(row.path),
      typeOf(row.schema),
      defaultOf(row),
      example === undefined ? '' : code(example),
      (row.schema.description ?? '').replaceAll('|', String.raw`\|`),
    ];
  });
  return tableOf(['key', 'type', 'default', 'example', 'description'], cells);
}

const part = (name: string): readonly Row[] => {
  const schema: Schema = { properties: { [name]: SCHEMA.properties?.[name] ?? {} } };
  return keysBelow({ ...schema, required: SCHEMA.required ?? [] }, '');
};

const kindOf = (schema: Schema): string => String(schema.properties?.['type']?.const);
const SECTIONS = ['service', 'sync', 'lookups', 'state', 'log', 'notify', 'http', 'approvals'];
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  ...Object.fromEntries(SECTIONS.map((name) => [name, part(name)])),
  several: [...part('sources'), ...keysBelow(SEVERAL, 'source')],
};
const OF_KINDS = KINDS.map((schema) => [kindOf(schema), keysBelow(schema, 'source')] as const);

test('docs/upgrade.md has every key that is gone', async () => {
  const rows = Object.entries(GONE_KEYS).map(([key, remedy]) => [code(key), remedy]);
  const { is, made } = await withTables('docs/upgrade.md', {
    'keys that are gone': tableOf(['setting', 'what to do instead'], rows),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});

describe('docs/configuration.md', () => {
  test('has every key of the configuration', async () => {
    const { is, made } = await withTables(PAGE, {
      ...Object.fromEntries(Object.entries(ROWS).map(([name, rows]) => [`keys of ${name}`, table(rows)])),
      ...Object.fromEntries(OF_KINDS.map(([kind, rows]) => [`keys of ${kind}`, table(rows, kind)])),
    });
    expect(is, 'run `npm run readme`').toBe(made);
    expect(Object.keys(SCHEMA.properties ?? {}).toSorted()).toEqual(
      [...SECTIONS, 'source', 'sources'].toSorted(),
    );
  });

  const all = [
    ...Object.values(ROWS).flatMap((rows) => rows.map((row) => [row, ''] as const)),
    ...OF_KINDS.flatMap(([kind, rows]) => rows.map((row) => [row, kind] as const)),
  ];

  test('has examples that their keys take, and no example of another key', () => {
    const used = all.flatMap(([row, kind]) => {
      const example = exampleOf(row.path, kind);
      return example === undefined || takes(row.schema, example) ? [] : [`${row.path}: ${example}`];
    });
    expect(used).toEqual([]);
    const paths = new Set(all.flatMap(([{ path }, kind]) => [path, `${kind} ${path}`]));
    expect(Object.keys(EXAMPLES).filter((path) => !paths.has(path))).toEqual([]);
  });

  test('has no key that is gone', () => {
    expect(all.filter(([{ path }]) => path in GONE_KEYS).map(([{ path }]) => path)).toEqual([]);
  });

  test('describes each key', () => {
    expect(all.filter(([{ schema }]) => schema.description === undefined).map(([{ path }]) => path)).toEqual(
      [],
    );
  });
});
