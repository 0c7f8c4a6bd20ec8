import type { Log } from '../../domain/events.ts';
import type { Observer } from '../../domain/ports/observer.ts';

/** Returns the log, which also shows its events to an observer. */
export function observing(log: Log, observer: Observer): Log {
  return {
    event(event) {
      log.event(event);
      observer.event(event);
    },
    note: (level, message, fields) => log.note(level, message, fields),
    ofRun: (run) => observing(log.ofRun(run), observer),
  };
}
