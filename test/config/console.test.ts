import { expect, it } from 'vitest';
import { load, sqlConfig } from './config-file.ts';

const withHttp = (http: string): string => sqlConfig(['source:', `http: ${http}\nsource:`]);
const TOKEN = '0123456789abcdef';

it.each([
  ['{}', undefined],
  ['{ console: false }', undefined],
  ['{ console: true }', {}],
  ['{ listen: "[::1]:1", console: true }', {}],
  [`{ listen: 0.0.0.0:1, console: { token: ${TOKEN} } }`, { token: TOKEN }],
])('%s gives the console %j', (http, shown) => {
  expect(load(withHttp(http)).settings.http?.console).toEqual(shown);
});

it('the token of who asks for runs is of nobody else', () => {
  const trigger = `trigger: { token: ${TOKEN} }`;
  const other = 'fedcba9876543210';
  const people = `approvers: [{ username: ann, token: ${TOKEN} }]`;
  expect(load(withHttp(`{ ${trigger}, console: { token: ${other} } }`)).settings.http?.trigger).toEqual({
    token: TOKEN,
  });
  expect(() => load(withHttp(`{ ${trigger}, console: { token: ${TOKEN} } }`))).toThrow(
    /http\.trigger\.token: is the token of somebody else/u,
  );
  expect(() => load(withHttp(`{ ${trigger}, console: { ${people} } }`))).toThrow(
    /http\.console\.approvers.*token: is the token of somebody else/u,
  );
  expect(() => load(withHttp('{ trigger: { token: short } }'))).toThrow(
    /http\.trigger\.token: is too short for a token/u,
  );
  expect(() => load(withHttp('{ trigger: {} }'))).toThrow(/http\.trigger\.token/u);
});
