import { describe, expect, test } from 'vitest';
import { loadSettings, secretsOf } from '../../src/config/load-settings.ts';
import { inTempDir, onlySource } from './config-file.ts';

const SERVICE = 'service: { baseUrl: https://im.example.com, domainId: d, orgCode: o, token: t }\n';
const FILES = `
  units: { file: u.csv, fields: { id: id, parent: up, name: name } }
  people: { file: p.csv, fields: { id: id, username: login, name: name } }
  positions: { file: a.csv, fields: { person: p, unit: u } }
`;

const load = (source: string) =>
  loadSettings(inTempDir('rollcall.yaml', `${SERVICE}source:\n  type: csv${source}`), {});

describe('a configuration with CSV files', () => {
  test('has safe defaults', () => {
    const { settings, warnings } = load(FILES);
    expect(onlySource(settings)).toMatchObject({
      type: 'csv',
      encoding: 'utf-8',
      separator: 'auto',
      complete: {},
      units: { file: 'u.csv', rules: { id: 'id', refs: ['id'], parent: 'up', fields: { name: 'name' } } },
      positions: { file: 'a.csv', rules: { person: 'p', unit: 'u' } },
    });
    expect([warnings, secretsOf(settings)]).toEqual([[], ['t']]);
  });

  test.each<[string, string, RegExp]>([
    [
      'an unknown encoding',
      `\n  encoding: gbk2${FILES}`,
      /source\.encoding: "gbk2" is not one of utf-8, gbk.*did you mean gbk/u,
    ],
    [
      'a query',
      FILES.replace('file: u.csv', 'query: select'),
      /source\.units\.file: is missing[^]*source\.units\.query: unknown key/u,
    ],
    [
      'no positions',
      FILES.replace(/ {2}positions.*\n/u, ''),
      /add \[\{ unit: … \}\], or add source\.positions with a file/u,
    ],
  ])('and %s is told what to do', (_, source, words) => {
    expect(() => load(source)).toThrow(words);
  });
});
