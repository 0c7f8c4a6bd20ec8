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
  'service.appToken': '${file:/run/secrets/app-token}',
  'service.tls.caFile': '/etc/ssl/corp.pem',
  'service.tls.certFile': '/run/secrets/own.pem',
  'service.tls.keyFile': '/run/secrets/own.key',
  'service.proxy': 'http://user:${PROXY_PASSWORD}@proxy.example.com:3128',
  'service.limits.shared.url': 'rediss://:${REDIS_PASSWORD}@redis.example.com:6379',
  'sources.NAME.idPrefix': 'hr-',
  'source.PART.from': 'hr',
  'source.units.distinct': 'department',
  'source.units.separator': '/',
  'source.people.join.on': '{ employeeID: emp_no }',
  'source.PART.where': `"title != 'Machine'"`,
  'ldap source.url': 'ldaps://ldap.example.com',
  'ldap source.bindDn': 'cn=reader,dc=example,dc=com',
  'ldap source.bindPassword': '${LDAP_PASSWORD}',
  'ldap source.vendor': 'activeDirectory',
  'ldap source.PART.base': 'ou=company,dc=example,dc=com',
  'ldap source.PART.filter': '(objectClass=inetOrgPerson)',
  'ldap source.units.members': '{ by: member, nested: units }',
  'ldap source.PART.exclude': "['ou=services,dc=example,dc=com', (employeeType=robot)]",
  'ldap source.people.memberOf': 'cn=messenger,ou=roles,dc=example,dc=com',
  'sql source.url': 'postgres://hr@db/hr',
  'sql source.password': '${file:/run/secrets/hr-password}',
  'sql source.PART.query': 'select * from employee',
  'sql source.people.changes.query': 'select * from employee where updated_at >= :changedSince',
  'sql source.people.changes.ids': 'select emp_no from employee',
  'sql source.people.changes.removed': 'select emp_no from tombstone where deleted_at >= :changedSince',
  'sql source.people.changes.key': 'emp_no',
  'csv source.PART.file': '/import/employees.csv',
  'csv source.PART.command': '[node, /opt/export-people.mjs]',
  'csv source.complete.doneFile': '/import/export.done',
  'csv source.complete.trailer.pattern': String.raw`'^END;(\d+)$'`,
  'csv source.complete.maxAgeHours': '26',
  'scim source.url': 'https://idp.example.com/scim/v2',
  'scim source.token': '${file:/run/secrets/scim-token}',
  'scim source.PART.filter': `'displayName sw "dept-"'`,
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
  'http.listen': '0.0.0.0:8080',
  'approvals.callback.token': '${CALLBACK_TOKEN}',
  'approvals.callback.key': '${CALLBACK_KEY}',
  'approvals.callback.applicationId': 'app1',
  'approvals.callback.domains': '[corp]',
  'approvals.approvers': '[ann, bob]',
};

const exampleOf = (path: string, kind = ''): string | undefined =>
  EXAMPLES[kind === '' ? path : `${kind} ${path}`] ?? EXAMPLES[path];

/** A line of a table: a key, of one or several kinds of source, in one or several of their parts. */
interface Line extends Row {
  readonly kinds: readonly string[];
  readonly types: readonly string[];
}

const lineOf = (row: Row, kind: string): Line => ({ ...row, kinds: [kind], types: [typeOf(row.schema)] });

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const keys = [...new Set(all.map(keyOf))];
  return new Map(keys.map((key) => [key, all.filter((one) => keyOf(one) === key)]));
}

const wide = (path: string): string => path.replace(/^source\.(?:units|people|positions)\./u, 'source.PART.');

/** Keys that all parts of a kind have alike are one line. */
function partsOf(rows: readonly Row[], kind: string): readonly Line[] {
  const alike = groupedBy(rows, ({ path }) => wide(path));
  return rows.flatMap((row) => {
    const all = alike.get(wide(row.path)) ?? [];
    const isAlike =
      all.length > 1 && new Set(all.map((one) => cellsOf(lineOf(one, kind)).slice(1).join())).size === 1;
    if (!isAlike) return [lineOf(row, kind)];
    return row === all[0] ? [{ ...lineOf(row, kind), path: wide(row.path) }] : [];
  });
}

/** Returns the lines of all kinds, those that say the same of several once. */
function acrossKinds(lines: readonly Line[]): readonly Line[] {
  const groups = groupedBy(lines, ({ path, schema }) => `${path} ${schema.description}`);
  return [...groups.values()].map(([first, ...others]) => ({
    ...(first as Line),
    kinds: [first, ...others].flatMap((one) => one?.kinds ?? []),
    types: [...new Set([first, ...others].flatMap((one) => one?.types ?? []))],
    isRequired: [first, ...others].every((one) => one?.isRequired === true),
  }));
}

function defaultOf({ schema: { default: value }, isRequired }: Row): string {
  if (value === undefined) return isRequired ? '**required**' : '';
  if (Array.isArray(value)) return code(`[${value.join(', ')}]`);
  if (typeof value === 'string') return code(value === '' ? "''" : value);
  return typeof value === 'object' && value !== null ? '' : code(JSON.stringify(value));
}

function cellsOf(line: Line): readonly string[] {
  const { path, types, kinds, schema } = line;
  const example = exampleOf(path, kinds[0]);
  const only = kinds.length > 1 && kinds.length < KINDS.length ? `(${kinds.join(', ')}) ` : '';
  return [
    code(path),
    types.join(', '),
    defaultOf(line),
    example === undefined ? '' : code(example),
    only + (schema.description ?? '').replaceAll('|', String.raw`\|`),
  ];
}

const table = (lines: readonly Line[]): string =>
  tableOf(['key', 'type', 'default', 'example', 'description'], lines.map(cellsOf));

const section = (name: string): readonly Line[] => {
  const schema: Schema = { properties: { [name]: SCHEMA.properties?.[name] ?? {} } };
  return keysBelow({ ...schema, required: SCHEMA.required ?? [] }, '').map((row) => lineOf(row, ''));
};

const SECTIONS = [['service'], ['lookups'], ['sync'], ['state', 'log'], ['notify', 'http', 'approvals']];
const OF_KINDS = acrossKinds(
  KINDS.flatMap((schema) => partsOf(keysBelow(schema, 'source'), String(schema.properties?.['type']?.const))),
);
const SHARED = OF_KINDS.filter(({ kinds }) => kinds.length > 1);
const isShared = ({ path }: Line): boolean =>
  SHARED.some((one) => one.path === path.replace(/^sources\.NAME/u, 'source'));
const OF_SEVERAL = [...section('sources'), ...partsOf(keysBelow(SEVERAL, 'source'), '')];
const TABLES: Readonly<Record<string, readonly Line[]>> = {
  ...Object.fromEntries(SECTIONS.map((names) => [names.join(', '), names.flatMap(section)])),
  'every source': SHARED,
  ...Object.fromEntries(
    KINDS.map((schema) => {
      const kind = String(schema.properties?.['type']?.const);
      return [kind, OF_KINDS.filter(({ kinds }) => kinds.join() === kind)];
    }),
  ),
  several: OF_SEVERAL.filter((line) => !isShared(line)),
};
const ALL = Object.values(TABLES).flat();

/** What says no more than that rollcall does without the key. */
const ONLY_GOES = /^remove it: [^;]+$/u;

test('docs/upgrade.md has every key that is gone', async () => {
  const gone = Object.entries(GONE_KEYS);
  const going = gone.filter(([, remedy]) => ONLY_GOES.test(remedy)).map(([key]) => key);
  const rows = gone.filter(([key]) => !going.includes(key)).map(([key, remedy]) => [code(key), remedy]);
  const { is, made } = await withTables('docs/upgrade.md', {
    'keys with something in their place': tableOf(['setting', 'what to do instead'], rows),
    'keys to remove': `\`\`\`text\n${going.join('\n')}\n\`\`\``,
  });
  expect(is, 'run `npm run readme`').toBe(made);
});

describe('docs/configuration.md', () => {
  test('has every key of the configuration', async () => {
    const tables = Object.entries(TABLES).map(([name, lines]) => [`keys of ${name}`, table(lines)]);
    const { is, made } = await withTables(PAGE, Object.fromEntries(tables));
    expect(is, 'run `npm run readme`').toBe(made);
    expect(Object.keys(SCHEMA.properties ?? {}).toSorted()).toEqual(
      [...SECTIONS.flat(), 'source', 'sources'].toSorted(),
    );
  });

  test('has examples that their keys take, and no example of another key', () => {
    const wrong = ALL.flatMap(({ path, schema, kinds }) => {
      const example = exampleOf(path, kinds[0]);
      return example === undefined || takes(schema, example) ? [] : [`${path}: ${example}`];
    });
    expect(wrong).toEqual([]);
    const paths = new Set(ALL.flatMap(({ path, kinds }) => [path, `${kinds[0]} ${path}`]));
    expect(Object.keys(EXAMPLES).filter((path) => !paths.has(path))).toEqual([]);
  });

  test('has no key that is gone, and describes each', () => {
    expect(ALL.filter(({ path }) => path in GONE_KEYS)).toEqual([]);
    expect(ALL.filter(({ schema }) => schema.description === undefined)).toEqual([]);
  });
});
