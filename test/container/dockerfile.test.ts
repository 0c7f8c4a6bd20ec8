import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildProgram } from '../../src/commands/program.ts';
import { copiesOf, envOf, execForm, isIgnored, lastOf, readDockerfile, ROOT, textsOf } from './dockerfile.ts';

const stages = readDockerfile();
const [build, final] = stages;
if (build === undefined || final === undefined) throw new Error('the Dockerfile has no two stages');

it('has two stages on one image of a supported LTS of Node', () => {
  expect(stages.map(({ name }) => name)).toEqual(['build', undefined]);
  expect(new Set(stages.map(({ image }) => image))).toEqual(new Set(['node:22-bookworm-slim']));
});

function enginesOf(file: string): string {
  const about = JSON.parse(readFileSync(ROOT + file, 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  return about.engines.node;
}

it('has a Node that better-sqlite3 and this package are made for', () => {
  expect(enginesOf('node_modules/better-sqlite3/package.json').split(' || ')).toContain('22.x');
  expect(enginesOf('package.json')).toBe('>=20.19');
});

/** With nothing on the path but two programs that only write down their calls; npm fails the first `failures` times. */
function callsOfInstall(failures: number): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-install-'));
  const log = join(folder, 'log');
  const note = `#!/bin/sh\necho "\${0##*/} $1 $npm_config_nodedir" >> ${log}\n`;
  const count = `n=0; while read -r name _; do [ "$name" != npm ] || n=$((n + 1)); done < ${log}\n`;
  writeFileSync(join(folder, 'apt-get'), note);
  writeFileSync(join(folder, 'npm'), `${note}${count}[ $n -gt ${failures} ]\n`);
  for (const name of ['apt-get', 'npm']) chmodSync(join(folder, name), 0o755);
  try {
    const [command = ''] = textsOf(build!, 'RUN');
    execFileSync('/bin/sh', ['-ec', command], { env: { PATH: folder }, stdio: 'pipe' });
    return readFileSync(log, 'utf8').trim().split(/ *\n/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('takes the packages as they come, without a compiler', () => {
  expect(callsOfInstall(0)).toEqual(['npm ci']);
});

it("compiles with the headers of its own Node where better-sqlite3's binary cannot be had", () => {
  expect(callsOfInstall(1)).toEqual(['npm ci', 'apt-get update', 'apt-get install', 'npm ci /usr/local']);
});

it('fails where the packages cannot be had at all', () => {
  expect(() => callsOfInstall(2)).toThrow('Command failed');
});

it('changes nothing in the headers or programs of its base image', () => {
  const commands = stages.flatMap((stage) => textsOf(stage, 'RUN'));
  expect(commands.filter((command) => /\/usr\/(?!local npm ci)|\bsed\b/.test(command))).toEqual([]);
});

it('copies what is there, and .dockerignore lets through', () => {
  const sources = copiesOf(build).flatMap((copy) => copy.sources);
  expect(sources).toEqual([
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'config/tsconfig.build.json',
    'config/bundle.js',
    'src',
  ]);
  expect(sources.filter((path) => !existsSync(ROOT + path) || isIgnored(path))).toEqual([]);
});

it.each(['node_modules', '.git', 'dist', 'data/rollcall.db', 'config/rollcall.yaml', 'test/scratch', '.env'])(
  'keeps %s out of the build',
  (path) => expect(isIgnored(path)).toBe(true),
);

it('takes from the build stage what a build makes, in the folder where it works, and the recipes as they are', () => {
  const sources = copiesOf(final).map(({ from, sources: paths }) => [from, ...paths]);
  const folder = lastOf(build, 'WORKDIR');
  expect(sources).toEqual([
    ...['package.json', 'node_modules', 'dist'].map((name) => ['build', `${folder}/${name}`]),
    [copiesOf(build)[0]?.from, 'config/recipes'],
  ]);
  const config = JSON.parse(readFileSync(`${ROOT}config/tsconfig.build.json`, 'utf8')) as {
    readonly compilerOptions: { readonly outDir: string };
  };
  expect(config.compilerOptions.outDir).toBe('../dist');
});

it('leaves the tools of the build behind: the last command drops what only development needs', () => {
  expect(textsOf(build, 'RUN').at(-1)).toBe('npm run build && npm prune --omit=dev');
});

it('runs as a number that is not root, so that a cluster can see that it is not', () => {
  expect(lastOf(final, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
});

it('is a command line: the entry point without a shell between, the daemon where nothing else is asked for', () => {
  const { bin } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    readonly bin: { rollcall: string };
  };
  expect(execForm(lastOf(final, 'ENTRYPOINT'))).toEqual(['node', `/app/${bin.rollcall}`]);
  expect(execForm(lastOf(final, 'CMD'))).toEqual(['run']);
});

it('asks for its health by a verb and an option that exist', () => {
  const [node, main, verb, ...options] = execForm(lastOf(final, 'HEALTHCHECK').replace(/^CMD /, ''));
  expect([node, main]).toEqual(execForm(lastOf(final, 'ENTRYPOINT')));
  const command = buildProgram().commands.find((one) => one.name() === verb);
  expect(command?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(options));
  expect(options).toEqual(['--health']);
});

it('keeps the defaults of the configuration on the volume: state in /data, configuration in /config', () => {
  expect(lastOf(final, 'WORKDIR')).toBe('/');
  expect(textsOf(final, 'VOLUME')).toEqual(['/data']);
  expect(envOf(final)).toEqual({
    NODE_ENV: 'production',
    ROLLCALL_CONFIG: '/config/rollcall.yaml',
    TMPDIR: '/data',
  });
});
