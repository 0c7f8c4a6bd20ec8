import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { openSource } from '../../../src/source/open-source.ts';
import { load } from '../../config/config-file.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { startScim } from './scim-server.ts';

const PAGE = readFileSync(new URL('../../../docs/sources/scim.md', import.meta.url), 'utf8');
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

type Part = Readonly<Record<string, object>>;

/** Returns the `source` of the example of the page that has these words. */
function sourceWith(words: string): Part {
  const blocks = Array.from(
    PAGE.matchAll(/^```yaml\n(?<yaml>.*?)^```/gmsu),
    ({ groups }) => groups?.['yaml'] ?? '',
  );
  const yaml = blocks.find((one) => one.includes(words)) ?? '';
  return (parse(yaml.replaceAll(/\$\{file:[^}]*\}/gu, 't')) as { readonly source: Part }).source;
}

const WHOLE = sourceWith('sw "dept-" # the groups');

const user = (id: string, department: string): object => ({
  id,
  userName: id,
  displayName: id,
  active: true,
  [ENTERPRISE]: { department },
});
const group = (id: string, displayName: string, ...members: readonly string[]): object => ({
  id,
  displayName,
  members: members.map((value) => ({ value })),
});

/** Reads a server by the whole example of the page, with parts of another one in place of its own. */
async function read(parts: Part, whole: Part = WHOLE): Promise<ReadResult> {
  const server = await startScim({
    Users: [user('ann', 'Sales'), user('bob', 'Sales/EMEA')] as never,
    Groups: [
      group('g1', 'dept-Sales', 'ann'),
      group('g2', 'dept-Sales/EMEA', 'bob'),
      group('g3', 'app-wiki', 'ann', 'bob'),
    ] as never,
  });
  onTestFinished(() => server.close());
  const service = { baseUrl: 'https://im.example.com', domainId: 'd', orgCode: 'o', token: 't' };
  const source = { ...whole, ...parts, url: server.url };
  const { settings } = load(stringify({ service, source }));
  return readAll(openSource(settings.source));
}

const placesOf = ({ rows }: ReadResult): readonly string[] =>
  rows.map(({ person, position }) => `${person} ${String(position.unit)}`);

test('the example of docs/sources/scim.md has positions in its units alone', async () => {
  const result = await read({});
  expect(result.units.map(({ fields }) => fields['name'])).toEqual(['Sales', 'Sales/EMEA']);
  expect([placesOf(result), result.refusals]).toEqual([['ann g1', 'bob g2'], []]);
});

test('its nested groups are a tree by their names', async () => {
  const { units } = await read({ units: sourceWith('refs: [id, displayName]')['units'] ?? {} });
  expect(units.map(({ id, parent, fields }) => [id, parent, fields['name']])).toEqual([
    ['g1', null, 'Sales'],
    ['g2', 'dept-Sales', 'EMEA'],
  ]);
});

test('its departments are a tree by their values', async () => {
  const { positions: _, ...rest } = WHOLE;
  const { units, people } = await read(sourceWith('distinct: enterprise'), rest);
  expect(units.map(({ parent, fields }) => [parent !== null, fields['name']])).toEqual([
    [false, 'Sales'],
    [true, 'EMEA'],
  ]);
  expect(people.map(({ positions }) => positions.length)).toEqual([1, 1]);
});
