import type { Employee, Service } from '../../domain/ports/service.ts';

/** Number of employees to look at: a few show what all have, and cost three calls. */
const LOOKED_AT = 50;

/** Looks at a few employees once, whoever asks for them. */
export class LookAtEmployees {
  readonly service: Service;
  #looked: Promise<readonly Employee[]> | null = null;

  constructor(service: Service) {
    this.service = service;
  }

  some(signal: AbortSignal): Promise<readonly Employee[]> {
    this.#looked ??= someEmployees(this.service, signal);
    return this.#looked;
  }
}

async function someEmployees(service: Service, signal: AbortSignal): Promise<readonly Employee[]> {
  for await (const { records } of service.users(null, signal)) {
    const usernames = records.slice(0, LOOKED_AT).map(({ username }) => username);
    return [...(await service.employees(usernames, signal)).found.values()];
  }
  return [];
}
