import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { settingsFrom } from '../../src/config/load-settings.ts';
import { ROOT } from './page.ts';

type Part = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What an example does not say. */
const SERVICE = { baseUrl: 'https://im.example.com', domainId: 'd', orgCode: 'o', token: 't' };
const UNIT = { id: 'id', name: 'name' };
const PERSON = { id: 'id', username: 'login', name: 'name', positions: [{ unit: 'dept' }] };
const SOURCES: Readonly<Record<string, Part>> = {
  ldap: {
    url: 'ldaps://ldap.example.com',
    units: { base: 'dc=x', filter: '(o=*)', fields: UNIT },
    people: { base: 'dc=x', filter: '(o=*)', fields: PERSON },
  },
  sql: {
    url: 'sqlite:/hr.db',
    units: { query: 'select 1', fields: UNIT },
    people: { query: 'select 1', fields: PERSON },
  },
  csv: { units: { file: '/u.csv', fields: UNIT }, people: { file: '/p.csv', fields: PERSON } },
  scim: {
    url: 'https://idp.example.com/v2',
    token: 't',
    units: { resource: 'Groups', fields: UNIT },
    people: { resource: 'Users', fields: PERSON },
  },
  rest: {
    url: 'https://hr.example.com',
    pages: { offset: 'offset', size: { limit: 100 } },
    units: { get: '/units', fields: UNIT },
    people: { get: '/people', fields: PERSON },
  },
};
/** By what an example without `type` shows which kind of source it is about. */
const SIGNS = { sql: /\bquery:/u, csv: /\bfile:/u, scim: /\bresource:/u };

/** Returns the example completed: what it says counts, and units, people and fields that it does not have are added. */
function completed(example: Part, text: string): Part {
  if ('sources' in example) return merged({ service: SERVICE }, example);
  const sign = Object.entries(SIGNS).find(([, pattern]) => pattern.test(text))?.[0];
  const { type: named = sign } = isPart(example['source']) ? example['source'] : {};
  const type = typeof named === 'string' ? named : 'ldap';
  const whole = merged({ service: SERVICE, source: { type, ...SOURCES[type] } }, example);
  const { people, ...rest } = whole['source'] as Readonly<Record<string, Part>>;
  const fields: Part = { ...(people?.['fields'] as Part) };
  const { positions: _, ...withoutPlaces } = fields;
  return {
    ...whole,
    source: { ...rest, people: { ...people, fields: 'positions' in rest ? withoutPlaces : fields } },
  };
}

function merged(base: Part, over: Part): Part {
  const all = Object.entries(over).map(([key, value]) => {
    const under = base[key];
    const isWhole = !isPart(under) || !isPart(value) || 'distinct' in value || 'command' in value;
    return [key, isWhole ? value : merged(under, value)];
  });
  return { ...base, ...Object.fromEntries(all) };
}

const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((page) =>
  page.endsWith('.md'),
);
const EXAMPLES = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^( *)```yaml\n(?<text>.*?)^\1```/gmsu)].map(
    ({ groups }, index) => [`${page} ${index + 1}`, groups?.['text'] ?? ''] as const,
  ),
);
/** Files of other programs: of Docker Compose, Kubernetes and Prometheus. */
const OTHERS = ['services', 'apiVersion', 'rule_files', 'scrape_configs', 'groups'];
const SECRET = 'A'.repeat(43);
const ENV = new Proxy({}, { get: () => SECRET });

test.each(EXAMPLES)('the example %s is a configuration', (_name, text) => {
  let files = 10;
  // Each file has a secret of its own.
  const secretIn = (): string => `${(files += 1)}${SECRET.slice(2)}`;
  const example: unknown = parse(text.replaceAll(/\$\{file:[^}]*\}/gu, secretIn));
  if (isPart(example) && OTHERS.some((key) => key in example)) return;
  expect(isPart(example)).toBe(true);
  const whole = stringify(completed(isPart(example) ? example : {}, text));
  expect(problemsOf(whole)).toEqual([]);
});

/** Of a part alone. */
const NOT_THERE = /no expression uses this table/u;

function problemsOf(text: string): readonly string[] {
  try {
    settingsFrom(text, 'example', ENV);
    return [];
  } catch (error) {
    const [, ...lines] = String(error).split('\n');
    return lines.filter((line) => !NOT_THERE.test(line));
  }
}
