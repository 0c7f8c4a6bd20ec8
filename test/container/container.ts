import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { envOf, execForm, lastOf, textsOf } from './dockerfile.ts';
import type { Image } from './image.ts';

/** What `docker run --read-only -v …:/data -v …:/config:ro IMAGE` has beside the image. */
export interface Volumes {
  readonly data: string;
  readonly config: string;
  readonly remove: () => void;
}

/** `/data` belongs to the image's user, as a new volume does; `/config` holds the configuration. */
export function makeVolumes({ stage }: Image, configText: string): Volumes {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-volumes-'));
  const [data, config] = [join(folder, 'data'), join(folder, 'config')];
  const [uid = 0, gid = 0] = lastOf(stage, 'USER').split(':').map(Number);
  mkdirSync(data);
  chownSync(data, uid, gid);
  mkdirSync(config);
  writeFileSync(join(config, 'rollcall.yaml'), configText);
  return { data, config, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Programs and libraries of this machine, in place of those of the base image. */
const BORROWED = 'usr bin sbin lib lib64 etc';

/** Where the Node of this process stands, wherever it comes from. */
const NODE = '/node';

/** As root, in a mount namespace of its own: the image's root, with what it borrows, read-only, and the volumes. */
const ENTER = `
  for dir in ${BORROWED}; do
    if [ -L /$dir ]; then ln -sfn "$(readlink /$dir)" "$ROOT/$dir"
    elif [ -d /$dir ]; then mkdir -p "$ROOT/$dir"; fi
  done
  mkdir -p "$ROOT/proc" "$ROOT/dev" "$ROOT${NODE}"
  mount --bind "$ROOT" "$ROOT"
  mount --bind "${dirname(process.execPath)}" "$ROOT${NODE}"
  for dir in ${BORROWED}; do
    if [ ! -L /$dir ] && [ -d /$dir ]; then
      mount --bind /$dir "$ROOT/$dir"
      mount -o remount,bind,ro "$ROOT/$dir"
    fi
  done
  mount -t proc proc "$ROOT/proc"
  mount --bind /dev "$ROOT/dev"
`;
const VOLUMES = `
  mount --bind "$DATA" "$ROOT/data"
  mount --bind "$CONFIG" "$ROOT/config"
  mount -o remount,bind,ro "$ROOT/config"
  mount -o remount,bind,ro "$ROOT"
`;
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child'];

/** Whether this process may make namespaces; says so loudly where not, so that a skipped suite is seen. */
export function canContain(): boolean {
  try {
    execFileSync('unshare', [...NAMESPACES, 'true'], { stdio: 'pipe' });
    return true;
  } catch {
    console.error('SKIPPED: not root, or no namespaces on this machine: the container cannot be tried.');
    return false;
  }
}

/** The RUN lines of the final stage, in the image's own file system. */
export function finishImage({ root, stage }: Image): void {
  for (const command of textsOf(stage, 'RUN')) {
    const script = `${ENTER} exec chroot "$ROOT" sh -ec '${command}'`;
    execFileSync('unshare', [...NAMESPACES, 'sh', '-ec', script], {
      env: { ...process.env, ROOT: root },
      stdio: 'pipe',
    });
  }
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
}

export interface Container {
  /** To process 1, from outside, as `docker stop` does. */
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

/**
 * `docker run`: the entry point as process 1 of its namespace, as the image's user without capabilities, in its
 * environment and folder, on a read-only root. The network is this machine's.
 */
export function runContainer(image: Image, volumes: Volumes, words?: readonly string[]): Container {
  const entry = execForm(lastOf(image.stage, 'ENTRYPOINT'));
  return start(image, volumes, [...entry, ...(words ?? execForm(lastOf(image.stage, 'CMD')))]);
}

/** `docker exec`, but for the process namespace. */
export function inContainer(image: Image, volumes: Volumes, command: readonly string[]): Promise<Ended> {
  return start(image, volumes, command).ended;
}

function start({ root, stage }: Image, volumes: Volumes, command: readonly string[]): Container {
  const [uid, gid] = lastOf(stage, 'USER').split(':');
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'];
  const bare = ['--inh-caps=-all', '--bounding-set=-all'];
  const variables = Object.entries(envOf(stage)).map(([name, value]) => `${name}=${value}`);
  const place = [
    'env',
    '-i',
    '-C',
    lastOf(stage, 'WORKDIR'),
    `PATH=${NODE}:${process.env['PATH']}`,
    ...variables,
  ];
  const script = `${ENTER} ${VOLUMES} exec chroot "$ROOT" "$@"`;
  const args = ['sh', '-ec', script, 'sh', 'setpriv', ...user, ...bare, ...place, ...command];
  const child = spawn('unshare', [...NAMESPACES, ...args], {
    env: { ...process.env, ROOT: root, DATA: volumes.data, CONFIG: volumes.config },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { signal: (name) => process.kill(processOne(child), name), ended: endOf(child) };
}

async function endOf(child: ChildProcess): Promise<Ended> {
  let out = '';
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => (out += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}

/** As this machine numbers it: the one child of unshare. */
function processOne({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}
