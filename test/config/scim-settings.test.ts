import { describe, expect, test } from 'vitest';
import { loadSettings, secretsOf } from '../../src/config/load-settings.ts';
import { inTempDir, onlySource } from './config-file.ts';

const SERVICE = 'service: { baseUrl: https://im.example.com, domainId: d, orgCode: o, token: t }\n';
const LISTS = `
  units: { fields: { id: id, name: displayName } }
  people: { resource: /People, fields: { id: id, username: userName, name: displayName } }
  positions: { fields: { person: member, unit: id } }
`;

const load = (source: string) =>
  loadSettings(inTempDir('rollcall.yaml', `${SERVICE}source:\n  type: scim${source}`), {});

describe('a configuration with SCIM', () => {
  test('asks for groups and users, and keeps its token from the log', () => {
    const { settings, warnings } = load(
      `\n  url: https://idp.example.com/scim/v2/\n  token: bearer-words${LISTS}`,
    );
    expect(onlySource(settings)).toMatchObject({
      url: 'https://idp.example.com/scim/v2',
      units: { resource: 'Groups', rules: { id: 'id', refs: ['id'] } },
      people: { resource: 'People' },
      positions: { resource: 'Groups', rules: { person: 'member' } },
    });
    expect([warnings, secretsOf(settings)]).toEqual([[], ['t', 'bearer-words']]);
  });

  test('reads only what changed where that is wanted, and warns where nobody looks for what that missed', () => {
    const source = `\n  url: https://idp.example.com\n  changes: auto\n  token: x${LISTS}`;
    expect(onlySource(load(source).settings)).toMatchObject({ changes: 'auto' });
    expect(load(source).warnings).toEqual([]);
    expect(load(`${source}sync: { fullCron: null }\n`).warnings).toEqual([
      expect.stringContaining('sync.fullCron'),
    ]);
    expect(() => load(source.replace('auto', 'always'))).toThrow(/source\.changes/u);
  });

  test('reads a token of a file again from there', () => {
    const file = inTempDir('token', 'x');
    const { settings } = load(`\n  url: https://idp.example.com\n  token: \${file:${file}}${LISTS}`);
    expect(onlySource(settings)).toMatchObject({ token: { file } });
    expect(settings.service.token).toBe('t');
  });

  const oauth = (more: string): string => `\n  url: https://idp.example.com\n  token: { ${more} }${LISTS}`;

  test('reads the secret of an OAuth client again from its file, and hides one that is written', () => {
    const file = inTempDir('client', 'x');
    const { settings } = load(oauth(`tokenUrl: https://a/t, clientId: c, clientSecret: "\${file:${file}}"`));
    expect(onlySource(settings)).toMatchObject({ token: { clientSecret: { file } } });
    const written = load(oauth('tokenUrl: http://a/t, clientId: c, clientSecret: words-of-client'));
    expect(secretsOf(written.settings)).toEqual(['t', 'words-of-client']);
    expect(written.warnings).toEqual([expect.stringMatching(/^source\.token\.tokenUrl .*http:/u)]);
  });

  test('warns of http and of an unchecked certificate', () => {
    const { warnings } = load(
      `\n  url: http://127.idp.example.com\n  token: x\n  tls: { insecure: true }${LISTS}`,
    );
    expect(warnings).toEqual([
      expect.stringContaining('source.tls.insecure'),
      expect.stringMatching(/^source\.url .*http:/u),
    ]);
  });
});
