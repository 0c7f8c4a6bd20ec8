import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';

/**
 * Lets go of a terminal that was closed before the process ends. At its end Node restores the modes of each
 * terminal that it started with, and aborts (SIGABRT) where that fails; it skips a stream that is no longer
 * open.
 */
export function releaseClosedTerminals(): void {
  const atStart = [0, 1, 2].filter((fd) => isatty(fd));
  process.once('exit', () => {
    for (const fd of atStart) if (!isatty(fd)) closeSync(fd);
  });
}

/**
 * Flags of V8, each with what it saves. V8 looks at them when it collects, and when it compiles.
 *
 * - The heap grows by two thirds at most before what is no longer needed is collected: a load of 100,000 people takes a
 *   third less memory.
 * - WebAssembly is not optimized: undici alone has some, for the heads of answers, and optimizing it takes 25 MB.
 */
const SMALL = ['--heap-growing-percent=65', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'] as const;

/** Lets this process take less memory. */
export function staySmall(): void {
  for (const flag of SMALL) setFlagsFromString(flag);
}
