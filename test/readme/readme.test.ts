import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GLOSSARY } from './glossary.ts';
import { withTables, ROOT, tableOf } from './page.ts';

const README = join(ROOT, 'README.md');

describe('the README', () => {
  test('has the glossary of the code', async () => {
    const rows = GLOSSARY.map(([word, meaning]) => [word, meaning]);
    const { is, made } = await withTables('README.md', { glossary: tableOf(['word', 'meaning'], rows) });
    expect(is, 'run `npm run readme`').toBe(made);
  });

  test.each(GLOSSARY)('explains %s, which the domain has', (_word, _meaning, types) => {
    const domain = join(ROOT, 'src/domain');
    const source = readdirSync(domain, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(domain, file), 'utf8'))
      .join('\n');
    for (const type of types)
      expect(source).toMatch(new RegExp(`export (interface|type|class) ${type}\\b`, 'u'));
  });

  test.each(['ldap', 'database', 'csv'])('names the %s example that is there', (name) => {
    expect(readFileSync(README, 'utf8')).toContain(`config/${name}.example.yaml`);
    expect(readdirSync(join(ROOT, 'config'))).toContain(`${name}.example.yaml`);
  });
});
