import { RollcallError } from '../domain/errors.ts';
import type { Screen } from '../runtime/screen.ts';
import { loadApp, type App, type AppOptions } from '../app.ts';

/** What a verb gets of the process: injected, so that a test sees what a user would. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** stdout for a person. */
  readonly screen: Screen;
  /** `--config`, else `$ROLLCALL_CONFIG`, else `config/rollcall.yaml`. */
  readonly configFile: () => string;
}

export function appOf(context: Context, logTo: AppOptions['logTo']): App {
  return loadApp({ configFile: context.configFile(), env: context.env, logTo });
}

/** A sentence for what ended a verb; a stack only for what nobody foresaw. */
export function sentenceOf(error: unknown): string {
  if (error instanceof RollcallError) return error.message;
  if (error instanceof Error)
    return `unexpected error: ${error.message}; please report it with this: ${error.stack}`;
  return String(error);
}

/** Aborts on SIGTERM and SIGINT: the calls in flight are finished and recorded; a second signal ends at once. */
export function stopOnSignals(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return {
    signal: controller.signal,
    release: () => void process.off('SIGTERM', stop).off('SIGINT', stop),
  };
}
