import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../servers/daemon.ts';
import { openStage, type Stage } from '../commands/command-line.ts';
import { tableOf, withTables } from './page.ts';

type Replaced = readonly [search: string, by: string];

/** What is wrong, and how the configuration has it. */
const WRONG: Readonly<Record<string, (stage: Stage, port: number) => readonly Replaced[]>> = {
  'the host or the port of `baseUrl`': ({ sandbox }, port) => [[sandbox.baseUrl, `http://127.0.0.1:${port}`]],
  '`https://` where the service speaks HTTP': () => [['http://', 'https://']],
  'its path, such as `/v1` at its end': ({ sandbox }) => [[sandbox.baseUrl, `${sandbox.baseUrl}/v1`]],
  'the domain id': () => [['domainId: sandbox', 'domainId: other']],
  'the organization code': () => [['orgCode: sandbox', 'orgCode: other']],
  'the token': () => [['token: ${TOKEN}', 'token: ${file:wrong}']],
  'a file of the token that is empty': () => [['token: ${TOKEN}', 'token: ${file:empty}']],
  'the path of that file': () => [['token: ${TOKEN}', 'token: ${file:nowhere}']],
  'the key of callbacks': () => [
    [
      'log:',
      'http: {}\napprovals: { callback: { token: t, key: short, applicationId: a }, approvers: [ann] }\nlog:',
    ],
  ],
};

/** Returns what `check` says of the service or the configuration, with the address of the page's examples and `…` for the call. */
async function said(stage: Stage): Promise<readonly string[]> {
  const { out, err } = await stage.type('check');
  const line = /^FAIL +service +(?<failed>.*)$|^ +\d+:\d+ +(?<refused>.*)$/mu.exec(out + err);
  const words = line?.groups?.['failed'] ?? line?.groups?.['refused'] ?? '';
  return [words.replace(/ GET \/[^:]*:/u, ' …').replace(/https?:\/\/[\w.]+:\d+/u, 'https://im.example.com')];
}

test('docs/before-you-start.md has what check says of each wrong value', async () => {
  const stage = await openStage();
  for (const [name, text] of [
    ['wrong', 'another'],
    ['empty', ''],
  ] as const)
    writeFileSync(join(stage.folder, name), text);
  const port = await freePort();
  const rows: (readonly string[])[] = [];
  for (const [what, replaced] of Object.entries(WRONG)) {
    stage.configure(...replaced(stage, port));
    const words = await said(stage);
    expect(words).not.toEqual(['']);
    rows.push([what, ...words]);
  }
  const { is, made } = await withTables('docs/before-you-start.md', {
    'wrong values': tableOf(['wrong', '`check` says'], rows),
  });
  expect(is, 'run `npm run readme`').toBe(made);
}, 60_000);
