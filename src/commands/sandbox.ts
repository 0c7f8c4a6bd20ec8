import { once } from 'node:events';
import { commandProblem } from './problems.ts';
import { printable } from '../domain/text/printable.ts';
import { SandboxOptionError } from '../sandbox/options/settings.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import { stopOnSignals, type CommandContext } from './context.ts';

/** People of a push who are named on the screen. */
const NAMED = 3;

interface SandboxCommandOptions {
  readonly port: number;
  readonly data?: string | undefined;
  readonly faults?: string | undefined;
  readonly reading: readonly string[];
  readonly lenient: boolean;
  readonly callback?: string | undefined;
  readonly callbackToken?: string | undefined;
  readonly callbackKey?: string | undefined;
  readonly callbackApp?: string | undefined;
  readonly callbackMode?: 'plain' | 'safe' | 'compatible' | undefined;
}

/** Runs `rollcall sandbox`: a local stand-in of the service, until SIGTERM or Ctrl-C. */
export async function sandboxCommand(
  context: CommandContext,
  options: SandboxCommandOptions,
): Promise<number> {
  const { port, data, faults, lenient, reading: readings } = options;
  const sandbox = await start({ port, data, faults, lenient, readings, callback: callbackOf(options) });
  printMessages(sandbox, (text) => void context.show({ lines: () => [text] }));
  const stop = stopOnSignals();
  const { baseUrl, token, appToken, domainId, orgCode } = sandbox;
  await context.show({
    lines: () => [
      `baseUrl:  ${baseUrl}`,
      `token:    ${token}`,
      `appToken: ${appToken}`,
      `domainId: ${domainId}`,
      `orgCode:  ${orgCode}`,
    ],
  });
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  stop.release();
  await sandbox.close();
  return 0;
}

/** Prints one line for each message that is pushed, and for each callback that was sent. */
export function printMessages(sandbox: Sandbox, print: (text: string) => void): void {
  sandbox.onPush = ({ type, shown, recipients }) =>
    print(`push: ${type} to ${namesOf(sandbox, recipients)}: ${printable(shown)}`);
  sandbox.onCallback = ({ message, http, problem }) => {
    const facts = [message.msg_type, message.event, http ?? problem].filter((fact) => fact !== undefined);
    print(`callback: ${facts.join(' ')}`);
  };
}

/** Returns "2 (ann, bob)". */
function namesOf({ state }: Sandbox, userIds: readonly string[]): string {
  const names = userIds.slice(0, NAMED).map((id) => printable(state.userById(id)?.username ?? id));
  return `${userIds.length} (${names.join(', ')}${userIds.length > NAMED ? ', …' : ''})`;
}

function callbackOf(options: SandboxCommandOptions): SandboxOptions['callback'] {
  const { callback: url, callbackToken: token, callbackKey: key } = options;
  const { callbackApp: applicationId, callbackMode: mode } = options;
  if (url === undefined) return undefined;
  return { url, mode, token, key, applicationId };
}

async function start(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (error instanceof SandboxOptionError)
      throw commandProblem('sandbox-option', { reason: error.message }, { cause: error });
    throw error;
  }
}
