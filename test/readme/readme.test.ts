import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { describe, expect, test } from 'vitest';
import { EVENTS, type EventName } from '../../src/domain/events.ts';
import { GLOSSARY } from './glossary.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const README = join(ROOT, 'README.md');

function logTable(): string {
  const names = Object.keys(EVENTS) as EventName[];
  const rows = names.map((name) => `| \`${name}\` | ${EVENTS[name].about} |`);
  return ['| event | what it says |', '| --- | --- |', ...rows].join('\n');
}

function glossary(): string {
  const rows = GLOSSARY.map(([word, meaning]) => `| ${word} | ${meaning} |`);
  return ['| word | meaning |', '| --- | --- |', ...rows].join('\n');
}

/** What stands between a marker and the next blank line after its table is made anew. */
function filled(readme: string, marker: string, table: string): string {
  const start = readme.indexOf(`<!-- ${marker}:`);
  if (start === -1) throw new Error(`README.md has no marker ${marker}`);
  const head = readme.slice(0, readme.indexOf('-->', start) + 3);
  const rest = readme.slice(head.length).replace(/^\s*(\|[^\n]*\n)*\s*/u, '');
  return `${head}\n\n${table}\n\n${rest}`;
}

async function madeAnew(readme: string): Promise<string> {
  const text = filled(filled(readme, 'log table', logTable()), 'glossary', glossary());
  return format(text, { parser: 'markdown', printWidth: 110, singleQuote: true });
}

describe('the README', () => {
  test('has the log table and the glossary of the code', async () => {
    const readme = readFileSync(README, 'utf8');
    const made = await madeAnew(readme);
    if (process.env['UPDATE'] === '1') writeFileSync(README, made);
    const expected = process.env['UPDATE'] === '1' ? readFileSync(README, 'utf8') : readme;
    expect(expected, 'run `npm run readme`').toBe(made);
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
