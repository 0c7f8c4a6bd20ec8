import { RefusedError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';

/** Its calls are functions that stand alone. */
type Calls = {
  readonly [K in keyof Service]: Service[K] extends (...call: infer A) => infer R
    ? (this: void, ...call: A) => R
    : Service[K];
};

/** A service as it is, but for these calls. */
export const but =
  (parts: Partial<Service> | ((service: Calls) => Partial<Service>)) =>
  (service: Service): Service => ({ ...service, ...(typeof parts === 'function' ? parts(service) : parts) });

/** Refuses in these words. */
export const refuse =
  (words: string, status = 990_001) =>
  (): Promise<never> =>
    Promise.reject(new RefusedError(words, status));
