import { once } from 'node:events';
import { ConfigError } from '../domain/errors.ts';
import { SandboxOptionError } from '../sandbox/options/sandbox-option-error.ts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { stopOnSignals, type Context } from './context.ts';

export interface SandboxCommandOptions {
  readonly port: number;
  readonly data?: string | undefined;
  readonly faults?: string | undefined;
  readonly reading: readonly string[];
  readonly lenient: boolean;
}

/** Runs `rollcall sandbox`: a local stand-in of the service, until SIGTERM or Ctrl-C. */
export async function sandboxCommand(context: Context, options: SandboxCommandOptions): Promise<number> {
  const { port, data, faults, lenient, reading: readings } = options;
  const sandbox = await start({ port, data, faults, lenient, readings });
  const stop = stopOnSignals();
  const { baseUrl, token, domainId, orgCode } = sandbox;
  context.screen.print([
    `baseUrl:  ${baseUrl}`,
    `token:    ${token}`,
    `domainId: ${domainId}`,
    `orgCode:  ${orgCode}`,
  ]);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  stop.release();
  await sandbox.close();
  return 0;
}

async function start(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (error instanceof SandboxOptionError)
      throw new ConfigError(`sandbox: ${error.message}`, { cause: error });
    throw error;
  }
}
