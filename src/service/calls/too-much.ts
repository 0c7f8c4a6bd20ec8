import { RefusedError, ServiceError } from '../../domain/errors.ts';

/** HTTP says that a question was not taken as it is, or its answer is too long to be read; the service itself says nothing. */
export class NotTakenError extends ServiceError {
  readonly http: number;

  constructor(message: string, http: number) {
    super(message);
    this.http = http;
  }
}

/** HTTP statuses about the size: bad request, too large, address too long, headers too large. */
const SIZE: ReadonlySet<number> = new Set([400, 413, 414, 431]);
/** HTTP statuses about the address, not about what is asked. */
const ADDRESS: ReadonlySet<number> = new Set([414, 431]);

export function isAboutSize(http: number | null): http is number {
  return http !== null && SIZE.has(http);
}

/**
 * A refusal that a smaller question may not get: the interface does not show how the service reports a limit.
 */
export type Refusal = RefusedError | NotTakenError;

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof RefusedError || error instanceof NotTakenError;
}

/**
 * Returns whether the refusal says that the address is too long, and nothing else. The status of an envelope
 * may repeat that of HTTP.
 */
export function isAddressTooLong(refusal: Refusal): boolean {
  return ADDRESS.has(refusal instanceof NotTakenError ? refusal.http : refusal.status);
}
