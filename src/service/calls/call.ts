import type { RefusalName } from '../../domain/errors.ts';
import type { Endpoint } from './endpoint.ts';

/** One call as a resource asks for it. */
export interface Call<T> extends Endpoint {
  readonly query?: Readonly<Record<string, string>>;
  /** JSON; may hold secrets. */
  readonly body?: string;
  /** Values that must not come back in the service's words. */
  readonly secrets?: readonly string[];
  /** What a refusal's status means of this call, where a run has to know. */
  readonly refusals?: Readonly<Record<number, RefusalName>>;
  /** Records that a changing call carries, for the log; 1 where it says nothing. */
  readonly items?: number;
  /**
   * Of the envelope's result; `clean` takes secrets out of the service's words. Throws a ShapeError where the result is
   * not as the interface says.
   */
  readonly decode: (result: unknown, clean: (words: string) => string) => T;
}

export type AnyCall = Omit<Call<unknown>, 'decode'>;

/** Reads may be repeated at any time. */
export function isChanging(call: AnyCall): boolean {
  return call.method !== 'GET';
}

/** What was sent once and what came back, for the log: without query, body or token. */
export interface CallReport {
  /** Method and path as the interface writes them. */
  readonly call: string;
  readonly path: string;
  readonly changing: boolean;
  readonly items: number;
  /** 1 for the first. */
  readonly attempt: number;
  readonly ms: number;
  /** `failed`: no word of the service about it; for a change that is not retried: ambiguous. */
  readonly outcome: 'done' | 'refused' | 'failed';
  /** The envelope's status, where it is a refusal. */
  readonly status: number | null;
  /** Pause before it is sent again; `null`: this was the last time. */
  readonly retryInMs: number | null;
  /** Why it was not done, as a sentence. */
  readonly reason: string | null;
}

export type CallObserver = (report: CallReport) => void;
