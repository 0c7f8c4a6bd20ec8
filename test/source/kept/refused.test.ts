import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import type { Ledger } from '../../../src/domain/ports/ledger/ledger.ts';
import type { PersonRules, SourceSettings, SqlSettings } from '../../../src/domain/source-settings.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { readAll } from '../source-contract.ts';
import { keepingLedger, keptSource, readKeeping } from './kept-world.ts';

const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2_000, 7)]);

const HR = `create table department (id text, parent_id text, name text, logo blob);
  create table employee (no text, login text, name text, grade text, ssn text, badge text, photo blob, bio text);
  insert into department values ('d1', null, 'Company', x'${PICTURE.toString('hex')}');
  insert into employee values ('1', 'ann', 'Ann', 'A', 'SECRET-ANN', 'b1', x'${PICTURE.toString('hex')}', '${'x'.repeat(5_000)}'),
    ('2', 'bob', 'Bob', 'B', 'SECRET-BOB', 'b2', null, 'short')`;

function database(): string {
  const folder = scratchFolder('kept-refused');
  onTestFinished(() => removeFolder(folder));
  const path = join(folder, 'hr.db');
  const db = new Database(path);
  db.exec(HR);
  db.close();
  return `sqlite:${path}`;
}

const NO_MAPS = { properties: {}, tag_names: {}, source_identifiers: {} };

interface Parts {
  readonly query?: string;
  readonly where?: string;
  readonly rules?: Partial<PersonRules>;
}

function settings(url: string, { query = 'select * from employee', where, rules }: Parts = {}): SqlSettings {
  return {
    type: 'sql',
    url,
    tls: { insecure: false },
    timeoutSeconds: 10,
    units: {
      query: 'select * from department',
      rules: { id: 'id', parent: 'parent_id', fields: { name: 'name' } },
    },
    people: {
      query,
      where,
      rules: {
        id: 'no',
        username: 'login',
        fields: { name: 'name' },
        positions: [{ unit: { const: 'd1' } }],
        ...NO_MAPS,
        ...rules,
      },
    },
  };
}

/** Returns why a source cannot be planned from what is kept, or nothing. */
function whyNot(ledger: Ledger, wanted: SourceSettings): string {
  try {
    keptSource(ledger, wanted);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** Everything that the file holds, as text. */
function textIn(file: string): string {
  const db = new Database(file, { readonly: true });
  const pages = db.prepare('select data from page').all() as { readonly data: Buffer }[];
  const about = db.prepare('select parts from kept').all() as { readonly parts: string }[];
  db.close();
  const raw = readFileSync(file, 'latin1');
  const inner = pages.map(({ data }) => inflateRawSync(data).toString('utf8'));
  return [raw, ...inner, ...about.map(({ parts }) => parts)].join('\n');
}

describe('secrets', () => {
  test('and what tells them are never in the file; the plan goes on without them', async () => {
    const url = database();
    const secret = settings(url, {
      rules: {
        fields: { name: 'name', id_card: 'ssn', workPhone: { expr: "'x' + ssn" } },
        source_identifiers: { card: 'badge' },
      },
    });
    const { ledger, file } = keepingLedger();
    await readKeeping(ledger, secret);
    const text = textIn(file);
    expect(text).toContain('["1","ann","Ann"]');
    expect(text).not.toMatch(/SECRET|b1/u);
    expect(whyNot(ledger, secret)).toBe(
      'source.people.fields.id_card, source.people.fields.workPhone: ssn is a secret in the mapping of the read that is kept, ' +
        'and secrets are never kept: plan with the source (without --recorded).',
    );
    const bare = settings(url, {
      rules: { fields: { name: 'name', id_card: 'ssn' }, source_identifiers: { card: 'badge' } },
    });
    const { people, evidence } = await readAll(keptSource(ledger, bare));
    expect(people.map(({ id, secrets }) => [id, secrets])).toEqual([
      ['1', {}],
      ['2', {}],
    ]);
    expect(evidence.notKept?.map(({ name, places }) => [name, places])).toEqual([
      ['ssn', ['source.people.fields.id_card']],
      ['badge', ['source.people.fields.source_identifiers.card']],
    ]);
  });

  test('of a partner are not there either, nor the key that is equal to one', async () => {
    const url = database();
    const source = (fields: PersonRules['fields']): SourceSettings => ({
      type: 'combined',
      members: [
        {
          name: 'own',
          idPrefix: '',
          source: settings(url, { rules: { fields } }),
          joins: [
            {
              from: 'hr',
              on: [['badge', 'badge']],
              missing: 'block',
              shared: 'allow',
              partner: (rows) => ({
                ...settings(url),
                units: undefined,
                people: undefined,
                rows: { query: 'select badge, ssn, grade from employee', ...rows },
              }),
            },
          ],
        },
      ],
    });
    const { ledger, file } = keepingLedger();
    const joined = source({ name: 'name', id_card: 'hr.ssn', workPhone: 'hr.grade' });
    await readKeeping(ledger, joined);
    expect(textIn(file)).not.toContain('SECRET');
    expect(textIn(file)).toContain('["b1","A"]');
    const { people } = await readAll(keptSource(ledger, joined));
    expect(people.map(({ fields, secrets }) => [fields, secrets])).toEqual([
      [{ name: 'Ann', workPhone: 'A' }, {}],
      [{ name: 'Bob', workPhone: 'B' }, {}],
    ]);
    const telling = source({ name: 'name', id_card: 'hr.badge' });
    await readKeeping(ledger, telling);
    expect(textIn(file)).not.toContain('b1');
    expect(whyNot(ledger, telling)).toContain('source.people.join.on: badge is a secret in the mapping');
  });
});

describe('what was kept cannot tell', () => {
  test('what a rule reads that no rule read before, and names it with its place', async () => {
    const url = database();
    const { ledger } = keepingLedger();
    await readKeeping(ledger, settings(url));
    expect(whyNot(ledger, settings(url, { where: "grade == 'A'", rules: { username: 'badge' } }))).toBe(
      [
        'source.people.fields.username: badge was not kept, as no rule needed it: plan with the source (without --recorded), ' +
          'or let one run read it (rollcall sync) under a configuration that maps it.',
        'source.people.where: grade was not kept, as no rule needed it: plan with the source (without --recorded), ' +
          'or let one run read it (rollcall sync) under a configuration that maps it.',
      ].join('\n'),
    );
  });

  test('pictures and long texts; a logo is not planned', async () => {
    const url = database();
    const { ledger, file } = keepingLedger();
    const whole = settings(url, {
      rules: { fields: { name: 'name', workPhone: { expr: "photo == '' ? 'none' : bio" } } },
    });
    await readKeeping(ledger, {
      ...whole,
      units: {
        query: 'select * from department',
        rules: { id: 'id', fields: { name: 'name', logo: 'logo' } },
      },
    });
    expect(textIn(file)).not.toContain('xxxxx');
    expect(whyNot(ledger, whole)).toContain(
      'source.people.fields.workPhone: photo has pictures or other long values, which are not kept: plan with the source',
    );
    const { units } = await readAll(
      keptSource(ledger, {
        ...settings(url),
        units: {
          query: 'select * from department',
          rules: { id: 'id', fields: { name: 'name', logo: { const: '/no/such.png' } } },
        },
      }),
    );
    expect(units).toEqual([{ id: 'd1', refs: ['d1'], parent: null, fields: { name: 'Company' } }]);
  });

  test('whom another query or another database would bring', async () => {
    const url = database();
    const { ledger } = keepingLedger();
    await readKeeping(ledger, settings(url));
    expect(whyNot(ledger, settings(url, { query: "select * from employee where grade = 'A'" }))).toBe(
      "source.people: query was select * from employee in the read that is kept, and is select * from employee where grade = 'A' now: " +
        'only the source can tell which records that means; plan with the source (without --recorded), or say the difference as source.people.where.',
    );
    expect(whyNot(ledger, settings(database()))).toMatch(
      /^source\.units: the read that is kept is of sqlite \S+, and not of sqlite \S+; plan with the source \(without --recorded\)\.\nsource\.people: /u,
    );
    const positions = { query: 'select * from employee', rules: { person: 'no', unit: 'grade' } };
    expect(whyNot(ledger, { ...settings(url), positions })).toBe(
      'source.positions was no part of the read that is kept; plan with the source (without --recorded).',
    );
  });
});

test('another condition and another mapping of what was read are judged', async () => {
  const url = database();
  const { ledger } = keepingLedger();
  await readKeeping(ledger, settings(url, { rules: { fields: { name: 'name', workPhone: 'grade' } } }));
  const other = settings(url, { where: "grade == 'A'", rules: { fields: { name: 'grade' } } });
  const { people } = await readAll(keptSource(ledger, other));
  expect(people.map(({ id, fields, outOfScope }) => [id, fields, outOfScope])).toEqual([
    ['1', { name: 'A' }, undefined],
    ['2', {}, "grade == 'A'"],
  ]);
});
