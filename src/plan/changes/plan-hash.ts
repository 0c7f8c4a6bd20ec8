import type { Change } from '../../domain/changes.ts';

/**
 * Returns one line of what the plan's hash covers: source id, kind, values before and after; no times and no service
 * ids.
 */
export function hashLine({ subject, kind, id, fields, payload }: Change): string {
  return JSON.stringify([subject, kind, id, fields, payload]);
}
