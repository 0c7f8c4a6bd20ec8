import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { OauthClient } from '../../../src/domain/source-settings.ts';
import { FakeClock } from '../../doubles/fake-clock.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { scimSource } from '../open-one.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { startScim, type ScimServer } from './scim-server.ts';
import { scimSettings, users } from './scim-world.ts';
import { problem } from '../problem.ts';

interface TokenServer {
  readonly url: string;
  /** Header and body of each request. */
  readonly asked: (readonly [authorization: string, body: string])[];
  /** Answers to come; afterwards it gives the token `t` with the number of the request. */
  answers: (readonly [status: number, body: string])[];
  close(): void;
}

async function startTokens(): Promise<TokenServer> {
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      server.asked.push([request.headers.authorization ?? '', body]);
      const usual = [200, `{"access_token":"t${server.asked.length}","token_type":"Bearer"}`] as const;
      const [status, text] = server.answers.shift() ?? usual;
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const server: TokenServer = {
    url: `http://127.0.0.1:${port}/token`,
    asked: [],
    answers: [],
    close: () => void http.close(),
  };
  return server;
}

let scim: ScimServer;
let tokens: TokenServer;
beforeAll(async () => {
  scim = await startScim({ Groups: [], Users: users(25) });
  scim.mostPerPage = 10;
  tokens = await startTokens();
});
afterAll(async () => {
  tokens.close();
  await scim.close();
});

async function read(more: Partial<OauthClient> = {}): Promise<ReadResult> {
  tokens.asked.length = 0;
  (scim.asked as unknown[]).length = 0;
  const token = { tokenUrl: tokens.url, clientId: 'roll call', clientSecret: 'p+s:x', ...more };
  const { people, ...rest } = scimSettings(scim.url);
  const rules = { ...people.rules, fields: { name: 'displayName' }, positions: [{ unit: 'groups' }] };
  const settings = { ...rest, people: { ...people, rules }, token };
  return readAll(scimSource(settings, new FakeClock({ auto: true })));
}

const used = (): ReadonlySet<string> => new Set(scim.asked.map(({ token }) => token));

test('a client gets a token for each read, with its name and secret encoded as a form', async () => {
  expect((await read({ scope: 'users:read' })).people).toHaveLength(25);
  const account = Buffer.from('roll+call:p%2Bs%3Ax').toString('base64');
  expect(tokens.asked).toEqual([[`Basic ${account}`, 'grant_type=client_credentials&scope=users%3Aread']]);
  expect(used()).toEqual(new Set(['t1']));
});

test('a token that has ended is asked for anew, with the secret as its file has it then', async () => {
  const folder = scratchFolder('oauth');
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'secret');
  writeFileSync(file, 'first\n');
  scim.twist = ({ resource, startIndex, token }) => {
    if (resource !== 'Users' || startIndex === 1 || token !== 't1') return null;
    writeFileSync(file, 'second\n');
    return { status: 401, body: {} };
  };
  onTestFinished(() => void (scim.twist = () => null));
  expect((await read({ clientSecret: { file } })).people).toHaveLength(25);
  const secrets = tokens.asked.map(([header]) => Buffer.from(header.slice(6), 'base64').toString());
  expect(secrets).toEqual(['roll+call:first', 'roll+call:second']);
  expect(used()).toEqual(new Set(['t1', 't2']));
});

test('a server that is busy is asked again', async () => {
  tokens.answers = [
    [503, ''],
    [429, ''],
  ];
  expect((await read()).people).toHaveLength(25);
  expect(tokens.asked).toHaveLength(3);
});

test.each<[status: number, body: string, sentence: RegExp]>([
  [
    401,
    '{"error":"invalid_client","error_description":"unknown"}',
    /source\.token: http:\S+\/token answers 401: invalid_client, unknown; check tokenUrl, clientId/u,
  ],
  [
    401,
    `{"error":"invalid_client","error_description":"p+s:x p%2Bs%3Ax ${Buffer.from('roll+call:p%2Bs%3Ax').toString('base64')}"}`,
    /answers 401: invalid_client, \[secret\] \[secret\] \[secret\]; check/u,
  ],
  [400, '{"error":"invalid_scope"}', /answers 400: invalid_scope; check/u],
  [404, '<html>', /answers 404; check tokenUrl/u],
  [200, '{"token":"p+s:x"}', /answers without an access_token; check tokenUrl/u],
  [200, 'null', /answers without an access_token/u],
  [200, '{"access_token":"a b"}', /source\.token: has blanks or other characters/u],
])('an answer of %i with %s is refused once, without the secret', async (status, body, sentence) => {
  tokens.answers = [[status, body]];
  const failure = await read().catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringMatching(sentence) as string });
  expect(String(failure)).not.toContain('p+s:x');
  expect([tokens.asked.length, scim.asked.length]).toEqual([1, 0]);
});

test('a token server that cannot be reached is named', async () => {
  await expect(read({ tokenUrl: 'http://127.0.0.1:9/token' })).rejects.toThrow(
    problem('http-server', '127.0.0.1:9/token: '),
  );
});
