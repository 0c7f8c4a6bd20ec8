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
