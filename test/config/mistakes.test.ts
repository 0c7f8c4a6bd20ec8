import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { isRaw, type Raw } from '../../src/schema/raw.ts';
import { PLACEHOLDER } from '../../src/domain/draft.ts';
import { problemsOf } from './config-file.ts';

const service = { baseUrl: 'https://im.example.com', domainId: 'd', orgCode: 'o', token: 't' };
const UNIT = { id: 'id', name: 'name' };
const PERSON = { id: 'id', username: 'login', name: 'name', positions: [{ unit: 'dept' }] };
const GROUPS = { base: 'ou=groups,dc=x', members: 'member' };

/** Configurations that load. */
const BASES = {
  sql: {
    type: 'sql',
    url: 'sqlite:hr.db',
    units: { query: 'select 1', fields: UNIT },
    people: { query: 'select 2', fields: PERSON },
  },
  ldap: {
    type: 'ldap',
    url: 'ldaps://a',
    vendor: 'openldap',
    units: { base: 'dc=x' },
    people: { base: 'dc=x' },
  },
  csv: { type: 'csv', units: { file: 'u.csv', fields: UNIT }, people: { file: 'p.csv', fields: PERSON } },
  rest: {
    type: 'rest',
    url: 'https://x/api',
    pages: { offset: 'skip', size: { limit: 100 } },
    units: { get: '/u', fields: UNIT },
    people: { get: '/p', fields: PERSON },
  },
  scim: { type: 'scim', url: 'https://x', token: 't', units: { fields: UNIT }, people: { fields: PERSON } },
} as const;

/** A value of `null` takes the key away. */
function merged(base: Raw, over: Raw): Raw {
  const all = Object.entries(over).map(([key, value]) => {
    const under = base[key];
    return [key, isRaw(under) && isRaw(value) ? merged(under, value) : (value ?? undefined)];
  });
  return { ...base, ...Object.fromEntries(all) } as Raw;
}

const person = (fields: Raw): Raw => ({ people: { fields } });
const ofSource = (kind: keyof typeof BASES, ...changes: readonly Raw[]): readonly Raw[] =>
  changes.map((change) => ({ service, source: merged({ ...BASES[kind], positions: undefined }, change) }));
const beside = (...changes: readonly Raw[]): readonly Raw[] =>
  changes.map((change) => merged({ service, source: BASES.sql }, change));
const AD = { ad: { type: 'ldap', url: 'ldaps://a', vendor: 'openldap' } };
const several = (source: Raw, sources: Raw = AD): Raw => ({ service, sources, source });

const LONG_TOKEN = '0123456789abcdef';

/** Each has one mistake, or what follows from it. */
const MISTAKES: readonly Raw[] = [
  ...ofSource(
    'sql',
    ...[
      { const: 'x', foo: 1 },
      { expr: 'x', exprs: 'y' },
      { exp: '1' },
      { const: 'x', expr: '1' },
      { foo: 1 },
    ].map((rule) => person({ name: rule })),
    person({ tags: 't', tag_names: { Staff: 'kind' } }),
    person({ tag_names: { '': 'kind' } }),
    person({ properties: { Badge: 'kind' } }),
    person({ positions: [] }),
    { positions: { query: 'select 3', fields: { person: 'p', unit: 'u' } } },
    { url: 'http://db/hr' },
    { url: 'sqlite:' },
    { tls: { caFile: 'x' } },
    { url: 'postgres://db/hr', password: 'x' },
    { url: 'postgres://me:pw@db/hr', password: 'x' },
    { type: 'excel' },
    { type: null },
    { people: null },
    { units: { query: ' ' } },
    { units: { fields: { refs: [] } } },
    { people: { changes: { query: 'select 1' } } },
  ),
  ...ofSource(
    'ldap',
    { vendor: 'activedirectory' },
    { vendor: null },
    { people: { filter: 'uid=*' } },
    { url: ['ldaps://a', 'http://b'] },
    { url: 'ldaps://a/dc=x' },
    { url: 'ldaps://bob:secret@b' },
    { tls: { certFile: 'c' } },
    { startTls: true },
    { vendor: 'auto' },
    { vendor: 'generic' },
    { units: { members: 'memberOf' } },
    { units: { members: { by: 'memberOf', nested: 'none' } } },
    { referrals: 'ignore' },
    { bindDn: 'cn=x' },
    { bindDn: 'cn=x', bindPassword: { command: [] } },
    { units: { base: ['dc=x', { base: 'dc=y' }] } },
    { units: { members: 'membr' } },
    { units: { distinct: 'departmentNumber', separator: '', base: null } },
    { people: { memberOf: [] } },
    { people: { memberOf: 'staff' } },
    { units: GROUPS, people: { fields: { positions: [{ unit: 'parentDn' }] } } },
  ),
  ...ofSource(
    'csv',
    { encoding: 'gbk2' },
    { units: { query: 'select', file: null } },
    person({ positions: null }),
  ),
  ...ofSource(
    'rest',
    { url: 'https://x/api?a=1' },
    { url: 'ftp://x' },
    { auth: { bearer: 'a', basic: { user: 'b', password: 'c' } } },
    { auth: { token: 'a' } },
    { auth: { oauth: { tokenUrl: 'https://x/token', clientId: 'a', in: 'query' } } },
    ...[
      { secret: 'a', token: '/t', as: 'bearer' },
      { post: '/t', body: { a: 'b' }, secret: 'a', token: 'data/token', as: 'cookie' },
    ].map((login) => ({ auth: { login } })),
    { auth: { header: { 'X Y': 'a' } } },
    { headers: { 'X-Y': 'a\nb' } },
    { ok: { at: 'code' } },
    { ok: { at: '/code' } },
    { rate: { perSecond: 0, reset: { header: 'x', as: 'date' } } },
    ...[
      'all',
      { skip: 'a' },
      { offset: 'a' },
      { offset: 'a', page: 'b', size: { c: 1 } },
      { offset: 'a', size: { b: 1, c: 2 } },
      { cursor: '/a', param: 'b', size: { c: 1 } },
      { cursor: 'a', param: 'b', size: { c: 2 } },
      { cursor: '/a', size: { c: 2 } },
      { next: 'link', size: { c: 2 } },
      { next: 'Link' },
      'none',
    ].map((pages) => ({ people: { pages } })),
    ...[{ trust: '' }, { has: [] }, { count: { at: '/n' } }, {}].map((complete) => ({
      pages: 'none',
      complete: { trust: 'x' },
      people: { complete },
    })),
    { people: { get: null } },
    { people: { post: '/p' } },
    { people: { get: 'p', items: 'data' } },
    { people: { body: { a: 1 } } },
    { people: { walk: {}, detail: {} } },
    { tls: { certFile: 'c' } },
  ),
  ...ofSource('scim', { token: null }, { token: { clientId: 'c' } }, { url: 'https://x/?a=1' }),
  ...beside(
    { service: { tls: { certFile: 'a.pem' } } },
    { service: { tls: { caFile: '' } } },
    { service: { proxy: 'proxy.example.com:3128' } },
    { service: { proxy: 'http://proxy:99999' } },
    { service: { proxy: 'http://proxy/path' } },
    { service: { limits: { shared: { url: 'http://redis:6379' } } } },
    { service: { limits: { shared: { url: 'redis:///1' } } } },
    { service: { appToken: 5 } },
    { service: { domainId: PLACEHOLDER } },
    { lookups: { t: { a: 'b' } } },
    { lookups: { t: { values: { a: 'b' } } } },
    { http: { listen: '0.0.0.0:1', console: true } },
    { http: { listen: '127.0.0.1.example.com:1', console: true } },
    { http: { console: { token: 'short' } } },
    { http: { console: {} } },
    ...[
      [],
      [{ username: 'ann', token: 'short' }],
      [{ username: 'ann', token: LONG_TOKEN }],
      [
        { username: 'ann', token: `${LONG_TOKEN}1` },
        { username: 'bob', token: `${LONG_TOKEN}1` },
      ],
      [
        { username: 'ann', token: `${LONG_TOKEN}1` },
        { username: 'ann', token: `${LONG_TOKEN}2` },
      ],
    ].map((approvers) => ({ http: { console: { token: LONG_TOKEN, approvers } } })),
    { http: { console: 'maybe' } },
    { state: { path: ':memory:' } },
    ...['0 0 30 2 *', '0 0 31 4,6 *', '0 0 30-31 feb *', 'daily'].map((fullCron) => ({ sync: { fullCron } })),
  ),
  several({ units: { from: 'ad', ...GROUPS }, people: { from: 'hr', query: 'select 1', fields: PERSON } }),
  several({
    units: [
      { from: 'ad', ...GROUPS },
      { from: 'ad', ...GROUPS },
    ],
    people: { from: 'ad', base: 'dc=x' },
  }),
  several({ units: { from: 'ad', base: 'dc=x' }, people: { base: 'dc=x' } }),
  several(
    { units: { from: 'ad', base: 'dc=x' }, people: { from: 'ad', base: 'dc=x' } },
    { ad: { ...AD.ad, tls: { keyFile: 'k' } } },
  ),
  several({ units: { from: 'ad', base: 'dc=x' }, people: { from: 'ad', base: 'dc=x' }, url: 'x' }),
  several({ units: { from: 'ad', base: 'dc=x' } }, { ...AD, hr: { type: 'csv' } }),
  {},
];

/** Where the mistakes are made, without the base that they are made in. */
const shown = (mistake: Raw): string => JSON.stringify(mistake).replace(JSON.stringify(service), '…');

test('each mistake has its place, what is wrong, what to do, and a code', async () => {
  const told = MISTAKES.map((mistake) => {
    const [, ...lines] = problemsOf(stringify(mistake)).split('\n');
    return [shown(mistake), ...lines].join('\n');
  });
  await expect(`${told.join('\n\n')}\n`).toMatchFileSnapshot('mistakes.txt');
});
