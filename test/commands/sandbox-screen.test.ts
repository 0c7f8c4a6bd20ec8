import { expect, test } from 'vitest';
import { printMessages } from '../../src/commands/sandbox.ts';
import { open } from '../sandbox/wire-client.ts';
import { expectScreen } from './story.ts';

test('the sandbox shows one line for each push and for each callback', async () => {
  const { sandbox, people, post } = await open({ callback: { url: 'http://127.0.0.1:9/x' } });
  await people(sandbox.rootId, 'ann', 'bob', 'cleo', 'dora');
  const lines: string[] = [];
  printMessages(sandbox, (text) => void lines.push(text));
  const push = async (content: string, ...usernames: readonly string[]): Promise<unknown> =>
    post('/v1/apps/mbox', { type: 'TEXT', body: { content }, usernames });
  await push('one\n\u001B[31mline', 'ann');
  await push('x'.repeat(500), 'ann', 'bob', 'cleo', 'dora');
  await push('to nobody', 'zoe');
  await expect.poll(() => lines.length).toBe(4);
  const pushes = lines.filter((line) => line.startsWith('push'));
  await expectScreen('messages of the sandbox', `${pushes.join('\n')}\n`);
  expect(lines.filter((line) => line.startsWith('callback: event CLICK '))).toHaveLength(2);
});
