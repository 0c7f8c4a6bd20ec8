#!/usr/bin/env node
import { buildProgram } from './commands/program.ts';
import { sentenceOf } from './commands/context.ts';
import { EXIT, RollcallError } from './domain/errors.ts';

try {
  await buildProgram().parseAsync(process.argv);
} catch (error) {
  process.stderr.write(`rollcall: ${sentenceOf(error)}\n`);
  process.exitCode = error instanceof RollcallError ? error.exitCode : EXIT.failed;
}
