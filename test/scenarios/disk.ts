import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const isRoot = process.getuid?.() === 0;

/** A small file system of its own at this folder; `false` where that is not allowed (not root, or in a container). */
export function mountSmall(folder: string, megabytes: number): boolean {
  if (!isRoot) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return true;
}

/** Takes all room that is left there; the function that it returns gives it back. */
export function fill(folder: string): () => void {
  const filler = join(folder, 'filler');
  const file = openSync(filler, 'a');
  for (let bytes = 1 << 20; bytes >= 1; bytes = Math.floor(bytes / 4)) {
    while (isWritten(file, bytes));
  }
  closeSync(file);
  return () => rmSync(filler, { force: true });
}

function isWritten(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch {
    return false;
  }
}

/** A running program may write no further byte to any file: to it, every disk is full from now on. */
export function stopWriting(pid: number): void {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=0:0']);
}

/** Words that start a program with files of at most so many KB. */
export const limitedTo = (kilobytes: number): readonly string[] => [
  'sh',
  '-c',
  `ulimit -f ${kilobytes * 2} && exec "$@"`,
  'sh',
];

/** Words that start a program for which the modes of files count, also where root starts it. */
export const BOUND_BY_MODES: readonly string[] = isRoot
  ? [
      'setpriv',
      '--bounding-set=-dac_override,-dac_read_search',
      '--inh-caps=-dac_override,-dac_read_search',
      '--',
    ]
  : [];
