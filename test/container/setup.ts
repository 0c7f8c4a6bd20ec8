import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackages } from '../servers/install.ts';
import { baseImage, type BaseImage } from './base.ts';
import { BUILD, IMAGE, REVISION, ROOT } from './image.ts';

/** What the engine needs of Debian; runc works with every version of cgroups. */
const PACKAGES = ['podman', 'runc', 'debootstrap'] as const;

/**
 * vitest's globalSetup: an engine with a store of its own, the base image and the image. If this machine cannot run
 * containers, it ends the run with the line `NOT RUN  container: REASON` and exit code 0. Returns the clean-up.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(shortFolder(), 'rc-'));
  const remove = async (): Promise<void> => removeStore(folder);
  try {
    makeEngine(folder);
  } catch (error) {
    await remove();
    console.log(`NOT RUN  container: ${lastLine(String(error))}`);
    process.exit(0);
  }
  const begun = Date.now();
  const built = spawnSync('podman', [...BUILD, `--build-arg=REVISION=${REVISION}`, '-t', IMAGE, '.'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (built.status !== 0) {
    await remove();
    throw new Error(
      `the image cannot be built\n${built.stdout.slice(-4_000)}\n${built.stderr.slice(-4_000)}`,
    );
  }
  console.log(`figure: build of the image ${Math.round((Date.now() - begun) / 1_000)} s`);
  return remove;
}

/** podman refuses a runroot of more characters where it cleans up behind a container, and waits 20 s for each of them then. */
const RUNROOT_AT_MOST = 50;

/** The folder of temporary files, or another one if its name leaves no room for those of podman. */
function shortFolder(): string {
  return join(tmpdir(), 'rc-XXXXXX', 'overlay', 'r').length <= RUNROOT_AT_MOST ? tmpdir() : '/tmp';
}

/** Throws an error whose last line says why there is no engine. */
function makeEngine(folder: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('it needs root on Linux');
  if (!succeeds('unshare', '--mount', 'true')) throw new Error('root may not mount here');
  const missing = PACKAGES.filter((name) => !succeeds(name, '--version'));
  if (missing.length > 0) {
    try {
      installPackages(missing);
    } catch {
      throw new Error(`${missing.join(', ')} cannot be installed by apt-get`);
    }
  }
  const base = baseImage(folder);
  try {
    useStore(folder, 'overlay', base);
  } catch {
    useStore(folder, 'vfs', base);
  }
}

/** Lets podman have a store of this kind, with the base image, and tries that image. */
function useStore(folder: string, driver: 'overlay' | 'vfs', { name, file }: BaseImage): void {
  const store = join(folder, driver);
  mkdirSync(store);
  // A second build begins with the layers of the first, but vfs copies everything for each layer.
  process.env['BUILDAH_LAYERS'] = String(driver === 'overlay');
  for (const [variable, text] of [
    ['CONTAINERS_CONF', engineConf(store)],
    ['CONTAINERS_STORAGE_CONF', storageConf(store, driver)],
  ] as const) {
    process.env[variable] = join(store, variable);
    writeFileSync(join(store, variable), text);
  }
  execFileSync('podman', ['import', file, name], { stdio: 'pipe' });
  execFileSync('podman', ['run', '--rm', '--network=host', name, 'true'], { stdio: 'pipe' });
}

function succeeds(file: string, ...args: readonly string[]): boolean {
  return spawnSync(file, args).status === 0;
}

/** Without systemd, and without raising limits, which a container may not. */
const engineConf = (store: string): string => `[containers]
default_ulimits = []
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "${store}/t"
static_dir = "${store}/s/libpod"
volume_path = "${store}/s/volumes"
`;

const storageConf = (store: string, driver: string): string => `[storage]
driver = "${driver}"
graphroot = "${store}/s"
runroot = "${store}/r"
[storage.options.overlay]
skip_mount_home = "true"
`;

/** Ends the containers of these stores alone. */
async function removeStore(folder: string): Promise<void> {
  if (process.env['CONTAINERS_CONF']?.startsWith(folder) === true)
    await promisify(execFile)('podman', ['rm', '--all', '--force', '--time=0']).catch(() => undefined);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

const lastLine = (text: string): string =>
  text
    .replace(/^Error: /, '')
    .trim()
    .split('\n')
    .at(-1) ?? '';
