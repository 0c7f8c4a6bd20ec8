import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printed, printedInside } from './engine.ts';
import { IMAGE } from './image.ts';
import { openStage } from './stage.ts';

it('with the sandbox in another container, init writes a configuration that loads the company', async ({
  onTestFinished,
}) => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  stage.hire(20);
  const name = `${stage.name}-sandbox`;
  const words = `--network=none --read-only --read-only-tmpfs=false -v=${name}:/data ${IMAGE}`.split(' ');
  await printed('run', '-d', `--name=${name}`, ...words, 'sandbox', '--port=8800', '--data=/data/sandbox.db');
  await expect.poll(async () => printed('logs', name), { timeout: 20_000 }).toContain('orgCode:');
  const said = await printed('logs', name);
  const of = (key: string): string => new RegExp(`^${key}: +(.+)$`, 'm').exec(said)?.[1] ?? '';
  expect(of('baseUrl')).toBe('http://127.0.0.1:8800');
  writeFileSync(join(stage.folder, 'secrets/service-token'), of('token'));

  // The two containers share one loopback.
  const mounts = stage.mounts().map((word) => word.replace('--network=host', `--network=container:${name}`));
  const done = async (...verb: readonly string[]): Promise<string> =>
    printedInside(...mounts, IMAGE, '--config=/data/rollcall.yaml', ...verb);
  const service = [
    '--service-url',
    of('baseUrl'),
    '--domain-id',
    of('domainId'),
    '--org-code',
    of('orgCode'),
  ];
  const files = ['--token-file=/run/secrets/service-token', '--out=/data/rollcall.yaml'];
  await done('init', '--url=sqlite:/config/hr.db', ...service, ...files);
  await done('sync');
  const page = `fetch('${of('baseUrl')}').then((answer) => answer.text()).then(console.log)`;
  expect(await printed('exec', name, 'node', '-e', page)).toMatch(/\bp20\b/);
  await done('plan', '--exit-code');
  await printed('stop', name);
  expect(await printed('inspect', '--format={{.State.ExitCode}}', name)).toBe('0');
});
