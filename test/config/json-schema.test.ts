import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { settingsJsonSchema } from './settings-json-schema.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { inTempDir } from './config-file.ts';

const SCHEMA = new URL('../../config/rollcall.schema.json', import.meta.url).pathname;
const example = (name: string) => new URL(`../../config/${name}.example.yaml`, import.meta.url).pathname;

describe('the JSON Schema', () => {
  it('in config/ is the one that the schema yields; npm run schema writes it anew', async () => {
    const text = JSON.stringify(settingsJsonSchema(), null, 2);
    const formatted = await format(text, { ...(await resolveConfig(SCHEMA)), filepath: SCHEMA });
    await expect(formatted).toMatchFileSnapshot(SCHEMA);
  });

  it.each(['ldap', 'database', 'csv'])('accepts the %s example', (name) => {
    const schema = z.fromJSONSchema(settingsJsonSchema());
    const document: unknown = parse(readFileSync(example(name), 'utf8'));
    expect(schema.safeParse(document).error).toBeUndefined();
    expect(schema.safeParse({ ...(document as object), servcie: 1 }).success).toBe(false);
  });

  it.each(['ldap', 'database', 'csv'])('and the loader take the %s example', (name) => {
    const token = inTempDir('token', 'x');
    const text = readFileSync(example(name), 'utf8').replace('/run/secrets/service-token', token);
    const env = { LDAP_PASSWORD: 'x', HR_PASSWORD: 'x' };
    expect(loadSettings(inTempDir('rollcall.yaml', text), env).warnings).toEqual([]);
  });
});
