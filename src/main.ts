#!/usr/bin/env node
import { buildProgram, complain, withConfig } from './commands/program.ts';
import { ConfigError, EXIT, RollcallError, sentenceOf } from './domain/errors.ts';
import { printable } from './domain/text/printable.ts';
import { releaseClosedTerminals, staySmall } from './commands/process.ts';

releaseClosedTerminals();

// `rollcall plan | head`: a reader that has seen enough is no error, and neither is a closed terminal.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'EIO') return;
    if (stream === process.stdout)
      complain(`rollcall: the output cannot be written (${error.code ?? error.message}): it is not whole.`);
    process.exit(EXIT.failed);
  });
}

const program = buildProgram();

try {
  // Node reads bytes that are not UTF-8 as this sign, and they are lost.
  const broken = process.argv.slice(2).find((argument) => argument.includes('\uFFFD'));
  if (broken !== undefined)
    throw new ConfigError(`The argument ${printable(broken)} is not UTF-8: give it in UTF-8.`);
  program.hook('preAction', (_, action) => {
    // The stand-in of the service holds a whole company; its time is what others measure themselves by.
    if (action.name() !== 'sandbox') staySmall();
  });
  await program.parseAsync(process.argv);
} catch (error) {
  complain(withConfig(program, `rollcall: ${sentenceOf(error)}`));
  process.exitCode = error instanceof RollcallError ? error.exitCode : EXIT.failed;
}
