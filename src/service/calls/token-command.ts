import { ServiceError } from '../../domain/errors.ts';
import { askCommand as ask, CommandProblem } from '../../lib/ask-command.ts';

/** Returns what the command for the access token prints; throws a ServiceError without arguments and output. */
export async function askCommand(command: readonly string[], limitMs?: number): Promise<string> {
  try {
    return await ask(command, limitMs);
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    throw new ServiceError(`The command for the access token, ${error.message}: try it by hand.`);
  }
}
