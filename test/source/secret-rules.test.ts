import { expect, test } from 'vitest';
import { rulesOf } from '../../src/source/records/rule-texts.ts';
import { ExpressionCompiler } from '../../src/source/mapping/expressions/expression.ts';
import { compileRule } from '../../src/source/mapping/rules/rule.ts';
import { Columns } from '../../src/source/mapping/values/raw-record.ts';
import type { OneSource } from '../../src/domain/source-settings.ts';
import { NO_MAPS } from './world.ts';

const SECRET = 'Welcome-2026';
const RULE = { expr: `"${SECRET}" + login` };

test('expressions and constants of secrets are in no rule that is told', () => {
  const rules = {
    ...NO_MAPS,
    id: 'id',
    username: 'login',
    active: undefined,
    fields: {
      name: { expr: 'first + last' },
      password: RULE,
      id_card: { const: SECRET },
      source_credentials: RULE,
    },
    source_identifiers: { sso: RULE },
  };
  const settings = {
    type: 'sql',
    units: { rules: { id: 'id', fields: {} } },
    people: { rules },
  } as unknown as OneSource;
  const told = rulesOf(settings);
  expect(JSON.stringify(told)).not.toContain(SECRET);
  expect(told.person).toMatchObject({
    name: 'first + last',
    password: '(expression)',
    'source_identifiers.sso': '(expression)',
  });
});

test('a faulty expression of a secret is told without its text', () => {
  const compile = (secret: boolean) => () =>
    compileRule(
      { expr: `"${SECRET}" +` },
      { path: 'source.people.fields', field: 'password', secret },
      { columns: new Columns(), expressions: new ExpressionCompiler() },
    );
  expect(compile(false)).toThrow(SECRET);
  expect(compile(true)).toThrow(/fields\.password: .* secret /u);
  expect(compile(true)).not.toThrow(SECRET);
});
