import type { RunEvent } from '../events.ts';

/** One attempt of a call, without query, body or token. */
export interface CallSeen {
  /** Method and path as the interface writes them. */
  readonly call: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** It is sent again after a pause. */
  readonly isRetried: boolean;
  readonly ms: number;
}

/** Port: whoever counts what happens in the runs of a process. It throws nothing and keeps nobody waiting. */
export interface Observer {
  event(event: RunEvent): void;
  call(call: CallSeen): void;
}
