import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A copy of these folders as JavaScript that plain Node runs, for tests with real processes. */
export function compiled(folders: readonly string[]): string {
  const to = mkdtempSync(join(tmpdir(), 'rollcall-compiled-'));
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
