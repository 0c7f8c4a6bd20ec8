/** The part of `process` that delivers signals. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

type SignalHandlers = Readonly<Partial<Record<NodeJS.Signals, () => void>>>;

/**
 * Handles signals until the returned function is called. As process 1 of a container a program gets only
 * signals that it handles: without this, SIGTERM would be lost there.
 */
export function onSignals(source: SignalSource, handlers: SignalHandlers): () => void {
  const handle = (signal: NodeJS.Signals): void => handlers[signal]?.();
  for (const signal of signalsOf(handlers)) source.on(signal, handle);
  return () => {
    for (const signal of signalsOf(handlers)) source.off(signal, handle);
  };
}

const HANDLED = ['SIGTERM', 'SIGINT', 'SIGUSR2', 'SIGHUP'] as const;

function signalsOf(handlers: SignalHandlers): readonly NodeJS.Signals[] {
  return HANDLED.filter((signal) => handlers[signal] !== undefined);
}
