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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SCRATCH_VARIABLE } from '../servers/scratch.ts';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * Returns a copy of these folders as JavaScript that plain Node runs, for tests with real processes. It is made once for
 * all files of a test run, whose end removes it; nobody may change it.
 */
export function compiled(folders: readonly string[]): string {
  const scratch = process.env[SCRATCH_VARIABLE] ?? tmpdir();
  const shared = join(scratch, `compiled-${folders.join('+').replaceAll('/', '-')}`);
  if (process.env[SCRATCH_VARIABLE] !== undefined && existsSync(shared)) return shared;
  const made = make(folders, mkdtempSync(join(scratch, 'rollcall-compiled-')));
  return process.env[SCRATCH_VARIABLE] === undefined ? made : moved(made, shared);
}

/** Two workers may have made it at the same time: the first one's is taken. */
function moved(made: string, shared: string): string {
  try {
    renameSync(made, shared);
    return shared;
  } catch (error) {
    if (!existsSync(shared)) throw error;
    return shared;
  }
}

function make(folders: readonly string[], to: string): string {
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
  copyFileSync(join(ROOT, 'package.json'), join(to, 'package.json'));
  symlinkSync(join(ROOT, 'config'), join(to, 'config'));
  for (const folder of folders) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts'))) compile(join(folder, file), to);
    for (const file of files.filter((name) => name.endsWith('.js'))) copy(join(folder, file), to);
  }
  return to;
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
