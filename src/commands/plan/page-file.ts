import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileProblem } from '../../app.ts';
import { ConfigError } from '../../domain/errors.ts';
import { writeTexts } from '../../lib/write-texts.ts';
import { planPage, type PageParts } from '../../page/plan-page.ts';

/** Where a plan goes as a page. */
export interface PageFile {
  readonly path: string;
  /** Writes the whole page, or leaves what was there. Throws a ConfigError where it cannot be written. */
  readonly write: (parts: PageParts) => void;
}

/** Looks whether a page can be written there. Throws a ConfigError where it cannot. */
export function pageFile(path: string): PageFile {
  const problem = problemWith(path);
  if (problem !== null) throw cannotWrite(path, problem);
  return { path, write: (parts) => replaceFile(path, planPage(parts)) };
}

function problemWith(path: string): string | null {
  if (path === '') return 'a file is expected, and its path is empty';
  try {
    const folder = dirname(path);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return `there is no folder ${folder}`;
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) return 'it is a folder';
    // A device or a pipe would be replaced by the file.
    return there === undefined || there.isFile() ? null : 'it is no file';
  } catch (error) {
    return fileProblem(error);
  }
}

function cannotWrite(path: string, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`plan: --html ${path} cannot be written: ${problem}.`, { cause });
}

/** Writes under another name beside the file, and renames that when it is whole: there is never half a page. */
function replaceFile(path: string, texts: Iterable<string>): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const file = openSync(temporary, 'wx');
    try {
      writeTexts(file, texts);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (isOfSystem(error)) throw cannotWrite(path, fileProblem(error), error);
    throw error;
  }
}

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
