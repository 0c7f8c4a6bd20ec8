import { expect, it } from 'vitest';
import { load, problemsOf, sqlConfig } from './config-file.ts';

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

it.each([
  [
    '{ listen: 0.0.0.0:1, console: true }',
    'http.console: needs a token, because http.listen can be reached from other machines; write { token: ${file:/path} }, or listen on 127.0.0.1',
  ],
  ['{ listen: 127.0.0.1.example.com:1, console: true }', 'http.console: needs a token'],
  [
    '{ console: { token: short } }',
    'http.console.token: is too short for a token; give it 16 characters or more',
  ],
  ['{ console: { token: "                    " } }', 'http.console.token: is empty; give it a value'],
  ['{ console: maybe }', 'http.console: is no switch and no token; write true, or { token: ${file:/path} }'],
])('%s is refused', (http, problem) => {
  expect(problemsOf(withHttp(http))).toContain(problem);
});
