import type { SetupOptions } from '../app/setup.ts';
import { EXIT } from '../domain/errors.ts';
import { stopped } from '../domain/run-problems.ts';
import type { Screen } from '../runtime/screen.ts';
import { onSignals } from '../runtime/signals.ts';

/** What a verb gets from the process; injected, so that a test sees what a user would see. */
export interface CommandContext extends SetupOptions {
  /** Writes to stdout for machines: JSON, as it is. */
  readonly out: (text: string) => void;
  /** Waits until stdout takes more; `false`: the reader has closed it, as with `| head`. */
  readonly drained: () => Promise<boolean>;
  /** Shows text on stdout to a person. */
  readonly screen: Screen;
}

export interface Stop {
  /** Aborted by the first signal: calls in flight are finished and recorded. */
  readonly signal: AbortSignal;
  /** Aborted by the second signal, right before the process ends. */
  readonly quit: AbortSignal;
  readonly release: () => void;
}

/** Stops on SIGTERM, SIGINT and when the terminal is closed; a second signal ends the process at once. */
export function stopOnSignals(): Stop {
  const [first, second] = [new AbortController(), new AbortController()];
  const stop = (): void => {
    if (!first.signal.aborted) return first.abort(stopped('stopped-asked', {}));
    second.abort();
    process.exit(EXIT.failed);
  };
  const release = onSignals(process, { SIGTERM: stop, SIGINT: stop, SIGHUP: stop });
  return { signal: first.signal, quit: second.signal, release };
}
