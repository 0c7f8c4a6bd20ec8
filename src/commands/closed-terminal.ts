import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Lets go of a terminal that was closed, at the end of the process: Node sets back the modes of each one that it began
 * with, and aborts (SIGABRT) where that fails; a stream that is no longer open is left alone.
 */
export function letGoOfClosedTerminals(): void {
  const atStart = [0, 1, 2].filter((fd) => isatty(fd));
  process.once('exit', () => {
    for (const fd of atStart) if (!isatty(fd)) closeSync(fd);
  });
}
