import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './image.ts';

/** npm of the Node that the Dockerfile names, which brings it. */
const NPM = 'npm@10';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** A file system that `podman import` takes, and the name that the Dockerfile has for it. */
export interface BaseImage {
  readonly name: string;
  readonly file: string;
}

/**
 * Makes what stands for the base image of the Dockerfile, without a registry of images: Debian by debootstrap, Node and npm
 * as packages of npm. Sources, registry and authorities are those of this machine. It is kept in the user's cache, but with
 * CI in the environment made anew in `folder`. Throws an error whose last line says what failed.
 */
export function baseImage(folder: string): BaseImage {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const [, name = '', node = '', suite = ''] = /^FROM (node:(\d+)-(\w+)-slim)\b/m.exec(dockerfile) ?? [];
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rollcall');
  const file = join(process.env['CI'] === undefined ? cache : folder, `node-${node}-${suite}.tar`);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    makeBase(join(folder, 'base'), { node, suite, file });
  }
  return { name: `docker.io/library/${name}`, file };
}

function makeBase(root: string, { node, suite, file }: { node: string; suite: string; file: string }): void {
  run('debootstrap', '--variant=minbase', '--include=ca-certificates', suite, root, mirrorOf());
  copyFileSync(AUTHORITIES, root + AUTHORITIES);
  const local = join(root, 'usr/local');
  const npm = join(local, 'lib/node_modules/npm');
  for (const path of [npm, join(local, 'etc')]) mkdirSync(path, { recursive: true });
  unpack(`node-linux-${process.arch}@${node}`, local, ['package/bin', 'package/include']);
  unpack(NPM, npm);
  for (const word of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${word}-cli.js`, join(local, 'bin', word));
  const registry = run('npm', 'config', 'get', 'registry').trim();
  writeFileSync(join(local, 'etc/npmrc'), `registry=${registry}\ncafile=${AUTHORITIES}\n`);
  run('tar', '-C', root, '--exclude=./var/cache/apt/archives/*', '-cf', `${file}.new`, '.');
  renameSync(`${file}.new`, file);
  rmSync(root, { recursive: true });
}

/** The mirror of Debian in this machine's own sources. */
function mirrorOf(): string {
  const lines = run(
    'apt-get',
    'indextargets',
    '--format',
    '$(LABEL) $(COMPONENT) $(REPO_URI)',
    'Created-By: Packages',
  );
  const mirror = /^Debian main (\S+)$/m.exec(lines)?.[1];
  if (mirror === undefined) throw new Error('the sources of apt name no mirror of Debian');
  return mirror;
}

/** Unpacks a package of npm, or parts of it, without the folder that all of it is in. */
function unpack(name: string, to: string, parts: readonly string[] = []): void {
  const [file = ''] = run('npm', 'pack', '--silent', '--pack-destination', to, name)
    .trim()
    .split('\n')
    .slice(-1);
  run('tar', '-C', to, '--strip-components=1', '--no-same-owner', '-xzf', join(to, file), ...parts);
  rmSync(join(to, file));
}

function run(file: string, ...args: readonly string[]): string {
  return execFileSync(file, args, { cwd: '/', encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 });
}
