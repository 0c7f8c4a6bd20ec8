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
});
