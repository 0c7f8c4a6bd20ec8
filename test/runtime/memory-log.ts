import { EVENTS, levelOf, type Log, type LogLevel, type RunEvent } from '../../src/domain/events.ts';

export interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines. */
export class MemoryLog implements Log {
  readonly lines: Line[] = [];

  event(event: RunEvent): void {
    this.lines.push({ level: levelOf(event), message: EVENTS[event.event].message, fields: { ...event } });
  }

  note(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level, message, fields });
  }

  ofRun(): Log {
    return this;
  }
}
