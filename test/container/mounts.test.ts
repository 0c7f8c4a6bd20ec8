import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventsOf, until } from '../commands/command-line.ts';
import { fill, mountSmall } from '../scenarios/disk.ts';
import { podman, printed, ROLLCALL, runContainer } from './engine.ts';
import { IMAGE } from './image.ts';
import { openStage, type Stage } from './stage.ts';

const PEOPLE = 120;

let stage: Stage;
beforeEach(async ({ onTestFinished }) => {
  stage = await openStage();
  onTestFinished(() => stage.close());
  stage.hire(PEOPLE);
});

const at = (path: string): string => join(stage.folder, path);
const employees = (): number => stage.sandbox.state.employees().length;
const newFolder = (path: string): string => {
  mkdirSync(at(path), { recursive: true });
  return at(path);
};
/** As Docker does if the file of `-v FILE:…` is not there. */
const folderFor = (file: string): void => {
  rmSync(at(file), { force: true });
  newFolder(file);
};
const ownedByRoot = (file: string): void => {
  chownSync(at(file), 0, 0);
  chmodSync(at(file), 0o600);
};

/** Returns what `sync` says, which fails before it sends anything. */
async function refused(mounts: readonly string[]): Promise<string> {
  const { code, out, err } = await runContainer(...mounts, IMAGE, 'sync');
  expect(out + err).not.toMatch(/unexpected|\n {4}at /u);
  expect([1, 2]).toContain(code);
  expect(stage.imported).toEqual([]);
  return out + err;
}

describe('a mount that cannot be used ends with one sentence, and nothing is sent', () => {
  it.each<[string, () => void, string]>([
    [
      'no configuration',
      () => rmSync(at('config/rollcall.yaml')),
      'rollcall: [config-unreadable] /config/rollcall.yaml: there is no such file',
    ],
    [
      'a folder for the configuration',
      () => folderFor('config/rollcall.yaml'),
      'rollcall: [config-unreadable] /config/rollcall.yaml: it is a directory; name the file in it',
    ],
    [
      'a configuration of root',
      () => ownedByRoot('config/rollcall.yaml'),
      'rollcall: [config-unreadable] /config/rollcall.yaml: it may not be read by this user; change its owner or mode',
    ],
    [
      'no secret',
      () => rmSync(at('secrets/service-token')),
      'the file /run/secrets/service-token does not exist; write the secret into it, or correct the path',
    ],
    [
      'a folder for a secret',
      () => folderFor('secrets/service-token'),
      'the file /run/secrets/service-token cannot be used; it is a directory',
    ],
    [
      'a secret of root',
      () => ownedByRoot('secrets/service-token'),
      'the file /run/secrets/service-token cannot be used; it may not be read by this user',
    ],
    [
      'no authority',
      () => rmSync(at('secrets/ca.pem')),
      'service.tls.caFile: /run/secrets/ca.pem cannot be read: there is no such file',
    ],
    [
      'a folder for the authority',
      () => folderFor('secrets/ca.pem'),
      'service.tls.caFile: /run/secrets/ca.pem cannot be read: it is a folder',
    ],
    [
      'no database',
      () => rmSync(at('config/hr.db')),
      '[sql-no-file] the SQLite file /config/hr.db does not exist',
    ],
    [
      'a folder for the database',
      () => folderFor('config/hr.db'),
      '[sql-no-file] the SQLite file /config/hr.db is a folder',
    ],
  ])('%s', async (_, spoil, sentence) => {
    spoil();
    expect(await refused(stage.mounts())).toContain(sentence);
  });

  it.each<[string, () => string, string]>([
    [
      'a folder of root',
      () => `-v=${newFolder('data')}:/data`,
      'cannot be created or written (EACCES: permission denied',
    ],
    [
      'a read-only volume',
      () => `-v=${newFolder('data')}:/data:ro`,
      'cannot be created or written (EROFS: read-only file system',
    ],
    [
      'a folder for the ledger',
      () => `-v=${newFolder('data')}:/data/rollcall.db`,
      'it is no file (a folder): write the path of a file into state.path',
    ],
  ])('%s at /data', async (_, data, reason) => {
    expect(await refused(stage.mounts(data()))).toContain(`ledger data/rollcall.db: ${reason}`);
  });
});

it('a volume that gets full in the middle of a load: the run says so, and goes on when there is room', async () => {
  const data = newFolder('small');
  expect(mountSmall(data, 24)).toBe(true);
  chownSync(data, 1_000, 1_000);
  stage.configure("sync: { cron: '*/3 * * * * *' }\n");
  stage.slow(300);
  await printed('run', '-d', '--name', stage.name, ...stage.mounts(`-v=${data}:/data`), IMAGE);
  const runEnd = async (): Promise<Record<string, unknown> | undefined> =>
    eventsOf(await printed('logs', stage.name)).find(({ event }) => event === 'run.end');
  await until(() => employees() > 10, 'the load', 60);
  const empty = fill(data);
  await expect.poll(runEnd, { timeout: 60_000 }).toBeDefined();
  expect(employees()).toBeLessThan(PEOPLE);
  expect(await runEnd()).toMatchObject({
    result: 'failed',
    error: expect.stringMatching(/^\[ledger-(?:disk-)?full\]/u) as string,
  });
  empty();
  await until(() => employees() === PEOPLE, 'the load to go on', 60);
  await printed('stop', stage.name);
  expect(await printed('inspect', '--format={{.State.ExitCode}}', stage.name)).toBe('0');
});

it('two replicas on one volume: one run at a time, and nobody is sent twice', async () => {
  stage.hire(200);
  stage.configure("sync: { cron: '*/3 * * * * *', guard: { joiners: off } }\n");
  stage.slow(300);
  const names = ['a', 'b'].map((letter) => `${stage.name}-${letter}`);
  for (const name of names) await printed('run', '-d', '--name', name, ...stage.mounts(), IMAGE);
  await until(() => employees() === 200, 'the load', 90);
  const logs = async (): Promise<readonly string[]> =>
    Promise.all(names.map(async (name) => printed('logs', name)));
  await expect.poll(async () => (await logs()).join(), { timeout: 20_000 }).toContain('run.end');
  expect((await logs()).join()).toContain('"waitSeconds":');
  expect(stage.imported.toSorted()).toEqual([...new Set(stage.imported)].toSorted());
  for (const name of names)
    expect(await podman('exec', name, ...ROLLCALL, 'status', '--health')).toMatchObject({ code: 0 });
  for (const name of names) await printed('stop', name);
});
