import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { copiesOf, lastOf, readDockerfile, ROOT, textsOf, type Stage } from './dockerfile.ts';

/** The file system of the final stage, made by following the Dockerfile without an engine. */
export interface Image {
  readonly root: string;
  readonly stage: Stage;
  readonly remove: () => void;
}

/** What fetches: the checkout has the packages already. */
const FETCHES = /^npm ci/;

/**
 * Follows the Dockerfile: COPY copies, RUN runs, in folders that stand for the two file systems. Two things are not tried,
 * since they are fetched: the base image, for which Node and Debian of this machine stand, and what `npm ci` brings, the
 * binary of better-sqlite3 above all; node_modules of this checkout takes its place. Needs root, to run as another user
 * later.
 */
export function buildImage(): Image {
  const [build, stage] = readDockerfile();
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-image-'));
  const [builder, root] = [join(folder, 'build'), join(folder, 'root')];
  const work = join(builder, lastOf(build!, 'WORKDIR'));
  mkdirSync(work, { recursive: true });
  for (const { sources, target } of copiesOf(build!)) {
    for (const source of sources) copy(join(ROOT, source), join(work, target), source);
  }
  execFileSync('cp', ['-a', join(ROOT, 'node_modules'), work]);
  for (const command of textsOf(build!, 'RUN').filter((text) => !FETCHES.test(text))) {
    execFileSync('sh', ['-ec', command], { cwd: work, stdio: 'pipe' });
  }
  for (const { from, sources, target } of copiesOf(stage!)) {
    const place = from === undefined ? ROOT : builder;
    for (const source of sources) copy(join(place, source), join(root, target), source);
  }
  return { root, stage: stage!, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** As COPY does: the contents of a folder, a file into a folder that ends with a slash. */
function copy(from: string, to: string, name: string): void {
  const target = to.endsWith('/') && name.includes('.') ? join(to, name.split('/').at(-1)!) : to;
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true, verbatimSymlinks: true });
}
