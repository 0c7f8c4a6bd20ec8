import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { SCRATCH_VARIABLE } from '../servers/scratch.ts';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * Returns a copy of these folders as JavaScript that plain Node runs, for tests with real processes. It is made once for
 * all files of a test run, whose end removes it: nobody may change or remove it.
 */
export function compiled(folders: readonly string[]): string {
  const shared = join(scratch(), `compiled-${folders.join('+').replaceAll('/', '-')}`);
  if (existsSync(shared)) return shared;
  const own = compiledApart(folders);
  try {
    renameSync(own, shared);
  } catch (error) {
    // Another worker was first.
    if (!existsSync(shared)) throw error;
  }
  return shared;
}

/** Returns the program as JavaScript, as `compiled` makes it. */
export const mainFile = (): string => join(compiled(['src']), 'src/main.js');

/** Returns such a copy of one's own, to be changed. */
export function compiledApart(folders: readonly string[]): string {
  const to = mkdtempSync(join(scratch(), 'rollcall-compiled-'));
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
  copyFileSync(join(ROOT, 'package.json'), join(to, 'package.json'));
  symlinkSync(join(ROOT, 'config'), join(to, 'config'));
  for (const folder of folders) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts'))) compile(join(folder, file), to);
    for (const file of files.filter((name) => name.endsWith('.js'))) copy(join(folder, file), to);
  }
  if (folders.includes('src'))
    execFileSync(process.execPath, [join(ROOT, 'config/bundle.js'), join(to, 'src')]);
  return to;
}

/** The folder of this test run, which its global setup has made. */
function scratch(): string {
  const folder = process.env[SCRATCH_VARIABLE];
  if (folder === undefined) throw new Error('no test run: run it by test/vitest.config.ts');
  return folder;
}

function copy(file: string, to: string): void {
  const target = join(to, file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(ROOT, file), target);
}

function compile(file: string, to: string): void {
  const target = join(to, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  const compilerOptions = {
    module: ModuleKind.ESNext,
    target: ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  writeFileSync(
    target,
    transpileModule(readFileSync(join(ROOT, file), 'utf8'), { compilerOptions }).outputText,
  );
}
