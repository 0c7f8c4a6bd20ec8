import { existsSync } from 'node:fs';

/**
 * Returns a file that came with the program, by its path below the nearest folder upwards that has it: the program may be
 * one file or many, and its folder is below that of the package. Throws where there is none.
 */
export function packagedFile(path: string): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const file = new URL(path, folder);
    if (existsSync(file)) return file;
    if (folder.pathname === '/') throw new Error(`${path}: did not come with the program`);
  }
}
