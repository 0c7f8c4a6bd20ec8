import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { figure, podman, printed, printedInside, runContainer } from './engine.ts';
import { BUILD, IMAGE, REVISION, ROOT } from './image.ts';
import { openStage, type Stage } from './stage.ts';

/** What the image may have above its base; the drivers of SQL Server and Oracle are not in it. */
const MOST_MB = 80;
const WITH_DRIVERS = `${IMAGE}-with-drivers`;
const DATABASES = [
  ['sqlserver://reader:secret@127.0.0.1:1/hr', 'mssql'],
  ['oracle://reader:secret@127.0.0.1:1/HR', 'oracledb'],
] as const;

const withDrivers = (drivers: string): readonly string[] =>
  BUILD.concat(`--build-arg=DRIVERS=${drivers}`, '-t', WITH_DRIVERS, ROOT);
const shell = async (script: string): Promise<string> =>
  printedInside('--network=host', '--entrypoint=sh', IMAGE, '-ec', script);

/** Size of an image in MB, as the engine counts. */
async function sizeOf(image: string): Promise<number> {
  return Number(await printed('image', 'inspect', '--format={{.Size}}', image)) / 1e6;
}

it(`has at most ${MOST_MB} MB above its base`, async () => {
  const [, base = ''] = /^FROM (\S+)/m.exec(readFileSync(`${ROOT}Dockerfile`, 'utf8')) ?? [];
  const [whole, above] = [await sizeOf(IMAGE), (await sizeOf(IMAGE)) - (await sizeOf(base))];
  figure(`image ${whole.toFixed(0)} MB, ${above.toFixed(0)} MB of it above the base`);
  expect(above).toBeGreaterThan(5);
  expect(above).toBeLessThanOrEqual(MOST_MB);
});

it('has nothing beside the program and its recipes, and each package that a part of the program needs', async () => {
  expect(await shell('ls -A /app /app/config')).toBe(
    '/app:\nconfig\ndist\nnode_modules\npackage.json\n\n/app/config:\nrecipes',
  );
  const load = 'for (const file of process.argv.slice(1)) await import(`/app/dist/chunks/${file}`)';
  expect(await shell(`node --input-type=module -e '${load}' $(cd /app/dist/chunks && ls *.js)`)).toBe('');
});

it('is built without a compiler if the packages come whole', () => {
  const [, command = ''] =
    /^RUN (npm ci(?:.*\\\n)*.*)/m.exec(readFileSync(`${ROOT}Dockerfile`, 'utf8')) ?? [];
  const folder = scratchFolder('install');
  const log = join(folder, 'log');
  for (const name of ['npm', 'apt-get']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  execFileSync('/bin/sh', ['-ec', command], { env: { PATH: folder }, stdio: 'pipe' });
  expect(readFileSync(log, 'utf8')).toBe('npm ci\n');
  removeFolder(folder);
});

it('says by labels which version and commit it is', async () => {
  const labels: unknown = JSON.parse(await printed('image', 'inspect', '--format={{json .Labels}}', IMAGE));
  expect(labels).toMatchObject({
    'org.opencontainers.image.version': await printedInside('--network=host', IMAGE, '--version'),
    'org.opencontainers.image.revision': REVISION,
  });
});

describe('drivers of SQL Server and Oracle', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  /** What `check` in a container of this image says of a database where no server is. */
  async function check(image: string, url: string): Promise<string> {
    stage.configure();
    stage.edit((text) => text.replace('sqlite:/config/hr.db', url));
    const { code, out, err } = await runContainer(...stage.mounts(), image, 'check');
    expect(code).toBeGreaterThan(0);
    return out + err;
  }

  it.each(DATABASES)('are not in it: for %s it names the build argument', async (url, driver) => {
    expect(await check(IMAGE, url)).toMatch(new RegExp(`--build-arg DRIVERS=${driver}$`, 'm'));
  });

  it('are in it if DRIVERS names them', async () => {
    await printed(...withDrivers('mssql oracledb'));
    figure(
      `drivers of SQL Server and Oracle ${((await sizeOf(WITH_DRIVERS)) - (await sizeOf(IMAGE))).toFixed(0)} MB`,
    );
    for (const [url] of DATABASES)
      expect(await check(WITH_DRIVERS, url)).toContain('no server listens there');
  }, 600_000);

  it('have to be known', async () => {
    const { code, out, err } = await podman(...withDrivers('mssql,oracle'));
    expect(code).not.toBe(0);
    expect(out + err).toMatch(/DRIVERS: .* mssql,oracle;/u);
  }, 600_000);
});
