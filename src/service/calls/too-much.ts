import { RefusedError, ServiceError } from '../../domain/errors.ts';

/** HTTP's word, without one of the service, that a question was not taken as it is. */
export class NotTakenError extends ServiceError {
  readonly http: number;

  constructor(message: string, http: number) {
    super(message);
    this.http = http;
  }
}

/** Bad request, too large, address too long, headers too large. */
const SIZE: ReadonlySet<number> = new Set([400, 413, 414, 431]);
/** These are about the address, and not about what is asked. */
const ADDRESS: ReadonlySet<number> = new Set([414, 431]);

export function isAboutSize(http: number | null): http is number {
  return http !== null && SIZE.has(http);
}

/** A refusal that a smaller question may not get: the interface does not show how a limit is told. */
export type Refusal = RefusedError | NotTakenError;

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof RefusedError || error instanceof NotTakenError;
}

/** Returns whether it says that the address is too long, and nothing else. An envelope's status may repeat HTTP's. */
export function isAddressTooLong(refusal: Refusal): boolean {
  return ADDRESS.has(refusal instanceof NotTakenError ? refusal.http : refusal.status);
}
