import type { ServiceSettings } from '../../domain/settings.ts';
import type { Client, Reply } from '../calls/client.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { endpoint } from '../calls/endpoint.ts';
import type { Scope } from '../calls/scope.ts';

type Family = 'disable' | 'lock';
export type LeaveAction = 'leave' | 'reinstate';

const ROWS = { leave: OPERATIONS.disableEmployee, reinstate: OPERATIONS.enableEmployee } as const;

/**
 * Sends Leave and Reinstate (interface, Employees). With `auto` the newer path is tried first; where it is
 * unknown (404, 405), the older one, which is remembered once it answers anything else. A 404 from both means
 * the employee.
 */
export class LeaveVerbs {
  readonly #client: Client;
  readonly #scope: Scope;
  #known: Family | null;

  constructor(client: Client, scope: Scope, verbs: ServiceSettings['leaveVerbs']) {
    this.#client = client;
    this.#scope = scope;
    this.#known = verbs === 'auto' ? null : verbs;
  }

  /** Sends the action; throws as {@link Client.call} does. */
  async send(action: LeaveAction, employeeId: string, signal: AbortSignal): Promise<void> {
    const reply = await this.#ask(action, employeeId, signal);
    if (!reply.ok) throw reply.refusal;
  }

  async #ask(action: LeaveAction, employeeId: string, signal: AbortSignal): Promise<Reply<void>> {
    if (this.#known !== null) return this.#post(this.#known, action, employeeId, signal);
    const newer = await this.#post('disable', action, employeeId, signal);
    if (!isUnknownPath(newer)) {
      this.#known = 'disable';
      return newer;
    }
    const older = await this.#post('lock', action, employeeId, signal);
    if (!isUnknownPath(older)) this.#known = 'lock';
    return older;
  }

  #post(family: Family, action: LeaveAction, employeeId: string, signal: AbortSignal): Promise<Reply<void>> {
    const { path, older } = ROWS[action];
    const row = { ...ROWS[action], path: family === 'disable' ? path : older };
    const at = endpoint(row, { code: this.#scope.orgCode, employeeId });
    return this.#client.ask({ ...at, decode: () => undefined }, signal);
  }
}

/** Returns whether a service says that it does not know a path (404, 405). */
export function isUnknownPath(reply: Reply<unknown>): boolean {
  return !reply.ok && (isNotThere(reply.http) || isNotThere(reply.refusal.status));
}

function isNotThere(status: number): boolean {
  return status === 404 || status === 405;
}
