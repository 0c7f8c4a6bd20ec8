import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Lets go of a terminal that was closed before the process ends. At its end Node restores the modes of each
 * terminal that it started with, and aborts (SIGABRT) where that fails; it skips a stream that is no longer
 * open.
 */
export function letGoOfClosedTerminals(): void {
  const atStart = [0, 1, 2].filter((fd) => isatty(fd));
  process.once('exit', () => {
    for (const fd of atStart) if (!isatty(fd)) closeSync(fd);
  });
}
