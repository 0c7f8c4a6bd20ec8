import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, loadSetup, requireUnnamed } from '../app/setup.ts';
import type { CommandContext } from './context.ts';
import { EXIT } from '../domain/errors.ts';
import { printable } from '../domain/text/printable.ts';

/** Runs `rollcall backup`: a copy of the ledger in a new file, also while the daemon works. */
export async function backupCommand(context: CommandContext, file: string): Promise<number> {
  const setup = loadSetup(context);
  const { path } = setup.settings.state;
  const target = resolve(file);
  requireUnnamed(setup, target);
  backUp(path, target);
  const size = statSync(target).size.toLocaleString('en');
  await context.show({ lines: () => [`${printable(target)}: a copy of ${printable(path)}, ${size} bytes`] });
  return EXIT.done;
}
