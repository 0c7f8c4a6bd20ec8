#!/usr/bin/env node
import { complain, rollcall } from './commands/program.ts';
import { releaseClosedTerminals } from './commands/process.ts';
import { EXIT } from './domain/errors.ts';

releaseClosedTerminals();

// `rollcall plan | head`: a reader that has seen enough is no error, and neither is a closed terminal.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'EIO') return;
    const problem = `rollcall: the output cannot be written (${error.code ?? error.message}): it is not whole.`;
    if (stream === process.stdout) complain(process, problem);
    process.exit(EXIT.failed);
  });
}

process.exitCode = await rollcall(process.argv.slice(2), process);
