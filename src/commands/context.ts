import { loadApp, type App, type AppOptions } from '../app.ts';
import { EXIT } from '../domain/errors.ts';
import type { Screen } from '../runtime/screen/screen.ts';
import { onSignals } from '../runtime/daemon/signals.ts';

/** What a verb gets of the process: injected, so that a test sees what a user would. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  /** stdout for machines: JSON, as it is. */
  readonly out: (text: string) => void;
  /** stdout for a person. */
  readonly screen: Screen;
  /** `--config`, else `$ROLLCALL_CONFIG`, else `config/rollcall.yaml`. */
  readonly configFile: () => string;
}

export function appOf(context: Context, logTo: AppOptions['logTo']): App {
  return loadApp({ configFile: context.configFile(), env: context.env, logTo });
}

export interface Stop {
  /** Aborted by the first signal: the calls in flight are finished and recorded. */
  readonly signal: AbortSignal;
  /** Aborted by the second one, right before the process ends. */
  readonly quit: AbortSignal;
  readonly release: () => void;
}

/** Stops on SIGTERM, SIGINT and a terminal that is closed; a second signal ends at once. */
export function stopOnSignals(): Stop {
  const [first, second] = [new AbortController(), new AbortController()];
  const stop = (): void => {
    if (!first.signal.aborted) return first.abort();
    second.abort();
    process.exit(EXIT.failed);
  };
  const release = onSignals(process, { SIGTERM: stop, SIGINT: stop, SIGHUP: stop });
  return { signal: first.signal, quit: second.signal, release };
}
